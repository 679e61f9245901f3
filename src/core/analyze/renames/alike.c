/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/renames/alike.h"

#include <glib.h>
#include <string.h>

#include "core/model/profile/short-name.h"

/* Longer names are not taken apart. */
enum { MAX_NAME = 4096 };

/* The short name without variants and without numbers of closures: "main.round.func",
 * "{{closure}}",
 * "{lambda()#}". NULL: it is too long. */
static char *
make_stem (const PvFunction *function)
{
    static const char *const numbered[] = {"#", ".func", ".gowrap", ".deferwrap", "$_", "'lambda"};
    const char *name = function->short_name;
    size_t len = pv_find_variant (name);
    len = len != 0 ? len : strlen (name);
    if (len == 0 || len > MAX_NAME)
        return NULL;
    GString *stem = g_string_sized_new (len);
    for (size_t i = 0; i < len; i++) {
        bool is_number = g_ascii_isdigit (name[i]);
        for (size_t k = 0; is_number && k < G_N_ELEMENTS (numbered) + 1; k++) {
            /* Closures inside of closures of Go are numbers alone: "main.round.func1.2". */
            const char *before = k < G_N_ELEMENTS (numbered) ? numbered[k] : ".";
            const size_t n = strlen (before);
            if (stem->len < n || memcmp (stem->str + stem->len - n, before, n) != 0)
                continue;
            while (i < len && g_ascii_isdigit (name[i]))
                i++;
            is_number = false;
        }
        if (i < len)
            g_string_append_c (stem, name[i]);
    }
    return g_string_free (stem, FALSE);
}

/* True for parts that many functions have, which say nothing without the part before them. */
static bool
is_common (const char *part)
{
    static const char *const names[] = {"operator()", "call",     "call_once", "call_mut",
                                        "_M_invoke",  "__invoke", "new",       "init",
                                        "operator",   "<lambda>", "func",      "gowrap"};
    if (*part == '\0' || strchr ("{<($'", *part) != NULL)
        return true;
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
        if (strcmp (part, names[i]) == 0)
            return true;
    return false;
}

/* The start of the last part of a name before end: after "::" or ".", not inside of brackets. */
static size_t
find_last_part (const char *name, size_t end)
{
    int depth = 0;
    for (size_t i = end; i-- > 0;) {
        depth += strchr (")]}>", name[i]) != NULL;
        depth -= strchr ("([{<", name[i]) != NULL;
        const bool is_colon = name[i] == ':' && i > 0 && name[i - 1] == ':';
        if (depth <= 0 && i + 1 < end && (is_colon || name[i] == '.' || name[i] == '/'))
            return i + 1;
    }
    return 0;
}

/* The last part of the name that says something, up to its end. Cuts the name. */
static const char *
find_telling_end (char *name)
{
    size_t start = find_last_part (name, strlen (name)), end;
    g_autofree char *part = g_strdup (name + start);
    while (start > 0 && is_common (part)) {
        end = start - (name[start - 1] == ':' ? 2 : 1);
        start = find_last_part (name, end);
        g_free (part);
        part = g_strndup (name + start, end - start);
    }
    return is_common (part) ? "" : name + start;
}

char *
pv_alike_make_end (const PvFunction *function, bool is_long)
{
    g_assert (function != NULL);
    g_autofree char *stem = make_stem (function);
    const char *end = stem != NULL ? find_telling_end (stem) : "";
    if (*end == '\0')
        return NULL;
    const size_t before = end > stem ? (size_t)(end - stem) - (end[-1] == ':' ? 2 : 1) : 0;
    if (is_long && before == 0)
        return NULL;
    return g_strdup (is_long ? stem + find_last_part (stem, before) : end);
}

double
pv_alike_get_common (const PvFunction *a, const PvFunction *b)
{
    g_assert (a != NULL && b != NULL);
    size_t len_a = strlen (a->name), len_b = strlen (b->name), shorter = MIN (len_a, len_b);
    size_t first = 0, last = 0;
    while (first < shorter && a->name[first] == b->name[first])
        first++;
    while (last < shorter - first && a->name[len_a - 1 - last] == b->name[len_b - 1 - last])
        last++;
    return (double)(first + last) / (double)MAX (MAX (len_a, len_b), 1);
}

bool
pv_alike_but_parameters (const PvFunction *a, const PvFunction *b)
{
    g_assert (a != NULL && b != NULL);
    if (pv_has_parameters (a->name) == pv_has_parameters (b->name) || pv_alike_files (a, b) != 1 ||
        a->line != b->line)
        return false;
    g_autofree char *bare_a = pv_strip_parameters (a->name);
    g_autofree char *bare_b = pv_strip_parameters (b->name);
    /* The name alone may be without its namespaces, too. */
    const char *longer = strlen (bare_a) > strlen (bare_b) ? bare_a : bare_b;
    const char *other = longer == bare_a ? bare_b : bare_a;
    size_t rest = strlen (longer) - strlen (other);
    return g_str_has_suffix (longer, other) &&
           (rest == 0 || (longer[rest - 1] == ':' && a->line > 0));
}

int
pv_alike_files (const PvFunction *a, const PvFunction *b)
{
    g_assert (a != NULL && b != NULL);
    if (a->file == NULL || b->file == NULL)
        return -1;
    const char *slash_a = strrchr (a->file, '/'), *slash_b = strrchr (b->file, '/');
    return strcmp (slash_a != NULL ? slash_a : a->file, slash_b != NULL ? slash_b : b->file) == 0;
}
