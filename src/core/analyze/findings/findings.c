/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/findings.h"

#include <string.h>

#include "core/analyze/findings/finding-classes.h"
#include "core/analyze/findings/finding-pass.h"
#include "core/analyze/findings/rules.h"
#include "core/analyze/query/focus.h"
#include "core/model/profile/event-names.h"

#define PV_RULE_OF_NAME(name) &pv_rule_##name,
static const PvFindingRule *const rules[] = {PV_FINDING_RULE_TABLE (PV_RULE_OF_NAME)};

#define LEAST_COST          0.02
#define LEAST_COST_IN_ERROR 2
#define LEAST_SAMPLES       10

const char **
pv_findings_list_rules (void)
{
    const char **words = g_new0 (const char *, G_N_ELEMENTS (rules) + 1);
    for (size_t i = 0, n = 0; i < G_N_ELEMENTS (rules); i++)
        if (!rules[i]->is_excluding)
            words[n++] = rules[i]->word;
    return words;
}

/* --- measures --- */

static bool
is_event (const char *name, const char *event)
{
    const char *slash = strchr (name, '/');
    const char *start = slash != NULL ? slash + 1 : name;
    const size_t len = strlen (event);
    return strncmp (start, event, len) == 0 && strchr (":/,-", start[len]) != NULL;
}

/* True if another measure of the set tells that samples are not those of a processor. */
static bool
has_other_measure (const PvProfile *profile, PvMeasureId measure)
{
    for (PvMeasureId m = 0; m < profile->n_measures; m++)
        if (m != measure && profile->measures[m].set == profile->measures[measure].set &&
            strcmp (profile->measures[m].name, "cpu") != 0)
            return true;
    return false;
}

/* Measures that add up the work of processors, as far as names tell. */
static bool
is_of_cpu (const PvProfile *profile, PvMeasureId measure)
{
    static const char *const events[] = {"cycles",     "cpu-cycles", "cpu-clock",
                                         "task-clock", "ref-cycles", "instructions"};
    static const char *const names[] = {"cpu", "CPU", "Ir", "time on CPU"};
    const PvMeasure *row = &profile->measures[measure];
    const PvSampleSet *set = pv_profile_get_measure_set (profile, measure);
    if (set == NULL || set->is_derived || row->is_delay || row->part != PV_PART_NONE ||
        row->aggregation != PV_AGGREGATION_SUM || profile->is_of_allocations ||
        pv_profile_counts_waits (profile, measure) ||
        pv_measure_find_heap (profile, measure) != PV_HEAP_NONE)
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS (events); i++)
        if (is_event (row->name, events[i]))
            return true;
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
        if (strcmp (row->name, names[i]) == 0)
            return true;
    return strcmp (row->name, "samples") == 0 && !has_other_measure (profile, measure);
}

static PvMeasureId
find_cpu_measure (const PvProfile *profile, const PvQuery *query)
{
    if (query->measure < profile->n_measures && is_of_cpu (profile, query->measure))
        return query->measure;
    for (PvMeasureId m = 0; m < profile->n_measures; m++)
        if (is_of_cpu (profile, m))
            return m;
    return UINT32_MAX;
}

static PvMeasureId
find_wait_measure (const PvProfile *profile)
{
    PvMeasureId found = UINT32_MAX;
    for (PvMeasureId m = 0; m < profile->n_measures; m++)
        if (pv_profile_counts_waits (profile, m) && !profile->measures[m].is_delay &&
            profile->measures[m].part == PV_PART_NONE &&
            (found == UINT32_MAX || strcmp (profile->measures[m].name, "blocked") == 0))
            found = m;
    return found;
}

/* --- rules --- */

/* Functions of the classes that have a finding. */
static void
mark_told (const PvFindingContext *context, const PvFindingRule *const *of_classes, unsigned n,
           const PvFunctionBits *bits, const PvFindingList *list)
{
    uint64_t told = 0;
    for (size_t i = 0; i < list->len; i++)
        for (unsigned c = 0; c < n; c++)
            if (strcmp (list->data[i].rule, of_classes[c]->word) == 0)
                told |= (uint64_t)1 << c;
    for (PvFunctionId f = 0; f < context->symbols->n_functions; f++)
        if ((bits[f].classes & told) != 0)
            context->traits[f] |= PV_TRAIT_IS_TOLD;
}

