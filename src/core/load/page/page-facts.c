/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load/page/page-facts.h"

#include <string.h>

#include "core/analyze/query/query-words.h"
#include "core/analyze/query/suppressions.h"
#include "core/analyze/tables/stack-quality.h"
#include "core/write/html/html-page.h"
#include "core/write/summary.h"

static char **
list_facts (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query)
{
    PvSummaryHeap heap = {0};
    if (profile->heap != NULL) {
        pv_suppressions_sum_leaks (query->suppressions, !query->no_default_suppressions, profile,
                                   symbols, &heap.leaked_bytes, &heap.suppressed_bytes);
        return pv_summary_list_facts (profile, symbols, NULL, &heap);
    }
    if (pv_profile_has_sums (profile))
        return pv_summary_list_facts (profile, symbols, NULL, NULL);
    PvStackQuality own = {0};
    if (profile->n_measures > 0)
        pv_stack_quality_measure (profile, symbols, profile->measures[query->measure].set, &own);
    const PvSummaryStacks stacks = {
        .of_measure = {own.n_complete, own.n_truncated, own.n_broken, own.n_unknown},
        .measure = query->measure,
        .is_known = pv_stack_quality_is_known (&own),
    };
    return pv_summary_list_facts (profile, symbols, &stacks, NULL);
}

/* An array of strings, or of pairs of them. */
static void
append_strings (GString *out, const char *key, char **strings, bool are_pairs)
{
    pv_html_begin_member (out, key);
    g_string_append_c (out, '[');
    for (unsigned i = 0; strings[i] != NULL; i++) {
        bool is_second = are_pairs && i % 2 == 1;
        g_string_append (out, i > 0 ? "," : "");
        g_string_append (out, are_pairs && !is_second ? "[" : "");
        pv_html_append_string (out, strings[i]);
        g_string_append (out, is_second ? "]" : "");
    }
    g_string_append_c (out, ']');
}

static void
append_notes (GString *out, const PvNote *notes, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        g_string_append (out, out->str[out->len - 1] == '[' ? "[" : ",[");
        pv_html_append_string (out, notes[i].severity == PV_NOTE_WARNING ? "warning" : "info");
        g_string_append_c (out, ',');
        pv_html_append_string (out, notes[i].text);
        g_string_append_c (out, ']');
    }
}

/* Hides the values of options, as they may be names, except those known not to be. */
static void
hide_values (char **options)
{
    static const char *const shown[] = {"--time=", "--by=", "--group="};
    for (unsigned i = 0; options[i] != NULL; i++) {
        char *value = strchr (options[i], '=');
        bool is_shown = value == NULL;
        for (size_t s = 0; s < G_N_ELEMENTS (shown); s++)
            is_shown |= g_str_has_prefix (options[i], shown[s]);
        if (is_shown)
            continue;
        *value = '\0';
        char *hidden = g_strconcat (options[i], "=…", NULL);
        g_free (options[i]);
        options[i] = hidden;
    }
}

void
pv_page_facts_append (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query,
                      GString *out)
{
    g_assert (profile != NULL && symbols != NULL && query != NULL && out != NULL);
    g_auto (GStrv) facts = list_facts (profile, symbols, query);
    g_auto (GStrv) options = pv_query_list_options (query, profile);
    if (profile->named != NULL)
        hide_values (options);
    append_strings (out, "facts", facts, true);
    append_strings (out, "options", options, false);
    pv_html_begin_member (out, "notes");
    g_string_append_c (out, '[');
    append_notes (out, profile->notes, profile->n_notes);
    append_notes (out, symbols->notes, symbols->n_notes);
    g_string_append_c (out, ']');
}
