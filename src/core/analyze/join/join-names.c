/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/join/join-names.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/hash.h"
#include "core/base/idmap.h"
#include "core/model/profile/matcher.h"
#include "core/model/profile/short-name.h"

enum { ROWS_PER_CHECK = 16384 };

/* The matcher finds the names, as it bounds the time that takes; the expression of GLib replaces
 * what it has found. */
typedef struct {
    const char *word;
    PvMatcher *matcher;
    GRegex *regex;
    char *text;
} Rename;

/* A function of a profile. */
typedef struct {
    const PvFunction *function; /* or that of another profile, which could read its symbol */
    PvModuleId module;          /* joined; 0: it takes no part */
    char *name;                 /* after the first three steps; NULL: as it was */
    uint32_t group;             /* index in groups + 1; 0: none */
} Row;

/* How a profile writes names of a module. */
typedef struct {
    bool has_names;
    bool has_parameters;
} Style;

/* Functions of a module with the same name but for parameters. */
typedef struct {
    char *name;
    const Row *full;  /* the first with parameters */
    bool has_others;  /* with other parameters than these */
    bool has_without; /* in a profile whose names have no parameters */
} Group;

struct PvJoinNames {
    GPtrArray *renames;
    bool has_folded;
    PV_ARRAY (Row) rows;
    PV_ARRAY (size_t) first_row;   /* by profile, and one more */
    PV_ARRAY (bool) is_of_symbols; /* by profile */
    GHashTable *symbols;           /* see note_symbol () */
    uint32_t n_modules;
    bool *is_open; /* by module: the last step is for it */
    PV_ARRAY (Group) groups;
    uint32_t n_sums;
};

/* Renames */

static void
rename_free (gpointer data)
{
    Rename *rename = data;
    pv_matcher_unref (rename->matcher);
    if (rename->regex != NULL)
        g_regex_unref (rename->regex);
    g_free (rename->text);
    g_free (rename);
}

static bool
compile_rename (GPtrArray *renames, const char *word, GError **error)
{
    const char *equals = strrchr (word, '=');
    g_autofree char *expression = g_strndup (word, equals != NULL ? (size_t)(equals - word) : 0);
    if (*expression == '\0') {
        g_set_error (error, G_REGEX_ERROR, G_REGEX_ERROR_COMPILE, _ ("“%s” is not EXPRESSION=TEXT"),
                     word);
        return false;
    }
    Rename *rename = g_new0 (Rename, 1);
    g_ptr_array_add (renames, rename);
    rename->word = word;
    rename->text = g_strdup (equals + 1);
    rename->matcher = pv_matcher_new (expression, false, error);
    if (rename->matcher == NULL)
        return false;
    rename->regex = g_regex_new (expression, G_REGEX_OPTIMIZE, 0, error);
    return rename->regex != NULL && g_regex_check_replacement (rename->text, NULL, error);
}

/* False with an error if an expression took so long that some names were not looked at. */
static bool
check_renames (const GPtrArray *renames, GError **error)
{
    for (guint i = 0; i < renames->len; i++) {
        const Rename *rename = renames->pdata[i];
        if (!pv_matcher_gave_up (rename->matcher))
            continue;
        pv_matcher_set_slow (rename->word, error);
        return false;
    }
    return true;
}

/* The new name; NULL: it stays. */
static char *
apply_renames (const GPtrArray *renames, const char *name)
{
    g_autofree char *renamed = NULL;
    for (guint i = 0; i < renames->len; i++) {
        const Rename *rename = renames->pdata[i];
        const char *now = renamed != NULL ? renamed : name;
        if (!g_utf8_validate (now, -1, NULL) || !pv_matcher_match (rename->matcher, now))
            continue;
        char *next = g_regex_replace (rename->regex, now, -1, 0, rename->text, 0, NULL);
        if (next == NULL)
            continue;
        g_free (renamed);
        renamed = next;
    }
    return g_steal_pointer (&renamed);
}

/* Names */

