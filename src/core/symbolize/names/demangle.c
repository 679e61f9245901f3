/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libiberty implements the grammars. This file chooses one, and limits the size of hostile names.
 *
 * A mangled name may refer back to parts of itself, so a hundred bytes can expand to gigabytes.
 * libiberty's callbacks cannot stop it, but all its state is on the stack, so the callback exits
 * with longjmp () when it reaches the limit.
 */
#include "core/symbolize/names/demangle.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/hash.h"
#include "core/base/idmap.h"
#include "core/symbolize/names/iberty.h"
#include "core/symbolize/names/languages.h"

#define MAX_SYMBOL_BYTES    (32u << 10)
#define MAX_DEMANGLED_BYTES (64u << 10)
#define MAX_D_REFERENCES    10u
#define MAX_D_DEPTH         8192u

/* Text under construction. Not GString, whose allocator ThreadSanitizer cannot follow. */
typedef PV_ARRAY (char) Text;

typedef struct {
    Text text;
    jmp_buf too_long;
} Output;

static void
append_piece (const char *piece, size_t len, void *opaque)
{
    Output *output = opaque;

    if (output->text.len + len > MAX_DEMANGLED_BYTES)
        longjmp (output->too_long, 1);
    pv_array_append (&output->text, piece, len);
}

typedef int (*DemangleFunc) (const char *symbol, int options, demangle_callbackref callback,
                             void *opaque);

/* The frame that longjmp () returns to modifies none of its variables. */
static bool
run (DemangleFunc demangle, const char *symbol, int options, Output *output)
{
    return setjmp (output->too_long) == 0 &&
           demangle (symbol, options, append_piece, output) != 0 && output->text.len > 0;
}

static char *
demangle_with (DemangleFunc demangle, const char *symbol, int options)
{
    Output output = {0};

    /* Most demangled names are not much longer. */
    pv_array_reserve (&output.text, 2 * strlen (symbol) + 16);
    if (!run (demangle, symbol, options, &output)) {
        pv_array_clear (&output.text);
        return NULL;
    }
    pv_array_push (&output.text, '\0');
    return output.text.data;
}

/* The target of a back reference in a D name ("Q" and a distance in base 26, whose last digit is
 * lower case); NULL if it is outside the name, or a plain identifier. */
static const char *
find_d_type (const char *symbol, const char *q)
{
    size_t distance = 0;
    const char *c = q + 1;
    for (; g_ascii_isupper (*c) && distance < MAX_SYMBOL_BYTES; c++)
        distance = distance * 26 + (size_t)(*c - 'A');
    if (!g_ascii_islower (*c))
        return NULL;
    distance = distance * 26 + (size_t)(*c - 'a');
    if (distance == 0 || distance > (size_t)(q - symbol) || g_ascii_isdigit (q[-(ssize_t)distance]))
        return NULL;
    return q - distance;
}

/* libiberty expands nested references again each time, and recurses for each character: without a
 * limit, a hundred bytes would take hours, and some thousand the whole stack. */
static bool
is_modest_d (const char *symbol)
{
    size_t n_references = 0;
    for (const char *q = strchr (symbol, 'Q'); q != NULL; q = strchr (q + 1, 'Q'))
        n_references += find_d_type (symbol, q) != NULL;
    return n_references <= MAX_D_REFERENCES && (n_references + 1) * strlen (symbol) <= MAX_D_DEPTH;
}

/* D has no callback interface. */
static char *
demangle_d (const char *symbol)
{
    if (!is_modest_d (symbol))
        return NULL;
    char *demangled = dlang_demangle (symbol, DMGL_PARAMS | DMGL_DLANG);
    char *copy = demangled != NULL && *demangled != '\0' ? g_strdup (demangled) : NULL;

    free (demangled);
    return copy;
}

/* "_Zoo" would be "operator||" without the types that each operator has: it is a name of C. */
static bool
is_bare_operator (const char *symbol)
{
    return g_ascii_islower (symbol[2]) && g_ascii_isalpha (symbol[3]) && symbol[4] == '\0';
}

static char *
demangle_once (const char *symbol, bool with_parameters)
{
    int options = DMGL_ANSI | (with_parameters ? DMGL_PARAMS | DMGL_RET_DROP : 0);
    char *name = NULL;

    /* Mach-O and some older systems add an underscore in front. */
    if (g_str_has_prefix (symbol, "__Z") || g_str_has_prefix (symbol, "__R"))
        symbol++;
    if (g_str_has_prefix (symbol, "_Z") || g_str_has_prefix (symbol, "_R")) {
        /* Rust first: its legacy names are also valid C++ names, with an unwanted hash, a part of
         * 17 letters. */
        if (symbol[1] == 'R' || strstr (symbol, "17h") != NULL)
            name = demangle_with (rust_demangle_callback, symbol, options);
        char *legacy =
            name != NULL && strstr (name, "$u") != NULL ? pv_demangle_legacy_rust (symbol) : NULL;
        if (legacy != NULL) {
            g_free (name);
            name = legacy;
        }
        if (name == NULL && symbol[1] == 'Z' && !is_bare_operator (symbol))
            name = demangle_with (cplus_demangle_v3_callback, symbol, options);
    } else if (symbol[0] == '_' && symbol[1] == 'D' && g_ascii_isdigit (symbol[2])) {
        name = demangle_d (symbol);
    }
    return name;
}

char *
pv_demangle (const char *symbol, bool with_parameters)
{
    g_assert (symbol != NULL);
    if (symbol[0] != '_' || strlen (symbol) > MAX_SYMBOL_BYTES)
        return NULL;
    char *name = demangle_once (symbol, with_parameters);
    if (name != NULL)
        return name;

    /* Clone suffixes (".llvm.123", ".cold", ".part.0") that the grammar does not know. */
    const char *suffix = strchr (symbol, '.');
    if (suffix == NULL || suffix - symbol < 4)
        return NULL;
    g_autofree char *without = g_strndup (symbol, (size_t)(suffix - symbol));
    return demangle_once (without, with_parameters);
}

