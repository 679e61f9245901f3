/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/compare-summary.h"

#include <glib/gi18n.h>

#include "core/analyze/compare/compare-text.h"
#include "core/write/escape.h"

enum { MAX_SENTENCES = 8 };

static void
append_json (const PvReport *report, char *const *sentences)
{
    GString *out = report->sink->text;
    pv_report_begin (report);
    g_string_append (out, "\"changes\": [");
    for (unsigned i = 0; sentences[i] != NULL; i++) {
        g_string_append (out, i > 0 ? ", " : "");
        pv_json_append_string (out, sentences[i]);
    }
    g_string_append (out, "]}\n");
}

static void
append_text (const PvReport *report, char *const *sentences)
{
    GString *out = report->sink->text;
    pv_report_begin (report);
    for (unsigned i = 0; sentences[i] != NULL; i++)
        g_string_append_printf (out, "  %s\n", sentences[i]);
    if (sentences[0] == NULL)
        g_string_append_printf (out, "  %s\n",
                                report->changes->noise == NULL
                                    ? _ ("Nothing changed.")
                                    : _ ("Nothing changed beyond noise."));
    g_string_append_c (out, '\n');
}

bool
pv_compare_summary_append (const PvReport *report)
{
    g_assert (report != NULL && report->amounts == PV_AMOUNTS_COMPARED);
    g_autoptr (PvChanges) nodes = pv_changes_by_node (report->tree, report->changes->noise, NULL);
    g_auto (GStrv) sentences =
        pv_compare_list_changes (report->tree, report->changes, nodes, MAX_SENTENCES, NULL);
    if (report->format == PV_FORMAT_TEXT)
        append_text (report, sentences);
    else if (report->format == PV_FORMAT_JSON)
        append_json (report, sentences);
    return report->format == PV_FORMAT_JSON;
}