PvJoinNames *
pv_join_names_new (const char *const *renames, bool has_folded, GError **error)
{
    g_autoptr (PvJoinNames) names = g_new0 (PvJoinNames, 1);
    names->renames = g_ptr_array_new_with_free_func (rename_free);
    names->symbols = g_hash_table_new (g_str_hash, g_str_equal);
    names->has_folded = has_folded;
    for (; renames != NULL && *renames != NULL; renames++)
        if (!compile_rename (names->renames, *renames, error))
            return NULL;
    pv_array_push (&names->first_row, 0);
    return g_steal_pointer (&names);
}

void
pv_join_names_free (PvJoinNames *names)
{
    if (names == NULL)
        return;
    for (size_t i = 0; i < names->rows.len; i++)
        g_free (names->rows.data[i].name);
    for (size_t i = 0; i < names->groups.len; i++)
        g_free (names->groups.data[i].name);
    pv_array_clear (&names->rows);
    pv_array_clear (&names->first_row);
    pv_array_clear (&names->is_of_symbols);
    pv_array_clear (&names->groups);
    g_ptr_array_unref (names->renames);
    g_hash_table_unref (names->symbols);
    g_free (names->is_open);
    g_free (names);
}

/* The name after the first two steps; NULL: it stays. */
static char *
make_name (const PvJoinNames *names, const char *name)
{
    g_autofree char *renamed = apply_renames (names->renames, name);
    char *unified = pv_unify_name (renamed != NULL ? renamed : name);
    if (names->has_folded && unified == NULL && strchr (name, ';') != NULL)
        unified = g_strdup (renamed != NULL ? renamed : name);
    if (names->has_folded && unified != NULL)
        g_strdelimit (unified, ";", ':');
    return unified != NULL ? unified : g_steal_pointer (&renamed);
}

/* Keeps functions by their names in symbol tables, where these are manglings that not every tool
 * knows: then one side may have the symbol only. */
static void
note_symbol (PvJoinNames *names, const PvFunction *function)
{
    static const char *const known[] = {"_Z", "__Z", "_R", "_D"};
    if (function->raw_name == function->name || function->raw_name == NULL)
        return;
    for (size_t i = 0; i < G_N_ELEMENTS (known); i++)
        if (g_str_has_prefix (function->raw_name, known[i]))
            return;
    g_hash_table_insert (names->symbols, (gpointer)function->raw_name, (gpointer)function);
}

bool *
pv_join_names_find_used (const PvSymbolTable *symbols)
{
    g_assert (symbols != NULL);
    bool *is_used = g_new0 (bool, MAX (symbols->n_functions, 1));
    for (PvLocationId l = 1; l < symbols->n_locations; l++) {
        uint32_t n;
        const PvFrame *chain = pv_symbol_table_frames (symbols, l, &n);
        for (uint32_t i = 0; i < n; i++)
            is_used[chain[i].function] = true;
    }
    is_used[0] = false;
    return is_used;
}

void
pv_join_names_add (PvJoinNames *names, const PvSymbolTable *symbols, const PvModuleId *module_of,
                   bool is_of_symbols)
{
    g_assert (names != NULL && symbols != NULL && module_of != NULL);
    g_autofree bool *is_used = pv_join_names_find_used (symbols);
    for (PvFunctionId f = 0; f < symbols->n_functions; f++) {
        const PvFunction *function = &symbols->functions[f];
        Row row = {.function = function};
        if (is_used[f] && function->kind == PV_FUNCTION_NAMED)
            row.module = module_of[f];
        if (row.module != 0) {
            row.name = make_name (names, function->name);
            note_symbol (names, function);
        }
        names->n_modules = MAX (names->n_modules, row.module + 1);
        pv_array_push (&names->rows, row);
    }
    pv_array_push (&names->first_row, names->rows.len);
    pv_array_push (&names->is_of_symbols, is_of_symbols);
}

static const char *
get_name (const Row *row)
{
    return row->name != NULL ? row->name : row->function->name;
}

/* Names a function as the profile does that could read its symbol. */
static void
read_symbol (const PvJoinNames *names, Row *row)
{
    const PvFunction *function = row->function;
    bool is_symbol = row->module != 0 && function->raw_name == function->name;
    const PvFunction *other =
        is_symbol ? g_hash_table_lookup (names->symbols, function->name) : NULL;
    if (other == NULL)
        return;
    g_free (row->name);
    row->function = other;
    row->name = make_name (names, other->name);
}

