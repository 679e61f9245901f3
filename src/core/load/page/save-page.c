/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load/page/save-page.h"

#include "core/analyze/compare/compare-text.h"
#include "core/base/output.h"
#include "core/load/page/page-facts.h"
#include "core/load/page/page-functions.h"
#include "core/load/page/page-names.h"
#include "core/load/page/page-trees.h"
#include "core/model/profile/event-names.h"
#include "core/write/html/html-page.h"
#include "core/write/summary.h"

/* About ten bytes each. */
enum { MAX_NODES = 240000, MAX_MEASURES = 24, MAX_SENTENCES = 6 };

typedef struct {
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    PvQuery query; /* of the current measure */
    PvPageNames *names;
    GString *out;
    PvJob *job;
} Page;

typedef struct {
    uint32_t n;
    PvMeasureId ids[MAX_MEASURES];
} Measures;

/* The query's first: what else is listed depends on how many there are. */
static void
list_measures (const PvProfile *profile, PvMeasureId first, Measures *measures)
{
    measures->ids[0] = first;
    measures->n = 1;
    for (PvMeasureId m = 0; m < profile->n_measures && measures->n < MAX_MEASURES; m++)
        if (m != first && profile->measures[m].total > 0)
            measures->ids[measures->n++] = m;
}

/* True if boxes are as green as those of heaps: in bytes, or of samples that have bytes too. */
static bool
is_of_heap (const PvProfile *profile, PvMeasureId measure)
{
    for (PvMeasureId m = 0; m < profile->n_measures; m++)
        if (profile->measures[m].set == profile->measures[measure].set &&
            profile->measures[m].unit == PV_UNIT_BYTES)
            return true;
    return profile->heap != NULL;
}

static void
append_description (Page *page, PvMeasureId id)
{
    const PvMeasure *measure = &page->profile->measures[id];
    pv_html_begin_member (page->out, "name");
    pv_html_append_string (page->out, measure->name);
    pv_html_begin_member (page->out, "title");
    pv_html_append_string (page->out, pv_measure_get_event_title (page->profile, id));
    pv_html_begin_member (page->out, "unit");
    pv_html_append_string (page->out, pv_summary_unit_name (measure->unit));
    pv_html_begin_member (page->out, "isHeap");
    g_string_append (page->out, is_of_heap (page->profile, id) ? "true" : "false");
}

/* Appends the names of the sides (none for a signed measure of a single profile), the factor of the
 * base, and the largest changes. */
static void
append_sides (Page *page, const PvCallTree *tree, const PvNodeValues *values,
              const PvChanges *changes)
{
    const PvCompared *compared = page->profile->compared;
    double factor = page->query.factor_of_side[PV_SIDE_BASE];
    pv_html_begin_member (page->out, "sides");
    g_string_append_c (page->out, '[');
    for (PvSide side = 0; compared != NULL && side < PV_N_SIDES; side++) {
        g_string_append (page->out, side > 0 ? "," : "");
        pv_html_append_string (page->out, compared->name_of_side[side]);
    }
    g_string_append_c (page->out, ']');
    if (factor != 0 && factor != 1) {
        g_autofree char *text = pv_format_digits (factor, 4);
        pv_html_begin_member (page->out, "scale");
        pv_html_append_string (page->out, text);
    }
    pv_html_begin_member (page->out, "changes");
    g_string_append_c (page->out, '[');
    if (compared != NULL && !page->query.is_inverted) {
        g_auto (GStrv) sentences =
            pv_compare_list_changes (tree, changes, values->sides, MAX_SENTENCES, NULL);
        for (unsigned i = 0; sentences[i] != NULL; i++) {
            pv_html_append_string (page->out, sentences[i]);
            g_string_append_c (page->out, ',');
        }
    }
    if (compared != NULL) {
        g_autofree char *certainty = pv_compare_describe_certainty (changes);
        pv_html_append_string (page->out, certainty);
    }
    g_string_append_c (page->out, ']');
}

