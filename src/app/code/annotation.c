/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/code/annotation.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "core/symbolize/files/source-files.h"

/* More would hold the main loop for too long while the text is put into the view. */
enum { MAX_ROWS = 10000, MAX_LINE_BYTES = 1000 };
enum {
    MAX_BODY_LINES = 2000,      /* of inlined bodies, that have their source */
    MAX_BODY_BYTES = 128 << 20, /* of their files, all together */
    SHARE_CHARS = 7,            /* "100.0 %" */
};

void
pv_annotation_input_free (gpointer data)
{
    PvAnnotationInput *input = data;

    pv_free_later (input->profile, (GDestroyNotify)pv_profile_free);
    pv_free_later (input->symbols, (GDestroyNotify)pv_symbol_table_free);
    pv_query_clear (&input->query);
    pv_symbol_options_clear (&input->options);
    g_strfreev (input->measures);
    g_free (input->file);
    g_free (input);
}

PvAnnotation *
pv_annotation_ref (PvAnnotation *annotation)
{
    g_atomic_int_inc (&annotation->ref_count);
    return annotation;
}

void
pv_annotation_unref (gpointer data)
{
    PvAnnotation *annotation = data;

    if (!g_atomic_int_dec_and_test (&annotation->ref_count))
        return;
    for (uint32_t m = 0; m < annotation->n_measures; m++)
        g_free (annotation->measures[m].name);
    for (uint32_t c = 0; c < annotation->n_columns; c++)
        g_free (annotation->columns[c].title);
    g_clear_pointer (&annotation->body_source, g_hash_table_unref);
    pv_line_costs_free (annotation->line_costs);
    pv_free_later (annotation->tree, (GDestroyNotify)pv_call_tree_free);
    g_free (annotation->measures);
    g_free (annotation->columns);
    g_free (annotation->name);
    g_free (annotation->label);
    g_strfreev (annotation->files);
    g_free (annotation->path);
    g_free (annotation->text);
    g_free (annotation->cost_of_row);
    g_free (annotation->costs);
    g_free (annotation->row_of_cost);
    g_free (annotation->cost_of_rank);
    g_free (annotation);
}

/* Amounts */

static const PvAnnotationMeasure *
get_measure (const PvAnnotation *annotation, const PvCost *costs, uint32_t measure,
             const PvCost **ret_costs)
{
    g_assert (measure < annotation->n_measures);
    *ret_costs = &costs[annotation->measures[measure].first_cost];
    return &annotation->measures[measure];
}

static int64_t
get_amount (const PvAnnotationMeasure *measure, const PvCost *costs, gboolean is_self)
{
    const int64_t first = (int64_t)(is_self ? costs[0].self : costs[0].total);

    if (!measure->has_sides)
        return first;
    return (int64_t)(is_self ? costs[PV_SIDE_NEW].self : costs[PV_SIDE_NEW].total) - first;
}

int64_t
pv_annotation_get_amount (const PvAnnotation *annotation, const PvCost *costs, gboolean is_self)
{
    const PvAnnotationMeasure *measure = get_measure (annotation, costs, 0, &costs);

    return get_amount (measure, costs, is_self);
}

static char *
format_side (const PvAnnotationMeasure *measure, const PvCost *costs, PvSide side)
{
    return costs[side].total > 0 ? pv_format_amount (costs[side].total, measure->unit) : NULL;
}

char *
pv_annotation_format_cell (const PvAnnotation *annotation, const PvCost *costs, uint32_t column)
{
    g_assert (annotation != NULL && costs != NULL && column < annotation->n_columns);
    const PvCostKind kind = annotation->columns[column].kind;
    const PvAnnotationMeasure *measure =
        get_measure (annotation, costs, annotation->columns[column].measure, &costs);

    if (kind == PV_COST_BASE || kind == PV_COST_NEW)
        return format_side (measure, costs, kind == PV_COST_BASE ? PV_SIDE_BASE : PV_SIDE_NEW);
    const int64_t amount = get_amount (measure, costs, kind == PV_COST_SELF);
    if (amount == 0)
        return NULL;
    return measure->has_sides ? pv_format_signed_amount (amount, measure->unit)
                              : pv_format_percent ((double)amount, (double)measure->whole);
}

