/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Patterns of all rules in one index: whole names in a hash table, those with a known beginning by
 * its first byte, and the few others in a list.
 */
#include "core/analyze/findings/finding-classes.h"

#include <string.h>

#include "core/model/profile/short-name.h"

enum { FUNCTIONS_PER_CHECK = 1 << 12, N_FIRST_BYTES = 256 };

typedef struct {
    const char *text;
    size_t len;
    const char *pattern; /* of the whole name, where the text does not say all; or NULL */
    uint64_t bits;
} Part;

typedef PV_ARRAY (Part) Parts;

typedef struct {
    GHashTable *whole;           /* name -> uint64_t */
    Parts starts[N_FIRST_BYTES]; /* "text*", "text*more" */
    Parts ends;                  /* "*text" */
    Parts inside;                /* "*text*" */
} Names;

typedef struct {
    Names user, kernel;
    Names leaves;      /* of the program and the kernel */
    Parts modules;     /* beginnings */
    uint64_t matching; /* rules with a function */
    uint64_t any_leaf; /* rules without names of leaves */
} Index;

static void
add_whole (Names *names, const char *text, uint64_t bit)
{
    uint64_t *bits = g_hash_table_lookup (names->whole, text);
    if (bits == NULL) {
        bits = g_new0 (uint64_t, 1);
        g_hash_table_insert (names->whole, (gpointer)text, bits);
    }
    *bits |= bit;
}

static void
add_name (Names *names, const char *pattern, uint64_t bit)
{
    const size_t len = strlen (pattern);
    const bool is_open_start = pattern[0] == '*', is_open_end = pattern[len - 1] == '*';
    const char *text = pattern + is_open_start;
    const size_t text_len = len - is_open_start - is_open_end, known = strcspn (text, "*");
    Part part = {.text = text, .len = text_len, .bits = bit};
    g_assert (len > 2 && (known >= text_len || !is_open_start));
    if (known < text_len) {
        part.len = known;
        part.pattern = pattern;
    }
    if (is_open_start && is_open_end)
        pv_array_push (&names->inside, part);
    else if (is_open_start)
        pv_array_push (&names->ends, part);
    else if (is_open_end || part.pattern != NULL)
        pv_array_push (&names->starts[(uint8_t)pattern[0]], part);
    else
        add_whole (names, pattern, bit);
}

static void
add_names (Names *names, const char *const *patterns, uint64_t bit)
{
    for (size_t i = 0; patterns != NULL && patterns[i] != NULL; i++)
        add_name (names, patterns[i], bit);
}

static void
init_index (Index *index, const PvFindingRule *const *rules, unsigned n_rules)
{
    g_assert (n_rules <= PV_MAX_CLASSES);
    *index = (Index){0};
    index->user.whole = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
    index->kernel.whole = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
    index->leaves.whole = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
    for (unsigned r = 0; r < n_rules; r++) {
        const uint64_t bit = UINT64_C (1) << r;
        add_names (&index->user, rules[r]->names, bit);
        add_names (&index->kernel, rules[r]->kernel_names, bit);
        add_names (&index->leaves, rules[r]->leaf_names, bit);
        index->any_leaf |= rules[r]->leaf_names == NULL ? bit : 0;
        for (size_t m = 0; rules[r]->modules != NULL && rules[r]->modules[m] != NULL; m++) {
            const char *start = rules[r]->modules[m];
            const Part part = {.text = start, .len = strlen (start), .bits = bit};
            pv_array_push (&index->modules, part);
        }
        index->matching |= rules[r]->matches != NULL ? bit : 0;
    }
}

static void
clear_names (Names *names)
{
    g_hash_table_unref (names->whole);
    for (unsigned b = 0; b < N_FIRST_BYTES; b++)
        pv_array_clear (&names->starts[b]);
    pv_array_clear (&names->ends);
    pv_array_clear (&names->inside);
}

static void
clear_index (Index *index)
{
    clear_names (&index->user);
    clear_names (&index->kernel);
    clear_names (&index->leaves);
    pv_array_clear (&index->modules);
}

