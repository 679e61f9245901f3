/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the code of a program goes, in a profile of its sizes: by crate or namespace, and by
 * functions that are there many times, as instances of one template.
 */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/analyze/findings/finding-weights.h"
#include "core/analyze/findings/rules.h"
#include "core/model/profile/package.h"

enum { LEAST_INSTANCES = 8 };

#define LEAST_OF_PACKAGE 0.2
#define LEAST_OF_FAMILY  0.03

typedef struct {
    uint64_t bytes;
    uint64_t n_functions;
    PvFunctionId heaviest;
    uint64_t of_heaviest;
} Group;

static Group *
get_group (GHashTable *groups, const char *name, size_t len)
{
    g_autofree char *key = g_strndup (name, len);
    Group *group = g_hash_table_lookup (groups, key);
    if (group == NULL)
        g_hash_table_insert (groups, g_steal_pointer (&key), group = g_new0 (Group, 1));
    return group;
}

static void
add_to_group (Group *group, PvFunctionId function, uint64_t bytes)
{
    group->bytes += bytes;
    group->n_functions++;
    if (bytes > group->of_heaviest) {
        group->of_heaviest = bytes;
        group->heaviest = function;
    }
}

/* Bytes of code by the function that they are of. *ret_total: of all code. */
static uint64_t *
sum_code (const PvFindingContext *context, const PvFindingWeights *weights, uint64_t *ret_total)
{
    const PvProfile *profile = context->profile;
    uint64_t *of_function = g_new0 (uint64_t, MAX (context->symbols->n_functions, 1));
    *ret_total = 0;
    for (PvStackId s = 1; s < profile->n_stacks; s++) {
        uint32_t n_frames;
        const PvLocationId location = profile->location_of_stack[s];
        const PvModule *module = &profile->modules[profile->module_of_location[location]];
        const PvFrame *chain = pv_symbol_table_frames (context->symbols, location, &n_frames);
        if (weights->of_stack[s] == 0 || n_frames == 0 || module->section_kind != PV_SECTION_CODE)
            continue;
        of_function[chain[n_frames - 1].function] += weights->of_stack[s];
        *ret_total += weights->of_stack[s];
    }
    return of_function;
}

static Group *
find_largest (GHashTable *groups, uint64_t least_functions, const char **ret_name)
{
    GHashTableIter iter;
    gpointer key, value;
    Group *largest = NULL;
    g_hash_table_iter_init (&iter, groups);
    while (g_hash_table_iter_next (&iter, &key, &value)) {
        Group *group = value;
        if (group->n_functions < least_functions ||
            (largest != NULL && (group->bytes < largest->bytes ||
                                 (group->bytes == largest->bytes && strcmp (key, *ret_name) > 0))))
            continue;
        largest = group;
        *ret_name = key;
    }
    return largest;
}

static void
add (const PvFindingContext *context, const PvFindingWeights *weights, PvMeasureId measure,
     const Group *group, uint64_t code, char *title, const char *expression, const char *detail,
     PvFindingList *list)
{
    PvFinding finding = {
        .rule = pv_rule_sizes.word,
        .title = title,
        .detail = g_strdup (detail),
        .measure = measure,
        .amount = MIN (group->bytes, weights->total),
        .page = PV_FINDING_GRAPH,
        .function = group->heaviest,
        .module = context->symbols->functions[group->heaviest].module,
        .options = g_new0 (char *, 2),
    };
    finding.cost = code > 0 ? MIN ((double)group->bytes / (double)code, 1) : 0;
    finding.options[0] = g_strconcat ("--focus=", expression, NULL);
    pv_array_push (list, finding);
}

static void
add_groups (const PvFindingContext *context, const PvFindingWeights *weights, PvMeasureId measure,
            GHashTable *packages, GHashTable *families, uint64_t code, PvFindingList *list)
{
    const char *name = NULL;
    const Group *package = find_largest (packages, 1, &name);
    if (package != NULL && (double)package->bytes >= LEAST_OF_PACKAGE * (double)code) {
        g_autofree char *share = pv_format_percent ((double)package->bytes, (double)code);
        g_autofree char *bytes = pv_format_amount (package->bytes, PV_UNIT_BYTES);
        g_autofree char *count = pv_format_count (package->n_functions);
        g_autofree char *expression = pv_subject_make_expression (PV_SUBJECT_PACKAGE, name);
        add (context, weights, measure, package, code,
             /* Translators: a crate, namespace or package; a share, an amount, a number. */
             g_strdup_printf (ngettext ("“%s” is %s of the code: %s in %s function",
                                        "“%s” is %s of the code: %s in %s functions",
                                        package->n_functions),
                              name, share, bytes, count),
             expression, NULL, list);
    }
    const Group *family = find_largest (families, LEAST_INSTANCES, &name);
    if (family != NULL && (double)family->bytes >= LEAST_OF_FAMILY * (double)code) {
        g_autofree char *share = pv_format_percent ((double)family->bytes, (double)code);
        g_autofree char *bytes = pv_format_amount (family->bytes, PV_UNIT_BYTES);
        g_autofree char *count = pv_format_count (family->n_functions);
        g_autofree char *expression = pv_finding_make_expression (context, &family->heaviest, 1);
        add (context, weights, measure, family, code,
             /* Translators: a number, a function, a share, an amount. */
             g_strdup_printf (ngettext ("%s instance of “%s” is %s of the code: %s",
                                        "%s instances of “%s” are %s of the code: %s",
                                        family->n_functions),
                              count, name, share, bytes),
             expression,
             _ ("Move what does not depend on the types into functions that are no templates or "
                "generics."),
             list);
    }
}

static void
find_sizes (const PvFindingContext *context, PvFindingList *list)
{
    const PvProfile *profile = context->profile;
    const PvMeasureId measure = context->query->measure;
    g_auto (PvFindingWeights) weights = {0};
    bool has_code = false;
    for (PvModuleId m = 0; m < profile->n_modules; m++)
        has_code |= profile->modules[m].section_kind == PV_SECTION_CODE;
    if (!has_code || measure >= profile->n_measures || pv_profile_has_sums (profile) ||
        profile->measures[measure].set == PV_NO_SET ||
        profile->measures[measure].unit != PV_UNIT_BYTES ||
        !pv_finding_weights_init (&weights, context, measure))
        return;
    uint64_t code;
    g_autofree uint64_t *of_function = sum_code (context, &weights, &code);
    g_autoptr (GHashTable) packages =
        g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    g_autoptr (GHashTable) families =
        g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    for (PvFunctionId f = 1; f < context->symbols->n_functions; f++) {
        const PvFunction *function = &context->shown->functions[f];
        size_t len;
        const char *package = pv_function_find_package (function, &len);
        if (of_function[f] == 0)
            continue;
        if (len > 0)
            add_to_group (get_group (packages, package, len), f, of_function[f]);
        if (function->kind == PV_FUNCTION_NAMED)
            add_to_group (get_group (families, function->short_name, strlen (function->short_name)),
                          f, of_function[f]);
    }
    add_groups (context, &weights, measure, packages, families, code, list);
}

const PvFindingRule pv_rule_sizes = {
    .word = "sizes",
    .find = find_sizes,
};