/* Costs */

static void
add_measure (PvAnnotation *annotation, const PvProfile *profile, PvMeasureId measure,
             PvMeasureId ids[2 * PV_ANNOTATION_MAX_MEASURES], uint32_t *n_ids)
{
    const PvPair *pair = pv_profile_get_pair (profile, measure);
    PvAnnotationMeasure *added;

    if (annotation->n_measures == PV_ANNOTATION_MAX_MEASURES || measure >= profile->n_measures)
        return;
    added = &annotation->measures[annotation->n_measures++];
    added->has_sides = pair != NULL;
    added->first_cost = *n_ids;
    if (pair != NULL)
        measure = pair->both;
    added->name = g_strdup (profile->measures[measure].name);
    added->unit = profile->measures[measure].unit;
    ids[(*n_ids)++] = pair != NULL ? pair->of_side[PV_SIDE_BASE] : measure;
    if (pair != NULL)
        ids[(*n_ids)++] = pair->of_side[PV_SIDE_NEW];
}

/* Returns how many costs a line has. */
static uint32_t
list_measures (PvAnnotation *annotation, const PvAnnotationInput *input,
               PvMeasureId ids[2 * PV_ANNOTATION_MAX_MEASURES])
{
    const PvProfile *profile = input->profile;
    uint32_t n_ids = 0;

    annotation->measures = g_new0 (PvAnnotationMeasure, PV_ANNOTATION_MAX_MEASURES);
    add_measure (annotation, profile, input->query.measure, ids, &n_ids);
    for (guint i = 0; input->measures != NULL && input->measures[i] != NULL; i++) {
        const PvMeasureId measure = pv_profile_find_measure (profile, input->measures[i]);
        if (measure != UINT32_MAX && measure != input->query.measure &&
            g_strcmp0 (input->measures[i], annotation->measures[0].name) != 0)
            add_measure (annotation, profile, measure, ids, &n_ids);
    }
    return n_ids;
}

static void
take_wholes (PvAnnotation *annotation)
{
    for (uint32_t m = 0; m < annotation->n_measures; m++) {
        PvAnnotationMeasure *measure = &annotation->measures[m];
        const uint64_t *wholes = &annotation->line_costs->wholes[measure->first_cost];
        measure->whole = wholes[0] + (measure->has_sides ? wholes[1] : 0);
    }
}

/* False when cancelled, or with an error. */
static gboolean
find_costs (const PvAnnotationInput *input, PvAnnotation *annotation, PvJob *job, GError **error)
{
    PvMeasureId ids[2 * PV_ANNOTATION_MAX_MEASURES];
    PvQuery query;

    pv_query_copy_active (&query, &input->query);
    query.granularity = PV_BY_LINE;
    query.is_inverted = false;
    query.grouping = PV_GROUP_NONE;
    annotation->tree =
        pv_call_tree_build_stacks (input->profile, input->symbols, &query, NULL, job, error);
    pv_query_clear (&query);
    if (annotation->tree == NULL)
        return FALSE;
    const PvSymbolTable *symbols = annotation->tree->symbols;
    g_autofree bool *is_wanted = g_new0 (bool, MAX (symbols->n_functions, 1));
    if (input->function < symbols->n_functions)
        is_wanted[input->function] = true;
    const uint32_t n_ids = list_measures (annotation, input, ids);
    if (n_ids > 0)
        annotation->line_costs =
            pv_line_costs_build (annotation->tree, ids, n_ids, is_wanted, true, job, error);
    if (annotation->line_costs == NULL)
        return FALSE;
    take_wholes (annotation);
    return TRUE;
}