/* Nothing is appended for a measure of which nothing is left. */
static bool
append_measure (Page *page, PvMeasureId id, uint32_t max_nodes, bool *ret_has_any, GError **error)
{
    uint32_t parts;
    page->query.measure = id;
    g_autoptr (PvCallTree) tree = pv_page_tree_build (page->profile, page->symbols, &page->query,
                                                      max_nodes, NULL, &parts, page->job, error);
    if (tree == NULL)
        return false;
    *ret_has_any = tree->total[0] > 0;
    if (!*ret_has_any)
        return true;
    g_autoptr (PvNodeValues) values = NULL;
    g_autoptr (PvChanges) changes = NULL;
    if (pv_changes_can_sum (tree)) {
        values = pv_node_values_build (tree, NULL, page->job);
        changes = pv_changes_by_function (tree, page->job);
        if (values == NULL || changes == NULL)
            return pv_job_check (page->job, error);
    }
    if (page->out->str[page->out->len - 1] != '[')
        g_string_append (page->out, ",\n");
    g_string_append_c (page->out, '{');
    append_description (page, id);
    if (values != NULL)
        append_sides (page, tree, values, changes);
    pv_html_begin_member (page->out, "tree");
    if (!pv_page_tree_append (tree, values, parts, page->names, page->out, page->job, error) ||
        !pv_page_functions_append (tree, changes, page->names, page->out, page->job, error))
        return false;
    g_string_append_c (page->out, '}');
    return true;
}

static bool
append_measures (Page *page, bool *ret_has_any, GError **error)
{
    Measures measures;
    list_measures (page->profile, page->query.measure, &measures);
    pv_html_begin_member (page->out, "measures");
    g_string_append_c (page->out, '[');
    pv_job_set_stage (page->job, PV_STAGE_ANALYZE, measures.n);
    for (uint32_t i = 0; i < measures.n; i++) {
        bool has_any;
        if (!append_measure (page, measures.ids[i], MAX_NODES / measures.n, &has_any, error))
            return false;
        *ret_has_any |= has_any;
        pv_job_set_done (page->job, i + 1);
        if (i == 0 && !has_any)
            break; /* what was asked for is not there */
    }
    g_string_append_c (page->out, ']');
    return true;
}

static bool
append_data (Page *page, const PvPageColors *colors, const char *title, bool *ret_has_any,
             GError **error)
{
    g_string_append_c (page->out, '{');
    pv_html_begin_member (page->out, "title");
    pv_html_append_string (page->out, title);
    pv_html_begin_member (page->out, "words");
    pv_html_append_words (page->out);
    pv_html_begin_member (page->out, "numbers");
    pv_html_append_number_style (page->out);
    pv_html_begin_member (page->out, "isInverted");
    g_string_append (page->out, page->query.is_inverted ? "true" : "false");
    pv_html_begin_member (page->out, "colors");
    g_string_append (page->out, colors->json);
    pv_page_facts_append (page->profile, page->symbols, &page->query, page->out);
    if (!append_measures (page, ret_has_any, error))
        return false;
    pv_page_names_append (page->names, page->out);
    g_string_append_c (page->out, '}');
    return true;
}

static bool
write_file (const char *path, const char *title, const GString *data, GError **error)
{
    PvWriter writer;
    if (!pv_writer_open (&writer, path, error))
        return false;
    pv_html_page_write (&writer, title, data);
    return pv_writer_close (&writer, error);
}

bool
pv_save_page (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query,
              const PvPageColors *colors, const char *title, const char *path, bool *ret_has_any,
              PvJob *job, GError **error)
{
    g_assert (profile != NULL && symbols != NULL && query != NULL && colors != NULL);
    g_assert (title != NULL && path != NULL && ret_has_any != NULL);
    *ret_has_any = false;
    if (!pv_profile_has_weights (profile, query->measure))
        return true;
    Page page = {.profile = profile, .symbols = symbols, .job = job};
    pv_query_copy (&page.query, query);
    const PvPair *pair = pv_profile_get_pair (profile, query->measure);
    if (pair != NULL)
        page.query.measure = pair->both; /* whatever boxes are as wide as elsewhere */
    page.names = pv_page_names_new (profile, query, colors);
    page.out = g_string_new (NULL);
    bool is_done = append_data (&page, colors, title, ret_has_any, error) &&
                   (!*ret_has_any || write_file (path, title, page.out, error));
    g_string_free (page.out, TRUE);
    pv_page_names_free (page.names);
    pv_query_clear (&page.query);
    return is_done;
}