/* Names that are cut */

/* Finds the first bracket that is not that of a namespace, or the end. True if template
 * arguments are open there, which comparison operators do not open. */
static bool
find_bracket (const char *name, size_t *ret_len)
{
    static const char unnamed[] = "(anonymous namespace)";
    const char *s = name;
    size_t depth = 0;
    for (; *s != '\0' && (*s != '(' || g_str_has_prefix (s, unnamed)); s++) {
        depth += *s == '<';
        depth -= *s == '>' && depth > 0;
    }
    *ret_len = (size_t)(s - name);
    return depth > 0 && strstr (name, "operator") == NULL;
}

/* FlameGraph's scripts cut a name at the first bracket, even inside of template arguments:
 * "std::sort<int*, bool (*)(int, int)>(int*, int*)" is "std::sort<int*, bool ". The length of what
 * is left; 0: such a script would not cut inside of arguments. */
static size_t
find_cut (const char *name)
{
    size_t len;
    return find_bracket (name, &len) && name[len] == '(' ? len : 0;
}

static bool
is_cut (const char *name)
{
    size_t len;
    return find_bracket (name, &len) && name[len] == '\0';
}

static PvHash
hash_cut (const char *name, size_t len, PvModuleId module)
{
    while (len > 0 && name[len - 1] == ' ')
        len--;
    return pv_hash_bytes (name, len, module);
}

#define IN_SEVERAL UINT32_MAX

/* Gives cut names what others have of them, where that is one name. */
static void
complete_names (PvJoinNames *names)
{
    PvHashMap rows = {0};
    bool has_any = false;
    for (size_t i = 0; i < names->rows.len && !has_any; i++)
        has_any = names->rows.data[i].module != 0 && is_cut (get_name (&names->rows.data[i]));
    for (size_t i = 0; i < names->rows.len && has_any; i++) {
        const Row *row = &names->rows.data[i];
        const char *name = row->module != 0 ? get_name (row) : "";
        const size_t len = find_cut (name);
        uint32_t *slot =
            len > 0 ? pv_hash_map_slot (&rows, hash_cut (name, len, row->module)) : NULL;
        if (slot != NULL)
            *slot = *slot == 0 || (*slot != IN_SEVERAL &&
                                   strcmp (get_name (&names->rows.data[*slot - 1]), name) == 0)
                        ? (uint32_t)i + 1
                        : IN_SEVERAL;
    }
    for (size_t i = 0; i < names->rows.len && has_any; i++) {
        Row *row = &names->rows.data[i];
        const char *name = row->module != 0 ? get_name (row) : "";
        const uint32_t found =
            is_cut (name) ? pv_hash_map_find (&rows, hash_cut (name, strlen (name), row->module))
                          : 0;
        if (found == 0 || found == IN_SEVERAL)
            continue;
        const Row *full = &names->rows.data[found - 1];
        char *whole = full->name != NULL ? g_strdup (full->name) : NULL;
        g_free (row->name);
        row->name = whole;
        row->function = full->function;
    }
    pv_hash_map_clear (&rows);
}

/* Variants and parts */

/* The length of a name without an offset, "+0x1a" or "+26"; 0: it has none. */
static size_t
find_offset (const char *name)
{
    const char *plus = strrchr (name, '+');
    if (plus == NULL || plus == name)
        return 0;
    const bool is_hex = strncmp (plus + 1, "0x", 2) == 0;
    const char *digits = plus + (is_hex ? 3 : 1);
    const size_t n = strspn (digits, is_hex ? "0123456789abcdef" : "0123456789");
    return n > 0 && digits[n] == '\0' ? (size_t)(plus - name) : 0;
}

size_t
pv_join_names_find_variant (const char *name)
{
    size_t variant = pv_find_variant (name), offset = find_offset (name);
    return variant > 0 && offset > 0 ? MIN (variant, offset) : MAX (variant, offset);
}

/* is_plain: of a profile that has no variants in the module. */
static PvHash
hash_name (const char *name, size_t len, PvModuleId module, bool is_plain)
{
    return pv_hash_bytes (name, len, (uint64_t)module << 1 | is_plain);
}