static uint64_t
find_bits (const Names *names, const char *name)
{
    const size_t len = strlen (name);
    const uint64_t *whole = g_hash_table_lookup (names->whole, name);
    const Parts *starts = &names->starts[(uint8_t)name[0]];
    uint64_t bits = whole != NULL ? *whole : 0;
    for (size_t i = 0; i < starts->len; i++) {
        const Part *part = &starts->data[i];
        if (strncmp (name, part->text, part->len) == 0 &&
            (part->pattern == NULL || g_pattern_match_simple (part->pattern, name)))
            bits |= part->bits;
    }
    for (size_t i = 0; i < names->ends.len; i++) {
        const Part *part = &names->ends.data[i];
        if (len >= part->len && memcmp (name + len - part->len, part->text, part->len) == 0)
            bits |= part->bits;
    }
    for (size_t i = 0; i < names->inside.len; i++)
        if (memmem (name, len, names->inside.data[i].text, names->inside.data[i].len) != NULL)
            bits |= names->inside.data[i].bits;
    return bits;
}

/* The bits of a name without what compilers and linkers add: "malloc@plt", "f.constprop.0". */
static uint64_t
find_bits_of_base (const Names *names, const char *name)
{
    size_t len = pv_find_variant (name);
    const char *at = strchr (name, '@');
    if (at != NULL && at != name)
        len = MIN (len > 0 ? len : SIZE_MAX, (size_t)(at - name));
    if (len == 0)
        return find_bits (names, name);
    g_autofree char *base = g_strndup (name, len);
    return find_bits (names, base);
}

static uint64_t
find_bits_of_module (const Index *index, const PvModule *module)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < index->modules.len && module->name != NULL; i++)
        if (strncmp (module->name, index->modules.data[i].text, index->modules.data[i].len) == 0)
            bits |= index->modules.data[i].bits;
    return bits;
}

static uint64_t
find_bits_of_function (const Index *index, const PvFindingRule *const *rules,
                       const PvFunction *function, const PvModule *module)
{
    uint64_t bits = 0;
    if (function->kind == PV_FUNCTION_NAMED)
        bits = find_bits_of_base (module->is_kernel ? &index->kernel : &index->user,
                                  function->short_name);
    for (uint64_t left = index->matching & ~bits; left != 0; left &= left - 1) {
        const unsigned rule = (unsigned)__builtin_ctzll (left);
        bits |= rules[rule]->matches (function, module) ? UINT64_C (1) << rule : 0;
    }
    return bits;
}

PvFunctionBits *
pv_finding_classify (const PvFindingContext *context, const PvFindingRule *const *rules,
                     unsigned n_rules)
{
    g_assert (context != NULL && rules != NULL);
    const PvSymbolTable *symbols = context->symbols;
    const PvProfile *profile = pv_profile_get_named (context->profile);
    g_autofree PvFunctionBits *bits = g_new0 (PvFunctionBits, MAX (symbols->n_functions, 1));
    g_autofree uint64_t *of_module = g_new0 (uint64_t, MAX (profile->n_modules, 1));
    bool is_done = true;
    Index index;
    init_index (&index, rules, n_rules);
    for (PvModuleId m = 0; m < profile->n_modules; m++)
        of_module[m] = find_bits_of_module (&index, &profile->modules[m]);
    bits[0].leaves = index.any_leaf;
    for (PvFunctionId f = 1; f < symbols->n_functions && is_done; f++) {
        const PvFunction *function = &symbols->functions[f];
        if (f % FUNCTIONS_PER_CHECK == 0)
            is_done = !pv_job_is_cancelled (context->job);
        bits[f].classes =
            of_module[function->module] |
            find_bits_of_function (&index, rules, function, &profile->modules[function->module]);
        bits[f].leaves = index.any_leaf | bits[f].classes;
        if (function->kind == PV_FUNCTION_NAMED)
            bits[f].leaves |= find_bits_of_base (&index.leaves, function->short_name);
    }
    clear_index (&index);
    return is_done ? g_steal_pointer (&bits) : NULL;
}
