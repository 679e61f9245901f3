/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/print-parts.h"

#include <glib/gi18n.h>

#include "core/analyze/compare/scale.h"
#include "core/analyze/tables/emptiness.h"
#include "core/model/profile/function-match.h"
#include "core/write/escape.h"
#include "core/write/summary.h"

const char *
pv_print_name_unit (PvUnit unit)
{
    return pv_summary_unit_name (unit);
}

static const char *
get_unit_name (const PvMeasure *measure)
{
    return pv_summary_unit_name (measure != NULL ? measure->unit : PV_UNIT_COUNT);
}

void
pv_print_append_header (PvFormat format, GString *out, const PvMeasure *measure, uint64_t total)
{
    g_autofree char *name = g_strconcat ("# measure=", measure != NULL ? measure->name : "", NULL);
    g_autofree char *unit = g_strconcat ("unit=", get_unit_name (measure), NULL);
    g_autofree char *whole = g_strdup_printf ("total=%" G_GUINT64_FORMAT, total);
    pv_format_append_cell (format, out, true, name);
    pv_format_append_cell (format, out, false, unit);
    pv_format_append_cell (format, out, false, whole);
    g_string_append_c (out, '\n');
}

void
pv_print_append_members (GString *out, const PvMeasure *measure, uint64_t total)
{
    g_string_append (out, "{\n\"measure\": ");
    pv_json_append_string (out, measure != NULL ? measure->name : "");
    g_string_append_printf (out, ",\n\"unit\": \"%s\",\n", get_unit_name (measure));
    if (measure != NULL && measure->unit_name != NULL) {
        g_string_append (out, "\"unit_name\": ");
        pv_json_append_string (out, measure->unit_name);
        g_string_append (out, ",\n");
    }
    g_string_append_printf (out, "\"total\": %" G_GUINT64_FORMAT ",\n", total);
}

char *
pv_print_describe_scale (const PvExportOptions *options, const PvCallTree *tree)
{
    double factor = tree->query.factor_of_side[PV_SIDE_BASE];
    return tree->profile->compared != NULL
               ? pv_scale_describe (options->scale, factor != 0 ? factor : 1,
                                    options->scale_function)
               : NULL;
}

void
pv_print_append_nothing_matches (GString *out, const PvProfile *profile,
                                 const PvSymbolTable *symbols, const PvQuery *query)
{
    g_autoptr (PvEmptiness) emptiness = pv_emptiness_find (profile, symbols, query, NULL);
    if (emptiness == NULL || pv_emptiness_is_of_query (emptiness))
        g_string_append_printf (out, "%s\n",
                                profile->heap != NULL ? _ ("Nothing matches the query.")
                                                      : _ ("No samples match the query."));
    if (emptiness == NULL)
        return;
    g_autofree char *reason = pv_emptiness_format (emptiness, profile);
    g_string_append_printf (out, "%s\n", reason);
}

void
pv_print_append_rest (GString *out, const PvExportOptions *options, uint32_t n_shown,
                      uint32_t n_rows)
{
    if (n_shown >= n_rows || options->limit != PV_LIMIT_DEFAULT)
        return;
    /* Translators: number of rows shown, and of all rows */
    g_string_append_printf (out,
                            ngettext ("… %u of %u row; --limit=0 prints all",
                                      "… %u of %u rows; --limit=0 prints all", n_rows),
                            n_shown, n_rows);
    g_string_append_c (out, '\n');
}

bool *
pv_print_match_functions (const PvCallTree *tree, const PvFunctionList *list, PvMatcher *matcher)
{
    bool *is_match = g_new0 (bool, MAX (tree->symbols->n_functions, 1));
    for (uint32_t i = 0; i < list->n_rows; i++) {
        const PvFunctionId function = list->rows[i].function;
        is_match[function] = pv_function_matches (tree->symbols, function, matcher);
    }
    return is_match;
}

void
pv_print_set_no_function (const char *expression, GError **error)
{
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, _ ("no function matches “%s”"),
                 expression);
}