/* By profile, then by module: it has names of variants or parts there. */
static bool *
find_modules_with_variants (const PvJoinNames *names, size_t n_modules)
{
    bool *has_variants = g_new0 (bool, MAX (names->is_of_symbols.len * n_modules, 1));
    for (size_t p = 0; p < names->is_of_symbols.len; p++)
        for (size_t i = names->first_row.data[p]; i < names->first_row.data[p + 1]; i++) {
            const Row *row = &names->rows.data[i];
            if (row->module != 0 && pv_join_names_find_variant (get_name (row)) > 0)
                has_variants[p * n_modules + row->module] = true;
        }
    return has_variants;
}

/* Renames variants of symbols, and names with offsets, to the functions that other profiles have
 * instead: those of programs, and those in modules of which another profile has none of these at
 * all, as debug information names the functions. */
static void
join_variants (PvJoinNames *names)
{
    const size_t n_modules = MAX (names->n_modules, 1);
    PvHashMap known = {0};
    g_autofree bool *has_variants = find_modules_with_variants (names, n_modules);
    if (memchr (has_variants, true, names->is_of_symbols.len * n_modules) == NULL)
        return;
    for (size_t p = 0; p < names->is_of_symbols.len; p++)
        for (size_t i = names->first_row.data[p]; i < names->first_row.data[p + 1]; i++) {
            const Row *row = &names->rows.data[i];
            if (names->is_of_symbols.data[p] || row->module == 0)
                continue;
            const char *name = get_name (row);
            *pv_hash_map_slot (&known, hash_name (name, strlen (name), row->module, false)) = 1;
            if (!has_variants[p * n_modules + row->module])
                *pv_hash_map_slot (&known, hash_name (name, strlen (name), row->module, true)) = 1;
        }
    for (size_t p = 0; p < names->is_of_symbols.len; p++)
        for (size_t i = names->first_row.data[p]; i < names->first_row.data[p + 1]; i++) {
            Row *row = &names->rows.data[i];
            const bool is_of_symbols = names->is_of_symbols.data[p];
            const char *name = row->module != 0 ? get_name (row) : "";
            size_t len = pv_join_names_find_variant (name);
            if (len == 0 ||
                (is_of_symbols && pv_hash_map_find (&known, hash_name (name, strlen (name),
                                                                       row->module, false)) != 0) ||
                pv_hash_map_find (&known, hash_name (name, len, row->module, !is_of_symbols)) == 0)
                continue;
            char *cut = g_strndup (name, len);
            g_free (row->name);
            row->name = cut;
        }
    pv_hash_map_clear (&known);
}

/* Names without parameters */

/* Instances of Go's generic functions are "Map[go.shape.int_0]" as symbols, and all of them are
 * "Map[...]" in Go's own profiles. */
static const char shape[] = "[go.shape.";

static bool
has_parameters (const char *name)
{
    return pv_has_parameters (name) || strstr (name, shape) != NULL;
}

/* The name without parameters; g_free () it. */
static char *
strip (const char *name)
{
    if (strstr (name, shape) == NULL && strstr (name, PV_GO_GENERIC) == NULL)
        return pv_strip_parameters (name);
    GString *text = g_string_new (NULL);
    const char *start = name;
    for (const char *open; (open = strstr (start, shape)) != NULL;) {
        const char *close = pv_find_close_bracket (open);
        if (close == NULL)
            break;
        g_string_append_len (text, start, open - start);
        g_string_append (text, PV_GO_GENERIC);
        start = close;
    }
    g_string_append (text, start);
    return g_string_free (text, FALSE);
}

/* Finds how each profile writes the names of each module, and which modules these differ for. */
static Style *
find_styles (PvJoinNames *names)
{
    const size_t n_profiles = names->first_row.len - 1, n_modules = MAX (names->n_modules, 1);
    Style *styles = g_new0 (Style, MAX (n_profiles * n_modules, 1));
    names->is_open = g_new0 (bool, n_modules);
    for (size_t p = 0; p < n_profiles; p++) {
        for (size_t i = names->first_row.data[p]; i < names->first_row.data[p + 1]; i++) {
            const Row *row = &names->rows.data[i];
            Style *style = &styles[p * n_modules + row->module];
            style->has_names = true;
            style->has_parameters = style->has_parameters || has_parameters (get_name (row));
        }
    }
    for (size_t m = 1; m < n_modules; m++) {
        bool has_with = false, has_without = false;
        for (size_t p = 0; p < n_profiles; p++) {
            const Style *style = &styles[p * n_modules + m];
            has_with |= style->has_parameters;
            has_without |= style->has_names && !style->has_parameters;
        }
        names->is_open[m] = has_with && has_without;
    }
    return styles;
}