static void
list_files (PvAnnotation *annotation, const PvFunctionLines *function, const char *wanted)
{
    g_autoptr (GPtrArray) files = g_ptr_array_new ();
    const char *shown = function->file;

    for (uint32_t i = 0; i < function->n_lines; i++) {
        const char *file = function->lines[i].file;
        if (file == NULL || *file == '\0')
            continue;
        if (wanted != NULL && g_str_equal (file, wanted))
            shown = file;
        if (files->len == 0 || !g_str_equal (g_ptr_array_index (files, files->len - 1), file))
            g_ptr_array_add (files, (gpointer)file);
    }
    annotation->files = g_new0 (char *, files->len + 1);
    for (guint i = 0; i < files->len; i++) {
        annotation->files[i] = g_strdup (g_ptr_array_index (files, i));
        if (g_strcmp0 (shown, annotation->files[i]) == 0)
            annotation->file = i;
    }
}

static int
compare_heat (const void *a, const void *b, void *user)
{
    const PvAnnotation *annotation = user;
    const PvLineCost *left = annotation->costs[*(const uint32_t *)a];
    const PvLineCost *right = annotation->costs[*(const uint32_t *)b];

    for (int is_self = TRUE; is_self >= FALSE; is_self--) {
        const uint64_t l =
            (uint64_t)ABS (pv_annotation_get_amount (annotation, left->costs, is_self));
        const uint64_t r =
            (uint64_t)ABS (pv_annotation_get_amount (annotation, right->costs, is_self));
        if (l != r)
            return l > r ? -1 : 1;
    }
    return left->line < right->line ? -1 : 1;
}

/* Those of the file that have a line. */
static void
take_costs (PvAnnotation *annotation, const PvFunctionLines *function)
{
    const char *file = annotation->files[annotation->file];

    annotation->costs = g_new (const PvLineCost *, MAX (function->n_lines, 1));
    for (uint32_t i = 0; i < function->n_lines; i++) {
        const PvLineCost *line = &function->lines[i];
        if (line->line == 0 || file == NULL || g_strcmp0 (line->file, file) != 0)
            continue;
        annotation->costs[annotation->n_costs++] = line;
        const int64_t total = pv_annotation_get_amount (annotation, line->costs, FALSE);
        annotation->max_total = MAX (annotation->max_total, (uint64_t)ABS (total));
    }
    annotation->cost_of_rank = g_new (uint32_t, MAX (annotation->n_costs, 1));
    annotation->row_of_cost = g_new (uint32_t, MAX (annotation->n_costs, 1));
    memset (annotation->row_of_cost, 0xff, annotation->n_costs * sizeof (uint32_t));
    for (uint32_t i = 0; i < annotation->n_costs; i++)
        annotation->cost_of_rank[i] = i;
    qsort_r (annotation->cost_of_rank, annotation->n_costs, sizeof (uint32_t), compare_heat,
             annotation);
}

/* Columns */

static void
add_column (PvAnnotation *annotation, PvCostKind kind, uint32_t measure, const char *title)
{
    const uint32_t c = annotation->n_columns++;
    PvCostColumn *column = &annotation->columns[c];

    *column = (PvCostColumn){kind, measure, g_strdup (title), SHARE_CHARS};
    for (uint32_t i = 0; i < annotation->n_costs; i++) {
        g_autofree char *text =
            pv_annotation_format_cell (annotation, annotation->costs[i]->costs, c);
        if (text != NULL)
            column->max_chars = MAX (column->max_chars, (uint32_t)g_utf8_strlen (text, -1));
    }
}