/* "__dl__ZN6soinfo4linkEv", which keeps Android's linker apart from its C library, is written as
 * simpleperf does. */
static char *
demangle_linker (const char *symbol)
{
    static const char prefix[] = "__dl_";
    if (!g_str_has_prefix (symbol, prefix))
        return NULL;
    symbol += strlen (prefix);
    g_autofree char *name = pv_demangle (symbol, true);
    return g_strconcat ("[linker]", name != NULL ? name : symbol, NULL);
}

char *
pv_demangle_from (const char *symbol, PvNameSource source)
{
    char *name = pv_demangle (symbol, true);
    if (name != NULL)
        return name;
    return source == PV_NAME_LINKER ? demangle_linker (symbol)
                                    : pv_demangle_language (symbol, source);
}

/* True if libiberty's name without parameters lacks nothing else. With that option it also writes
 * return types of functions that are types: "(*)(int)" becomes "void (*)(int)". */
static bool
is_only_without_parameters (const char *symbol, const char *full)
{
    symbol += g_str_has_prefix (symbol, "__");
    bool is_special = g_str_has_prefix (symbol, "_ZT") || g_str_has_prefix (symbol, "_ZG");
    if (is_special || strstr (symbol, "cv") != NULL) /* a conversion */
        return false;
    for (const char *open = strchr (full, '('); open != NULL; open = strchr (open + 1, '(')) {
        bool is_type = open > full && strchr ("<,( ", open[-1]) != NULL;
        if ((is_type && !g_str_has_prefix (open, "(anonymous namespace)")) || open[1] == '*' ||
            open[1] == '&')
            return false;
    }
    return true;
}

char *
pv_demangle_short (const char *symbol, const char *full)
{
    g_assert (symbol != NULL && full != NULL);
    /* Without a bracket there are no parameters to leave out. */
    bool is_same = strchr (full, '(') == NULL || is_only_without_parameters (symbol, full);
    g_autofree char *plain = is_same ? NULL : pv_demangle (symbol, false);
    return pv_shorten_name (plain != NULL ? plain : full);
}

/* Cache */

struct PvDemangler {
    PvArena *arena;
    bool is_off;
    PvHashMap index; /* symbol -> 1 + index in names */
    PvDemangled *names;
    size_t n_names;
    size_t cap;
};

PvDemangler *
pv_demangler_new (PvArena *arena, bool is_off)
{
    g_assert (arena != NULL);
    PvDemangler *demangler = g_new0 (PvDemangler, 1);

    demangler->arena = arena;
    demangler->is_off = is_off;
    return demangler;
}

void
pv_demangler_free (PvDemangler *demangler)
{
    if (demangler == NULL)
        return;
    pv_hash_map_clear (&demangler->index);
    g_free (demangler->names);
    g_free (demangler);
}

static const char *
keep (PvDemangler *demangler, const char *text)
{
    return pv_arena_strndup (demangler->arena, text, strlen (text));
}

/* "memcpy@@GLIBC_2.14": the version is not part of the name; "memcpy@plt" is. */
static char *
strip_version (const char *symbol)
{
    const char *at = strchr (symbol + 1, '@');

    if (at == NULL || strcmp (at, "@plt") == 0)
        return NULL;
    return g_strndup (symbol, (size_t)(at - symbol));
}

static PvDemangled
make_names (PvDemangler *demangler, const char *symbol, PvNameSource source)
{
    static const char plt[] = "@plt";
    g_autofree char *stripped = *symbol != '\0' ? strip_version (symbol) : NULL;
    const char *base = stripped != NULL ? stripped : symbol;
    PvDemangled result;

    if (demangler->is_off) {
        result.name = keep (demangler, base);
        result.short_name = result.name;
        return result;
    }
    bool is_plt = g_str_has_suffix (base, plt);
    g_autofree char *target =
        is_plt ? g_strndup (base, strlen (base) - strlen (plt)) : g_strdup (base);
    g_autofree char *full = pv_demangle_from (target, source);
    const char *readable = full != NULL ? full : target;
    g_autofree char *shorter =
        full != NULL ? pv_demangle_short (target, full) : pv_shorten_name (target);
    const char *suffix = is_plt ? plt : "";

    result.name = pv_arena_printf (demangler->arena, "%s%s", readable, suffix);
    result.short_name = strcmp (shorter, readable) == 0
                            ? result.name
                            : pv_arena_printf (demangler->arena, "%s%s", shorter, suffix);
    return result;
}

PvDemangled
pv_demangler_get (PvDemangler *demangler, const char *symbol)
{
    return pv_demangler_get_from (demangler, symbol, PV_NAME_WRITTEN);
}

PvDemangled
pv_demangler_get_from (PvDemangler *demangler, const char *symbol, PvNameSource source)
{
    g_assert (symbol != NULL);
    PvHash hash = pv_hash_bytes (symbol, strlen (symbol), source);
    uint32_t *slot = pv_hash_map_slot (&demangler->index, hash);

    if (*slot != 0)
        return demangler->names[*slot - 1];
    PvDemangled names = make_names (demangler, symbol, source);
    if (demangler->n_names == demangler->cap) {
        demangler->cap = MAX (64, demangler->cap * 2);
        demangler->names = g_renew (PvDemangled, demangler->names, demangler->cap);
    }
    demangler->names[demangler->n_names++] = names;
    *slot = (uint32_t)demangler->n_names;
    return names;
}