/* True if two names with parameters differ in clone suffixes only. */
static bool
are_clones (const char *a, const char *b)
{
    const char *end_a = strstr (a, " [clone "), *end_b = strstr (b, " [clone ");
    size_t len_a = end_a != NULL ? (size_t)(end_a - a) : strlen (a);
    size_t len_b = end_b != NULL ? (size_t)(end_b - b) : strlen (b);
    return len_a == len_b && memcmp (a, b, len_a) == 0;
}

/* Puts a function into its group. */
static void
add_to_group (PvJoinNames *names, PvHashMap *ids, Row *row, bool is_without)
{
    g_autofree char *bare = strip (get_name (row));
    uint32_t *slot = pv_hash_map_slot (ids, pv_hash_bytes (bare, strlen (bare), row->module));
    if (*slot == 0) {
        Group group = {.name = g_steal_pointer (&bare)};
        pv_array_push (&names->groups, group);
        *slot = (uint32_t)names->groups.len;
    }
    Group *group = &names->groups.data[*slot - 1];
    row->group = *slot;
    if (is_without)
        group->has_without = true;
    else if (!has_parameters (get_name (row)))
        return;
    else if (group->full == NULL)
        group->full = row;
    else if (!are_clones (get_name (group->full), get_name (row)))
        group->has_others = true;
}

bool
pv_join_names_decide (PvJoinNames *names, PvJob *job, GError **error)
{
    g_assert (names != NULL && names->is_open == NULL);
    for (size_t i = 0; i < names->rows.len; i++)
        read_symbol (names, &names->rows.data[i]);
    join_variants (names);
    g_autofree Style *styles = find_styles (names);
    complete_names (names);
    const size_t n_modules = MAX (names->n_modules, 1);
    PvHashMap ids = {0};
    bool is_done = true;
    for (size_t p = 0; p + 1 < names->first_row.len; p++) {
        for (size_t i = names->first_row.data[p]; i < names->first_row.data[p + 1] && is_done;
             i++) {
            Row *row = &names->rows.data[i];
            if (i % ROWS_PER_CHECK == 0)
                is_done = pv_job_check (job, error);
            if (names->is_open[row->module])
                add_to_group (names, &ids, row,
                              !styles[p * n_modules + row->module].has_parameters);
        }
    }
    pv_hash_map_clear (&ids);
    for (size_t i = 0; i < names->groups.len; i++)
        names->n_sums += names->groups.data[i].has_without && names->groups.data[i].has_others;
    return is_done && check_renames (names->renames, error);
}

/* The name that a function has in the end. */
static const char *
choose_name (const PvJoinNames *names, const Row *row, const Row **ret_like)
{
    const Group *group = row->group != 0 ? &names->groups.data[row->group - 1] : NULL;
    *ret_like = row;
    if (group == NULL || !group->has_without || group->full == NULL)
        return get_name (row);
    *ret_like = group->has_others ? NULL : group->full;
    return group->has_others ? group->name : get_name (group->full);
}

bool
pv_join_names_apply (const PvJoinNames *names, size_t place, PvFunctionId function,
                     PvFunction *copy)
{
    g_assert (names != NULL && place + 1 < names->first_row.len && copy != NULL);
    const Row *row = &names->rows.data[names->first_row.data[place] + function], *like;
    const char *name = choose_name (names, row, &like);
    if (strcmp (name, copy->name) == 0)
        return false;
    copy->name = name;
    copy->raw_name = like != NULL && like->name == NULL ? like->function->raw_name : NULL;
    copy->short_name = like != NULL && like->name == NULL ? like->function->short_name : NULL;
    return true;
}

uint32_t
pv_join_names_count_sums (const PvJoinNames *names)
{
    g_assert (names != NULL);
    return names->n_sums;
}
