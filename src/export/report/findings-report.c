/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/findings-report.h"

#include <glib/gi18n.h>

#include "core/analyze/findings/findings.h"
#include "core/analyze/query/query-command.h"

/* The options that show a finding, as a shell reads them; "" without any. */
static char *
join_options (const PvFinding *finding)
{
    g_autoptr (GString) text = g_string_new (NULL);
    for (unsigned i = 0; finding->options != NULL && finding->options[i] != NULL; i++)
        pv_command_append (text, finding->options[i], "");
    return g_strdup (g_strchug (text->str));
}

static void
append_text (const PvReport *report, const PvFindings *findings)
{
    GString *out = report->sink->text;
    for (unsigned i = 0; i < findings->n_findings; i++) {
        const PvFinding *finding = &findings->findings[i];
        g_autofree char *certainty = pv_finding_describe_certainty (finding);
        g_autofree char *options = join_options (finding);
        g_string_append_printf (out, "%s%u. %s.\n", i > 0 ? "\n" : "", i + 1, finding->title);
        if (certainty != NULL)
            g_string_append_printf (out, "   %s.\n", certainty);
        if (finding->detail != NULL)
            g_string_append_printf (out, "   %s\n", finding->detail);
        if (*options != '\0') {
            g_string_append (out, "   ");
            /* Translators: options of the command line follow. */
            g_string_append_printf (out, _ ("To see it: %s"), options);
            g_string_append_c (out, '\n');
        }
    }
    if (findings->n_findings == 0)
        g_string_append_printf (out, "%s\n", _ ("Nothing stands out."));
}

static void
add_figure (PvTable *table, double figure)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    pv_table_add_text (table, g_ascii_formatd (text, sizeof text, "%.5f", figure));
}

static void
append_rows (const PvReport *report, const PvFindings *findings)
{
    const PvTableColumn columns[] = {
        {.id = "rule"},
        {.id = "cost", .kind = PV_CELL_FIGURE},
        {.id = "error", .kind = PV_CELL_FIGURE},
        {.id = "measure"},
        {.id = "amount", .kind = PV_CELL_NUMBER},
        {.id = "samples", .kind = PV_CELL_NUMBER},
        {.id = "function"},
        {.id = "module"},
        {.id = "page"},
        {.id = "options"},
        {.id = "title"},
        {.id = "detail"},
    };
    const PvProfile *profile = report->profile;
    if (report->format == PV_FORMAT_JSON)
        g_string_append_c (report->sink->text, '{');
    PvTable *table = pv_report_begin_rows (report, "findings", columns, G_N_ELEMENTS (columns));
    for (unsigned i = 0; i < findings->n_findings; i++) {
        const PvFinding *finding = &findings->findings[i];
        g_autofree char *options = join_options (finding);
        pv_table_add_text (table, finding->rule);
        add_figure (table, finding->cost);
        add_figure (table, finding->error);
        pv_table_add_text (table, profile->measures[finding->measure].name);
        pv_table_add_number (table, finding->amount);
        pv_table_add_number (table, finding->n_samples);
        pv_table_add_text (table, finding->function != 0
                                      ? report->symbols->functions[finding->function].name
                                      : NULL);
        pv_table_add_text (table,
                           finding->module != 0 ? profile->modules[finding->module].name : NULL);
        pv_table_add_text (table, finding->page);
        pv_table_add_text (table, options);
        pv_table_add_text (table, finding->title);
        pv_table_add_text (table, finding->detail);
    }
    pv_report_end_rows (report, "findings", table, 0);
}

bool
pv_findings_report_write (const PvReport *report, GError **error)
{
    g_assert (report != NULL);
    if (!pv_query_check (report->query, error))
        return false;
    g_autoptr (PvFindings) findings =
        pv_findings_compute (report->profile, report->symbols, report->query, NULL);
    if (findings == NULL || !pv_query_check_complete (report->query, error))
        return false;
    if (pv_report_is_text (report))
        append_text (report, findings);
    else
        append_rows (report, findings);
    return true;
}