static void
add_columns (PvAnnotation *annotation)
{
    annotation->columns = g_new (PvCostColumn, (size_t)4 * PV_ANNOTATION_MAX_MEASURES);
    for (uint32_t m = 0; m < annotation->n_measures; m++) {
        const char *name = annotation->measures[m].name;
        /* Translators: the cost of a line itself in a measure that stands beside another */
        g_autofree char *self = g_strdup_printf (_ ("%s, self"), name);
        const gboolean is_compared = annotation->measures[m].has_sides && annotation->is_compared;
        if (is_compared) {
            add_column (annotation, PV_COST_SELF, m, m == 0 ? _ ("Self Change") : self);
            add_column (annotation, PV_COST_BASE, m, _ ("Base"));
            add_column (annotation, PV_COST_NEW, m, _ ("New"));
            add_column (annotation, PV_COST_TOTAL, m, m == 0 ? _ ("Change") : name);
        } else {
            add_column (annotation, PV_COST_SELF, m, m == 0 ? _ ("Self") : self);
            add_column (annotation, PV_COST_TOTAL, m, m == 0 ? _ ("Total") : name);
        }
    }
}

/* Inlined bodies */

typedef struct {
    PvAnnotation *annotation;
    const PvAnnotationInput *input;
    GHashTable *files; /* path as recorded, borrowed -> PvSourceFile; NULL: not found */
    uint32_t n_lines;
    uint64_t n_bytes; /* of the files that were read */
    PvJob *job;
} Bodies;

static const char *
get_binary (const PvAnnotationInput *input, PvFunctionId function)
{
    const PvModuleId module =
        function < input->symbols->n_functions ? input->symbols->functions[function].module : 0;

    return module < input->symbols->n_modules ? input->symbols->file_of_module[module] : NULL;
}

static void
free_file (gpointer file)
{
    pv_source_file_free (file);
}

static const PvSourceFile *
find_file (Bodies *bodies, const char *path)
{
    gpointer found;

    if (g_hash_table_lookup_extended (bodies->files, path, NULL, &found))
        return found;
    if (bodies->n_bytes > MAX_BODY_BYTES || pv_job_is_cancelled (bodies->job))
        return NULL;
    found = pv_source_file_find (bodies->input->profile, &bodies->input->options, path,
                                 get_binary (bodies->input, bodies->input->function), NULL);
    g_hash_table_insert (bodies->files, (gpointer)path, found);
    if (found != NULL)
        bodies->n_bytes += ((PvSourceFile *)found)->text->size_bytes;
    return found;
}

/* Bodies are nested as deep as they were inlined, which line-costs.c limits. */
static void
read_bodies (Bodies *bodies, const PvLineCost *line)
{
    for (uint32_t c = 0; c < line->n_calls; c++) {
        for (uint32_t i = 0; i < line->calls[c].n_lines; i++) {
            const PvLineCost *inner = &line->calls[c].lines[i];
            if (bodies->n_lines++ >= MAX_BODY_LINES)
                return;
            const PvSourceFile *file =
                inner->file != NULL && inner->line > 0 ? find_file (bodies, inner->file) : NULL;
            char *text = file != NULL ? pv_source_text_format_line (file->text, inner->line) : NULL;
            if (text != NULL)
                g_hash_table_insert (bodies->annotation->body_source, (gpointer)inner,
                                     g_strstrip (text));
            read_bodies (bodies, inner);
        }
    }
}

static void
fill_bodies (PvAnnotation *annotation, const PvAnnotationInput *input, PvJob *job)
{
    Bodies bodies = {
        .annotation = annotation,
        .input = input,
        .files = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, free_file),
        .job = job,
    };

    for (uint32_t i = 0; i < annotation->n_costs; i++)
        read_bodies (&bodies, annotation->costs[annotation->cost_of_rank[i]]);
    g_hash_table_unref (bodies.files);
}

/* Text */

static void
append_line (GString *out, const char *line, size_t size_bytes)
{
    size_t n = MIN (size_bytes, (size_t)MAX_LINE_BYTES);

    while (n < size_bytes && n > 0 && ((guchar)line[n] & 0xc0) == 0x80)
        n--;
    for (const char *p = line; p < line + n; p = g_utf8_next_char (p)) {
        gunichar letter = g_utf8_get_char (p);
        /* Others would end a row, or show as boxes. */
        if (letter == '\t' || !(g_unichar_iscntrl (letter) || letter == 0x2028 || letter == 0x2029))
            g_string_append_unichar (out, letter);
        else
            g_string_append_c (out, ' ');
    }
    if (n < size_bytes)
        g_string_append (out, "…");
    g_string_append_c (out, '\n');
}

