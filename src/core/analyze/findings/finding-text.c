/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/analyze/findings/finding-rule.h"
#include "core/model/profile/event-names.h"

enum { MAX_EXPRESSION = 60000 }; /* bytes: matchers refuse longer ones than 65536 */

enum { MAX_NAME_BYTES = 80 };

/* Standard errors to each side that have the truth 95 of 100 times. */
#define ERRORS_OF_INTERVAL 1.96

const char *
pv_finding_get_measure_title (const PvProfile *profile, PvMeasureId measure)
{
    g_assert (profile != NULL && measure < profile->n_measures);
    const PvMeasure *row = &profile->measures[measure];
    const char *title = pv_measure_get_title (profile, measure);
    if (pv_profile_counts_waits (profile, measure))
        return strcmp (row->name, "blocked") == 0 ? _ ("time blocked") : _ ("off-CPU time");
    if (row->unit == PV_UNIT_NS)
        return _ ("CPU time");
    if (g_str_has_prefix (row->name, "cycles") || g_str_has_prefix (row->name, "cpu-cycles"))
        return _ ("CPU cycles");
    if (g_str_has_prefix (row->name, "instructions") || strcmp (row->name, "Ir") == 0)
        return C_ ("finding", "instructions");
    if (strcmp (row->name, "samples") == 0)
        return C_ ("finding", "samples");
    return title;
}

/* The names of system calls are those of kernel functions without a prefix. */
static const char *
skip_prefix_of_call (const char *name)
{
    static const char *const prefixes[] = {"__x64_sys_", "__ia32_sys_", "__arm64_sys_", "__do_sys_",
                                           "__se_sys_",  "SyS_",        "ksys_",        "sys_"};
    for (size_t i = 0; i < G_N_ELEMENTS (prefixes); i++)
        if (g_str_has_prefix (name, prefixes[i]))
            return name + strlen (prefixes[i]);
    return name;
}

char *
pv_finding_format_function (const PvFindingContext *context, PvFunctionId function)
{
    g_assert (context != NULL && function < context->shown->n_functions);
    const PvFunction *row = &context->shown->functions[function];
    const bool is_kernel = context->profile->modules[row->module].is_kernel;
    return pv_format_cut (is_kernel ? skip_prefix_of_call (row->short_name) : row->short_name,
                          MAX_NAME_BYTES);
}

char *
pv_finding_fill_in (const char *form, const char *const *texts, unsigned n_texts)
{
    g_assert (form != NULL && texts != NULL);
    GString *text = g_string_new (NULL);
    unsigned next = 0;
    for (const char *at; (at = strchr (form, '%')) != NULL;) {
        /* Translators may number places to change their order: “%2$s”. */
        const bool has_number = g_ascii_isdigit (at[1]) && at[2] == '$' && at[3] == 's';
        const unsigned n = has_number ? (unsigned)(at[1] - '1') : next;
        const bool is_place = (has_number || at[1] == 's') && n < n_texts;
        g_string_append_len (text, form, at - form);
        g_string_append (text, is_place ? texts[n] : "%");
        next = is_place ? n + 1 : next;
        form = at + (!is_place ? 1 : has_number ? 4 : 2);
    }
    g_string_append (text, form);
    return g_string_free (text, FALSE);
}

/* "SUBJECT:^(TEXT|TEXT)$", each text once. */
static char *
make_expression (PvSubject subject, const char *const *texts, unsigned n_texts)
{
    GString *expression = g_string_new (pv_subject_get_prefix (subject));
    unsigned n_added = 0;
    g_string_append (expression, ":^(");
    for (unsigned i = 0; i < n_texts; i++) {
        bool is_new = true;
        for (unsigned j = 0; j < i && is_new; j++)
            is_new = strcmp (texts[i], texts[j]) != 0;
        g_autofree char *escaped = g_regex_escape_string (texts[i], -1);
        if (is_new && expression->len + strlen (escaped) < MAX_EXPRESSION)
            g_string_append_printf (expression, "%s%s", n_added++ > 0 ? "|" : "", escaped);
    }
    g_string_append (expression, ")$");
    return g_string_free (expression, FALSE);
}

char *
pv_finding_make_expression (const PvFindingContext *context, const PvFunctionId *functions,
                            unsigned n_functions)
{
    g_assert (context != NULL && functions != NULL && n_functions > 0);
    g_autofree const char **names = g_new (const char *, n_functions);
    for (unsigned i = 0; i < n_functions; i++)
        names[i] = context->shown->functions[functions[i]].short_name;
    return make_expression (PV_SUBJECT_FUNCTION, names, n_functions);
}

char *
pv_finding_make_module_expression (const PvFindingContext *context, const PvFunctionId *functions,
                                   unsigned n_functions)
{
    g_assert (context != NULL && functions != NULL && n_functions > 0);
    g_autofree const char **names = g_new (const char *, n_functions);
    for (unsigned i = 0; i < n_functions; i++) {
        const PvModuleId module = context->shown->functions[functions[i]].module;
        names[i] = context->profile->modules[module].name;
    }
    return make_expression (PV_SUBJECT_MODULE, names, n_functions);
}

char **
pv_finding_focus_on (const PvFindingContext *context, PvFunctionId function)
{
    g_autofree char *expression = pv_finding_make_expression (context, &function, 1);
    char **options = g_new0 (char *, 2);
    options[0] = g_strconcat ("--focus=", expression, NULL);
    return options;
}

char *
pv_finding_describe_certainty (const PvFinding *finding)
{
    g_assert (finding != NULL);
    if (finding->interval != NULL)
        return g_strdup (finding->interval);
    g_autofree char *n_samples = pv_format_count (finding->n_samples);
    if (finding->is_measured)
        return g_strdup_printf (
            ngettext ("%s wait, measured", "%s waits, all measured", finding->n_samples),
            n_samples);
    if (finding->error <= 0)
        return NULL;
    const double width = ERRORS_OF_INTERVAL * finding->error;
    g_autofree char *low = pv_format_decimals (100 * fmax (finding->cost - width, 0), 1);
    g_autofree char *high = pv_format_percent (fmin (finding->cost + width, 1), 1);
    if (finding->n_samples == 0)
        return g_strdup_printf (_ ("The share is most likely between %s and %s"), low, high);
    /* Translators: a number, then a range: “1,234 samples: between 27.1 and 29.3 %” */
    return g_strdup_printf (ngettext ("%s sample: between %s and %s",
                                      "%s samples: between %s and %s", finding->n_samples),
                            n_samples, low, high);
}
