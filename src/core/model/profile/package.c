/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/profile/package.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

static bool
is_name_char (char c)
{
    return g_ascii_isalnum (c) || c == '_' || c == '$' || (c & 0x80) != 0;
}

/* The outermost "::", outside of all brackets and before the parameters, after the type that the
 * name of a template starts with ("void "). NULL: not found. */
static const char *
find_separator (const char *name)
{
    const char *found = NULL;
    unsigned depth = 0;
    for (const char *at = name; *at != '\0'; at++) {
        if (depth == 0 && at > name && *at == '(')
            break;
        if (strchr ("<([{", *at) != NULL)
            depth++;
        else if (strchr (">)]}", *at) != NULL)
            depth -= depth > 0;
        else if (depth == 0 && *at == ' ')
            found = NULL;
        else if (depth == 0 && found == NULL && at[0] == ':' && at[1] == ':')
            found = at;
    }
    return found;
}

/* "<T as core::fmt::Debug>::fmt" and "<&mut serde::Reader as …>::fmt" are named by what is in the
 * brackets. */
static const char *
find_outermost (const char *name, const char *separator, size_t *ret_len)
{
    const char *start = separator;
    while (start > name && is_name_char (start[-1]))
        start--;
    *ret_len = (size_t)(separator - start);
    return start;
}

/* "example.org/pkg/table.(*Row).Add": up to the first dot after the last slash. */
static const char *
find_path (const char *name, size_t head_len, size_t *ret_len)
{
    size_t end = head_len;
    while (end > 0 && name[end - 1] != '/')
        end--;
    while (end < head_len && name[end] != '.')
        end++;
    *ret_len = end;
    return name;
}

/* "java.util.HashMap.get": up to a part that starts with a capital letter. Else the first part, as
 * in "runtime.mallocgc" and "main.main.func1"; but "poll.isra.0" is a clone that a compiler made.
 */
static const char *
find_dotted (const char *name, size_t head_len, size_t *ret_len)
{
    static const char *const clones[] = {"isra", "part", "cold", "constprop", "lto_priv", "llvm"};
    size_t first = 0;
    *ret_len = 0;
    for (size_t part = 0, i = 0; i < head_len; i++) {
        if (name[i] != '.')
            continue;
        if (g_ascii_isupper (name[part])) {
            *ret_len = part > 0 ? part - 1 : 0;
            return name;
        }
        part = i + 1;
        first = first == 0 ? i : first;
        for (unsigned c = 0; c < G_N_ELEMENTS (clones); c++)
            if (g_str_has_prefix (name + part, clones[c]) || g_ascii_isdigit (name[part]))
                return name;
        if (g_ascii_isupper (name[part])) {
            *ret_len = i;
            return name;
        }
    }
    *ret_len = first;
    return name;
}

const char *
pv_package_find (const char *name, size_t *ret_len)
{
    g_assert (name != NULL && ret_len != NULL);
    *ret_len = 0;
    if (name[0] == '[') /* "[no stack recorded]" */
        return name;
    const char *colons = name[0] == '<' ? strstr (name, "::") : find_separator (name);
    size_t head_len = strcspn (name, "([{< ");
    if (colons != NULL)
        return find_outermost (name, colons, ret_len);
    if (memchr (name, '/', head_len) != NULL)
        return find_path (name, head_len, ret_len);
    return find_dotted (name, head_len, ret_len);
}

const char *
pv_function_find_package (const PvFunction *function, size_t *ret_len)
{
    g_assert (function != NULL && ret_len != NULL);
    *ret_len = 0;
    return function->kind == PV_FUNCTION_NAMED ? pv_package_find (function->name, ret_len) : "";
}