static void
set_rows (PvAnnotation *annotation, uint32_t n_rows)
{
    annotation->n_rows = n_rows;
    annotation->cost_of_row = g_new (uint32_t, MAX (n_rows, 1));
    memset (annotation->cost_of_row, 0xff, n_rows * sizeof (uint32_t));
}

static void
drop_last_newline (GString *text)
{
    if (text->len > 0)
        g_string_truncate (text, text->len - 1);
}

/* The file, or what of it is around the hottest line. */
static void
show_source (PvAnnotation *annotation, const PvSourceText *source)
{
    const uint32_t hottest =
        annotation->n_costs > 0 ? annotation->costs[annotation->cost_of_rank[0]]->line : 1;
    const uint32_t last =
        annotation->n_costs > 0
            ? MAX (source->n_lines, annotation->costs[annotation->n_costs - 1]->line)
            : source->n_lines;
    GString *text = g_string_new (NULL);

    annotation->first_line = 1;
    if (last > MAX_ROWS && hottest > MAX_ROWS / 2)
        annotation->first_line = hottest - MAX_ROWS / 2;
    set_rows (annotation, MIN (last - annotation->first_line + 1, MAX_ROWS));
    for (uint32_t row = 0; row < annotation->n_rows; row++) {
        size_t size_bytes;
        const char *line =
            pv_source_text_get_line (source, annotation->first_line + row, &size_bytes);
        append_line (text, line != NULL ? line : "", size_bytes);
    }
    drop_last_newline (text);
    annotation->text = g_string_free (text, FALSE);
    for (uint32_t i = 0; i < annotation->n_costs; i++) {
        uint32_t row = annotation->costs[i]->line - annotation->first_line;
        if (annotation->costs[i]->line < annotation->first_line || row >= annotation->n_rows)
            continue;
        annotation->cost_of_row[row] = i;
        annotation->row_of_cost[i] = row;
    }
}

static void
show_costs (PvAnnotation *annotation)
{
    GString *text = g_string_new (NULL);

    set_rows (annotation, MIN (annotation->n_costs, MAX_ROWS));
    for (uint32_t row = 0; row < annotation->n_rows; row++) {
        g_string_append_c (text, '\n');
        annotation->cost_of_row[row] = row;
        annotation->row_of_cost[row] = row;
    }
    drop_last_newline (text);
    annotation->text = g_string_free (text, FALSE);
}

/* Keeps those that have a row. */
static void
keep_shown_ranks (PvAnnotation *annotation)
{
    for (uint32_t i = 0; i < annotation->n_costs; i++)
        if (annotation->row_of_cost[annotation->cost_of_rank[i]] != UINT32_MAX)
            annotation->cost_of_rank[annotation->n_ranks++] = annotation->cost_of_rank[i];
}

static void
fill (PvAnnotation *annotation, const PvAnnotationInput *input, const PvFunctionLines *function,
      PvJob *job)
{
    g_autoptr (PvSourceFile) source = NULL;

    list_files (annotation, function, input->file);
    take_costs (annotation, function);
    add_columns (annotation);
    fill_bodies (annotation, input, job);
    if (annotation->files[annotation->file] != NULL)
        source = pv_source_file_find (input->profile, &input->options,
                                      annotation->files[annotation->file],
                                      get_binary (input, input->function), NULL);
    if (source == NULL) {
        show_costs (annotation);
    } else {
        annotation->path = g_strdup (source->path);
        annotation->is_newer = source->is_newer;
        show_source (annotation, source->text);
    }
    keep_shown_ranks (annotation);
}