static bool
run_passes (const PvFindingContext *context, PvFindingList *list)
{
    const PvMeasureId measure_of_scope[PV_N_RULE_SCOPES] = {
        [PV_RULE_OF_CPU] = context->cpu_measure, [PV_RULE_OF_WAITS] = context->wait_measure};
    const PvFindingRule *of_classes[G_N_ELEMENTS (rules)];
    unsigned n = 0;
    bool is_done = true;
    if (context->cpu_measure == UINT32_MAX && context->wait_measure == UINT32_MAX)
        return true;
    for (size_t i = 0; i < G_N_ELEMENTS (rules); i++)
        if (rules[i]->find == NULL)
            of_classes[n++] = rules[i];
    g_autofree PvFunctionBits *bits = pv_finding_classify (context, of_classes, n);
    if (bits == NULL)
        return false;
    for (PvRuleScope scope = 0; scope < PV_N_RULE_SCOPES && is_done; scope++)
        if (measure_of_scope[scope] != UINT32_MAX)
            is_done = pv_finding_pass_run (context, scope, measure_of_scope[scope], of_classes, n,
                                           bits, list);
    mark_told (context, of_classes, n, bits, list);
    return is_done;
}

static bool
run_others (const PvFindingContext *context, PvFindingList *list)
{
    for (size_t i = 0; i < G_N_ELEMENTS (rules); i++) {
        if (pv_job_is_cancelled (context->job))
            return false;
        if (rules[i]->find != NULL)
            rules[i]->find (context, list);
    }
    return true;
}

/* --- which ones are told --- */

static void
clear_finding (PvFinding *finding)
{
    g_free (finding->title);
    g_free (finding->detail);
    g_free (finding->interval);
    g_strfreev (finding->options);
}

static bool
is_worth_telling (const PvFinding *finding)
{
    if (finding->error > 0 && finding->n_samples > 0 && finding->n_samples < LEAST_SAMPLES)
        return false;
    return finding->cost >= LEAST_COST && finding->cost >= LEAST_COST_IN_ERROR * finding->error;
}

static int
compare_cost (const void *a, const void *b)
{
    const PvFinding *x = a, *y = b;
    const int by_cost = pv_order (y->cost, x->cost);
    return by_cost != 0 ? by_cost : strcmp (x->rule, y->rule);
}

static PvFindings *
choose (PvFindingList *list)
{
    PvFindings *findings = g_new0 (PvFindings, 1);
    findings->findings = g_new0 (PvFinding, PV_MAX_FINDINGS);
    if (list->len > 0)
        qsort (list->data, list->len, sizeof (PvFinding), compare_cost);
    for (size_t i = 0; i < list->len; i++) {
        PvFinding *finding = &list->data[i];
        if (findings->n_findings < PV_MAX_FINDINGS && is_worth_telling (finding))
            findings->findings[findings->n_findings++] = *finding;
        else
            clear_finding (finding);
    }
    list->len = 0;
    return findings;
}

static void
clear_list (PvFindingList *list)
{
    for (size_t i = 0; i < list->len; i++)
        clear_finding (&list->data[i]);
    pv_array_clear (list);
}

PvFindings *
pv_findings_compute (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query,
                     PvJob *job)
{
    g_assert (profile != NULL && symbols != NULL && query != NULL);
    g_autoptr (PvFocus) focus = NULL;
    g_auto (PvQuery) active;
    g_autofree uint8_t *traits = g_new0 (uint8_t, MAX (symbols->n_functions, 1));
    PvFindingList list = {0};
    pv_query_copy_active (&active, query);
    PvFindingContext context = {
        .profile = profile,
        .symbols = pv_symbol_table_get_named (symbols),
        .shown = symbols,
        .query = &active,
        .cpu_measure = find_cpu_measure (profile, query),
        .wait_measure = find_wait_measure (profile),
        .traits = traits,
        .job = job,
    };
    if (pv_focus_is_needed (&active)) {
        focus = pv_focus_build (profile, context.symbols, &active, NULL, job, NULL);
        if (focus == NULL)
            return NULL;
        context.is_stack_kept = focus->is_kept;
    }
    const bool is_done = run_passes (&context, &list) && run_others (&context, &list);
    PvFindings *findings = is_done ? choose (&list) : NULL;
    clear_list (&list);
    return findings;
}

void
pv_findings_free (PvFindings *findings)
{
    if (findings == NULL)
        return;
    for (unsigned i = 0; i < findings->n_findings; i++)
        clear_finding (&findings->findings[i]);
    g_free (findings->findings);
    g_free (findings);
}
