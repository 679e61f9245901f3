/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/code/annotation.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "core/symbolize/files/source-files.h"

/* More would hold the main loop for too long while the text is put into the view. */
enum { MAX_ROWS = 10000, MAX_LINE_BYTES = 1000 };

void
pv_annotation_input_free (gpointer data)
{
    PvAnnotationInput *input = data;

    pv_free_later (input->profile, (GDestroyNotify)pv_profile_free);
    pv_free_later (input->symbols, (GDestroyNotify)pv_symbol_table_free);
    pv_query_clear (&input->query);
    pv_symbol_options_clear (&input->options);
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

/* Costs */

static PvLineCosts *
find_costs (const PvAnnotationInput *input, PvAnnotation *annotation, PvJob *job, GError **error)
{
    PvLineCosts *costs = NULL;
    PvQuery query;

    pv_query_copy_active (&query, &input->query);
    query.granularity = PV_BY_LINE;
    query.is_inverted = false;
    query.grouping = PV_GROUP_NONE;
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build_stacks (input->profile, input->symbols, &query, NULL, job, error);
    pv_query_clear (&query);
    if (tree == NULL)
        return NULL;
    g_autofree bool *is_wanted = g_new0 (bool, MAX (tree->symbols->n_functions, 1));
    if (input->function < tree->symbols->n_functions)
        is_wanted[input->function] = true;
    costs = pv_line_costs_build (tree, is_wanted, job);
    annotation->whole = tree->total[0];
    return costs;
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
    const PvLineCost *costs = user;
    const PvLineCost *left = &costs[*(const uint32_t *)a], *right = &costs[*(const uint32_t *)b];

    if (left->self != right->self)
        return left->self > right->self ? -1 : 1;
    if (left->total != right->total)
        return left->total > right->total ? -1 : 1;
    return left->line < right->line ? -1 : 1;
}

/* Those of the file that have a line. */
static void
take_costs (PvAnnotation *annotation, const PvFunctionLines *function)
{
    const char *file = annotation->files[annotation->file];

    annotation->costs = g_new (PvLineCost, MAX (function->n_lines, 1));
    for (uint32_t i = 0; i < function->n_lines; i++) {
        const PvLineCost *line = &function->lines[i];
        if (line->line == 0 || file == NULL || g_strcmp0 (line->file, file) != 0)
            continue;
        annotation->costs[annotation->n_costs] = *line;
        annotation->costs[annotation->n_costs++].file = NULL; /* it does not live as long */
        annotation->max_total = MAX (annotation->max_total, line->total);
    }
    annotation->cost_of_rank = g_new (uint32_t, MAX (annotation->n_costs, 1));
    annotation->row_of_cost = g_new0 (uint32_t, MAX (annotation->n_costs, 1));
    for (uint32_t i = 0; i < annotation->n_costs; i++)
        annotation->cost_of_rank[i] = i;
    qsort_r (annotation->cost_of_rank, annotation->n_costs, sizeof (uint32_t), compare_heat,
             annotation->costs);
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
        annotation->n_costs > 0 ? annotation->costs[annotation->cost_of_rank[0]].line : 1;
    const uint32_t last =
        annotation->n_costs > 0
            ? MAX (source->n_lines, annotation->costs[annotation->n_costs - 1].line)
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
        uint32_t row = annotation->costs[i].line - annotation->first_line;
        if (annotation->costs[i].line < annotation->first_line || row >= annotation->n_rows)
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

static void
fill (PvAnnotation *annotation, const PvAnnotationInput *input, const PvFunctionLines *function)
{
    PvModuleId module = input->symbols->functions[function->function].module;
    const char *binary =
        module < input->symbols->n_modules ? input->symbols->file_of_module[module] : NULL;
    g_autoptr (PvSourceFile) source = NULL;

    annotation->self = function->self;
    annotation->total = function->total;
    list_files (annotation, function, input->file);
    take_costs (annotation, function);
    if (annotation->files[annotation->file] != NULL)
        source = pv_source_file_find (input->profile, &input->options,
                                      annotation->files[annotation->file], binary, NULL);
    if (source == NULL) {
        show_costs (annotation);
        return;
    }
    annotation->path = g_strdup (source->path);
    annotation->is_newer = source->is_newer;
    show_source (annotation, source->text);
}

gpointer
pv_annotation_build (gpointer data, PvJob *job, GError **error)
{
    const PvAnnotationInput *input = data;
    PvAnnotation *annotation = g_new0 (PvAnnotation, 1);
    static const PvFunctionLines nothing;

    annotation->ref_count = 1;
    annotation->function = input->function;
    annotation->unit = input->query.measure < input->profile->n_measures
                           ? input->profile->measures[input->query.measure].unit
                           : PV_UNIT_COUNT;
    annotation->name = g_strdup (input->symbols->functions[input->function].name);
    annotation->label = g_strdup (input->symbols->functions[input->function].label);
    g_autoptr (PvLineCosts) costs = find_costs (input, annotation, job, error);
    if (costs == NULL) {
        pv_annotation_unref (annotation);
        return NULL;
    }
    fill (annotation, input, costs->n_functions > 0 ? &costs->functions[0] : &nothing);
    return annotation;
}

/* Rows */

uint32_t
pv_annotation_get_line (const PvAnnotation *annotation, uint32_t row)
{
    g_assert (annotation != NULL && row < annotation->n_rows);
    return annotation->path != NULL ? annotation->first_line + row
                                    : annotation->costs[annotation->cost_of_row[row]].line;
}

char *
pv_annotation_describe_row (const PvAnnotation *annotation, uint32_t row)
{
    g_assert (annotation != NULL && row < annotation->n_rows);
    const uint32_t line = pv_annotation_get_line (annotation, row);
    const uint32_t cost = annotation->cost_of_row[row];

    if (cost == PV_NO_COST)
        return g_strdup_printf (_ ("Line %u"), line);
    const PvLineCost *found = &annotation->costs[cost];
    g_autofree char *self = pv_format_amount (found->self, annotation->unit);
    g_autofree char *total = pv_format_amount (found->total, annotation->unit);
    g_autofree char *self_share = pv_format_percent (found->self, annotation->whole);
    g_autofree char *total_share = pv_format_percent (found->total, annotation->whole);
    /* Translators: amounts, each with its share of everything */
    return g_strdup_printf (_ ("Line %u: self %s (%s), total %s (%s)"), line, self, self_share,
                            total, total_share);
}