gpointer
pv_annotation_build (gpointer data, PvJob *job, GError **error)
{
    const PvAnnotationInput *input = data;
    PvAnnotation *annotation = g_new0 (PvAnnotation, 1);
    static const PvFunctionLines nothing;

    annotation->ref_count = 1;
    annotation->function = input->function;
    annotation->is_compared = input->profile->compared != NULL;
    annotation->body_source = g_hash_table_new_full (NULL, NULL, NULL, g_free);
    annotation->name = g_strdup (input->symbols->functions[input->function].name);
    annotation->label = g_strdup (input->symbols->functions[input->function].label);
    if (!find_costs (input, annotation, job, error)) {
        pv_annotation_unref (annotation);
        return NULL;
    }
    fill (annotation, input,
          annotation->line_costs->n_functions > 0 ? &annotation->line_costs->functions[0]
                                                  : &nothing,
          job);
    return annotation;
}

/* Rows */

uint32_t
pv_annotation_get_line (const PvAnnotation *annotation, uint32_t row)
{
    g_assert (annotation != NULL && row < annotation->n_rows);
    return annotation->path != NULL ? annotation->first_line + row
                                    : annotation->costs[annotation->cost_of_row[row]]->line;
}

const PvLineCost *
pv_annotation_get_cost (const PvAnnotation *annotation, uint32_t row)
{
    g_assert (annotation != NULL && row < annotation->n_rows);
    const uint32_t cost = annotation->cost_of_row[row];

    return cost != PV_NO_COST ? annotation->costs[cost] : NULL;
}

/* Words */

static char *
describe_change (const PvAnnotationMeasure *measure, const PvCost *costs)
{
    const int64_t self_amount = get_amount (measure, costs, TRUE);
    const int64_t total_amount = get_amount (measure, costs, FALSE);
    g_autofree char *self = pv_format_signed_amount (self_amount, measure->unit);
    g_autofree char *total = pv_format_signed_amount (total_amount, measure->unit);
    g_autofree char *base = pv_format_amount (costs[PV_SIDE_BASE].total, measure->unit);
    g_autofree char *new = pv_format_amount (costs[PV_SIDE_NEW].total, measure->unit);

    /* Translators: how amounts changed; the second one was "from" and is "to" now */
    return g_strdup_printf (_ ("self %s, total %s (from %s to %s)"), self, total, base, new);
}

static char *
describe_amounts (const PvAnnotationMeasure *measure, const PvCost *costs)
{
    g_autofree char *self = pv_format_amount (costs->self, measure->unit);
    g_autofree char *total = pv_format_amount (costs->total, measure->unit);
    g_autofree char *self_share = pv_format_percent ((double)costs->self, (double)measure->whole);
    g_autofree char *total_share = pv_format_percent ((double)costs->total, (double)measure->whole);

    /* Translators: amounts, each with its share of everything */
    return g_strdup_printf (_ ("self %s (%s), total %s (%s)"), self, self_share, total,
                            total_share);
}

char *
pv_annotation_describe_costs (const PvAnnotation *annotation, const PvCost *costs)
{
    const PvCost *own;
    GString *text = g_string_new (NULL);

    g_assert (annotation != NULL && costs != NULL);
    for (uint32_t m = 0; m < annotation->n_measures; m++) {
        const PvAnnotationMeasure *measure = get_measure (annotation, costs, m, &own);
        g_autofree char *amounts =
            measure->has_sides ? describe_change (measure, own) : describe_amounts (measure, own);
        if (m > 0)
            g_string_append_printf (text, " · %s ", measure->name);
        g_string_append (text, amounts);
    }
    return g_string_free (text, FALSE);
}

char *
pv_annotation_describe_row (const PvAnnotation *annotation, uint32_t row)
{
    g_assert (annotation != NULL && row < annotation->n_rows);
    const uint32_t line = pv_annotation_get_line (annotation, row);
    const PvLineCost *cost = pv_annotation_get_cost (annotation, row);

    if (cost == NULL)
        return g_strdup_printf (_ ("Line %u"), line);
    g_autofree char *costs = pv_annotation_describe_costs (annotation, cost->costs);
    /* Translators: a line and what it costs: “self 3 ms (1.2 %), total …” */
    return g_strdup_printf (_ ("Line %u: %s"), line, costs);
}
