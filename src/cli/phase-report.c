/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/phase-report.h"

#include <glib/gi18n.h>

#include "cli/print-parts.h"
#include "cli/timeline.h"
#include "core/analyze/time/phases.h"
#include "core/base/format.h"

static void
add_function (PvTable *table, const PvPhases *phases, PvFunctionId id)
{
    const PvFunction *function = &phases->tree->symbols->functions[id];
    if (id != 0)
        pv_table_add_name (table, function->name, function->short_name);
    else
        pv_table_add_text (table, NULL);
}

static void
add_for_people (PvTable *table, const PvPhases *phases, const PvPhase *phase)
{
    g_autofree char *start = pv_format_amount (phase->start_ns, PV_UNIT_NS);
    g_autofree char *duration = pv_format_amount (phase->end_ns - phase->start_ns, PV_UNIT_NS);
    g_autofree char *share = pv_format_percent (phase->self_share, 1);
    pv_table_add_text (table, start);
    pv_table_add_text (table, duration);
    pv_table_add_number (table, phase->weight);
    pv_table_add_text (table, phase->function != 0 ? share : NULL);
    if (phase->function != 0)
        add_function (table, phases, phase->function);
    else
        pv_table_add_text (table, phase->n_samples == 0 ? _ ("(no samples)") : _ ("[unknown]"));
    add_function (table, phases, phase->typical);
}

static void
add_for_programs (PvTable *table, const PvPhases *phases, const PvPhase *phase)
{
    const PvFunction *functions = phases->tree->symbols->functions;
    g_autofree char *share = g_strdup_printf ("%.4f", phase->self_share);
    pv_table_add_number (table, phase->start_ns);
    pv_table_add_number (table, phase->end_ns);
    pv_table_add_number (table, phase->n_samples);
    pv_table_add_number (table, phase->weight);
    pv_table_add_text (table, phase->function != 0 ? functions[phase->function].name : NULL);
    pv_table_add_text (table, phase->function != 0 ? share : NULL);
    pv_table_add_text (table, phase->typical != 0 ? functions[phase->typical].name : NULL);
}

static void
append_phases (const PvOptions *options, const PvPhases *phases, const PvMeasure *measure,
               PvFormat format, const PvTextSink *sink)
{
    const PvTableColumn for_people[] = {
        {.id = "", .title = _ ("Start"), .kind = PV_CELL_FIGURE},
        {.id = "", .title = _ ("Duration"), .kind = PV_CELL_FIGURE},
        {.id = "", .title = measure->name, .kind = PV_CELL_AMOUNT, .unit = measure->unit},
        {.id = "", .title = _ ("Self"), .kind = PV_CELL_FIGURE},
        {.id = "", .title = _ ("Hottest Function")},
        /* Translators: what most tells a phase from the others */
        {.id = "", .title = _ ("Typical Function")},
    };
    const PvTableColumn for_programs[] = {
        {.id = "start_ns", .title = "", .kind = PV_CELL_NUMBER},
        {.id = "end_ns", .title = "", .kind = PV_CELL_NUMBER},
        {.id = "samples", .title = "", .kind = PV_CELL_NUMBER},
        {.id = "weight", .title = "", .kind = PV_CELL_NUMBER},
        {.id = "function", .title = ""},
        {.id = "self_share", .title = "", .kind = PV_CELL_FIGURE},
        {.id = "typical", .title = ""},
    };
    bool is_text = format == PV_FORMAT_TEXT;
    g_autoptr (PvTable) table = is_text ? pv_table_new (for_people, G_N_ELEMENTS (for_people))
                                        : pv_table_new (for_programs, G_N_ELEMENTS (for_programs));
    if (is_text)
        pv_table_set_max_width (table, pv_print_get_terminal_width (options));
    pv_table_begin (table, format, sink);
    uint32_t n_shown = phases->n_phases;
    if (options->limit > 0)
        n_shown = MIN (n_shown, (uint32_t)options->limit);
    for (uint32_t i = 0; i < n_shown; i++)
        (is_text ? add_for_people : add_for_programs) (table, phases, &phases->phases[i]);
    pv_table_end (table);
    if (is_text)
        pv_print_append_rest (sink->text, options, n_shown, phases->n_phases);
}

bool
pv_phase_report_write (const PvOptions *options, const PvProfile *profile,
                       const PvSymbolTable *symbols, const PvQuery *query, PvFormat format,
                       const PvTextSink *sink, GError **error)
{
    g_assert (options != NULL && profile != NULL && symbols != NULL && query != NULL);
    if (!pv_timeline_check ("--print=phases", profile, query->measure, error))
        return false;
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build_stacks (profile, symbols, query, NULL, NULL, error);
    if (tree == NULL)
        return false;
    g_autoptr (PvPhases) phases = pv_phases_find (tree, NULL);
    const PvMeasure *measure = &profile->measures[query->measure];
    if (format == PV_FORMAT_TEXT && phases->n_phases == 0) {
        pv_print_append_nothing_matches (sink->text, profile);
        return true;
    }
    if (format == PV_FORMAT_JSON) {
        pv_print_append_members (sink->text, measure, tree->total[0]);
        g_string_append (sink->text, "\"phases\": ");
    } else if (format == PV_FORMAT_TSV && options->has_header) {
        pv_print_append_header (sink->text, measure, tree->total[0]);
    }
    append_phases (options, phases, measure, format, sink);
    if (format == PV_FORMAT_JSON)
        g_string_append (sink->text, "}\n");
    return true;
}
