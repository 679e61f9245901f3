/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/code/annotation.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "app/code/code-addresses.h"
#include "core/analyze/code/hottest.h"
#include "core/base/ref.h"
#include "core/symbolize/files/source-files.h"

/* More would hold the main loop for too long while the text is put into the view. */
enum { MAX_ROWS = 10000, MAX_LINE_BYTES = 1000 };
enum {
    MAX_BODY_LINES = 2000,      /* of inlined bodies, with their source */
    MAX_BODY_BYTES = 128 << 20, /* of their files, in total */
};

void
pv_annotation_input_free (gpointer data)
{
    PvAnnotationInput *input = data;

    pv_free_later (input->tree, (GDestroyNotify)pv_call_tree_free);
    pv_symbol_options_clear (&input->options);
    g_strfreev (input->measures);
    g_free (input->file);
    g_free (input);
}

PV_DEFINE_REF (pv_annotation_ref, PvAnnotation, PvAnnotation)

void
pv_annotation_unref (gpointer data)
{
    PvAnnotation *annotation = data;

    if (!pv_ref_was_last (annotation))
        return;
    pv_cost_columns_clear (&annotation->columns);
    g_clear_pointer (&annotation->body_source, g_hash_table_unref);
    pv_line_costs_free (annotation->line_costs);
    pv_free_later (annotation->tree, (GDestroyNotify)pv_call_tree_free);
    g_free (annotation->name);
    g_free (annotation->label);
    g_strfreev (annotation->files);
    g_free (annotation->path);
    g_free (annotation->no_lines);
    g_clear_pointer (&annotation->source, pv_source_text_unref);
    g_free (annotation->text);
    g_free (annotation->cost_of_row);
    g_free (annotation->costs);
    g_free (annotation->all_costs);
    g_free (annotation->is_of_function);
    g_free (annotation->row_of_cost);
    g_free (annotation->cost_of_rank);
    g_free (annotation);
}

/* Costs */

static gboolean
build_tree (const PvAnnotationInput *input, PvAnnotation *annotation, PvJob *job, GError **error)
{
    PvQuery query;

    pv_query_copy_active (&query, &input->tree->query);
    query.granularity = PV_BY_LINE;
    query.is_inverted = false;
    query.grouping = PV_GROUP_NONE;
    annotation->tree = pv_call_tree_build_stacks (input->tree->profile, input->tree->symbols,
                                                  &query, NULL, job, error);
    pv_query_clear (&query);
    return annotation->tree != NULL;
}

static gboolean
find_function (const PvAnnotationInput *input, PvAnnotation *annotation, PvJob *job)
{
    PvHottest hottest = {0};

    annotation->function = input->function;
    annotation->is_chosen = input->function != 0;
    if (annotation->is_chosen)
        return TRUE;
    if (!pv_hottest_find (annotation->tree, &hottest, job))
        return FALSE;
    annotation->function = hottest.function;
    annotation->is_own = hottest.is_own;
    return hottest.function != 0;
}

/* False if cancelled, or with an error. */
static gboolean
find_costs (const PvAnnotationInput *input, PvAnnotation *annotation, PvJob *job, GError **error)
{
    PvCostColumns *columns = &annotation->columns;
    const PvSymbolTable *symbols = annotation->tree->symbols;
    g_autofree bool *is_wanted = g_new0 (bool, MAX (symbols->n_functions, 1));

    if (annotation->function < symbols->n_functions)
        is_wanted[annotation->function] = true;
    pv_cost_columns_init (columns, input->tree->profile, input->tree->query.measure,
                          (const char *const *)input->measures);
    if (columns->n_ids > 0)
        annotation->line_costs =
            pv_line_costs_build (annotation->tree, columns->ids, columns->n_ids, is_wanted,
                                 PV_LINES_WITH_CALLS | PV_LINES_OF_FILES, job, error);
    if (annotation->line_costs == NULL)
        return FALSE;
    pv_cost_columns_add (columns, annotation->line_costs);
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

    return pv_cost_columns_compare_heat (&annotation->columns,
                                         annotation->costs[*(const uint32_t *)a],
                                         annotation->costs[*(const uint32_t *)b]);
}

static const PvFileLines no_lines;

static const PvFileLines *
find_file_lines (const PvAnnotation *annotation, const char *file)
{
    for (uint32_t i = 0; i < annotation->line_costs->n_files; i++)
        if (g_str_equal (annotation->line_costs->files[i].file, file))
            return &annotation->line_costs->files[i];
    return &no_lines;
}

/* of_function: the line's cost in the function; NULL: it is a line of others. */
static void
take_cost (PvAnnotation *annotation, const PvLineCost *of_function, const PvLineCost *of_all)
{
    const uint32_t n = annotation->n_costs++;
    const PvLineCost *line = of_function != NULL ? of_function : of_all;
    const int64_t total = pv_cost_columns_get_amount (&annotation->columns, line->costs, 0, false);

    annotation->costs[n] = line;
    annotation->all_costs[n] = of_all != line ? of_all : NULL;
    annotation->is_of_function[n] = of_function != NULL;
    pv_cost_columns_fit (&annotation->columns, line->costs);
    annotation->max_total = MAX (annotation->max_total, (uint64_t)ABS (total));
}

/* Takes the costs that have a line in the shown file. Both lists are by line. */
static void
take_costs (PvAnnotation *annotation, const PvFunctionLines *function, gboolean with_others)
{
    const char *file = annotation->files[annotation->file];
    const PvFileLines *all =
        file != NULL && with_others ? find_file_lines (annotation, file) : &no_lines;
    const size_t most = MAX ((size_t)function->n_lines + all->n_lines, 1);
    uint32_t a = 0;

    annotation->costs = g_new (const PvLineCost *, most);
    annotation->all_costs = g_new (const PvLineCost *, most);
    annotation->is_of_function = g_new (gboolean, most);
    for (uint32_t i = 0; i < function->n_lines; i++) {
        const PvLineCost *line = &function->lines[i];
        if (line->line == 0 || file == NULL || g_strcmp0 (line->file, file) != 0)
            continue;
        for (; a < all->n_lines && all->lines[a].line < line->line; a++)
            take_cost (annotation, NULL, &all->lines[a]);
        const gboolean is_shared = a < all->n_lines && all->lines[a].line == line->line;
        take_cost (annotation, line, is_shared ? &all->lines[a++] : NULL);
    }
    for (; annotation->n_costs > 0 && a < all->n_lines; a++)
        take_cost (annotation, NULL, &all->lines[a]);
}

static void
rank_costs (PvAnnotation *annotation)
{
    annotation->cost_of_rank = g_new (uint32_t, MAX (annotation->n_costs, 1));
    annotation->row_of_cost = g_new (uint32_t, MAX (annotation->n_costs, 1));
    memset (annotation->row_of_cost, 0xff, annotation->n_costs * sizeof (uint32_t));
    for (uint32_t i = 0; i < annotation->n_costs; i++)
        if (annotation->is_of_function[i])
            annotation->cost_of_rank[annotation->n_ranks++] = i;
    qsort_r (annotation->cost_of_rank, annotation->n_ranks, sizeof (uint32_t), compare_heat,
             annotation);
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

/* Module of a function; UINT32_MAX: none. */
static PvModuleId
find_module (const PvSymbolTable *symbols, PvFunctionId function, const char **ret_binary)
{
    const PvModuleId module =
        function < symbols->n_functions ? symbols->functions[function].module : UINT32_MAX;

    *ret_binary = module < symbols->n_modules ? symbols->file_of_module[module] : NULL;
    return module;
}

PvModuleId
pv_annotation_get_module (const PvAnnotation *annotation, const char **ret_binary)
{
    g_assert (annotation != NULL && ret_binary != NULL);
    return find_module (annotation->tree->symbols, annotation->function, ret_binary);
}

static PvSourceFile *
find_source (const PvAnnotationInput *input, PvFunctionId function, const char *path)
{
    const char *binary;
    const PvModuleId module = find_module (input->tree->symbols, function, &binary);

    return pv_source_file_find_of_module (input->tree->profile, &input->options, path, module,
                                          binary, NULL);
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
    found = find_source (bodies->input, bodies->annotation->function, path);
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

    for (uint32_t i = 0; i < annotation->n_ranks; i++)
        read_bodies (&bodies, annotation->costs[annotation->cost_of_rank[i]]);
    for (uint32_t i = 0; i < annotation->n_costs; i++)
        if (!annotation->is_of_function[i])
            read_bodies (&bodies, annotation->costs[i]);
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
        /* Other control characters would end a row, or show as boxes. */
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

/* Shows the file, or the part of a long one around the hottest line. */
static void
show_source (PvAnnotation *annotation, const PvSourceText *source)
{
    const uint32_t hottest =
        annotation->n_ranks > 0 ? annotation->costs[annotation->cost_of_rank[0]]->line : 1;
    const uint32_t last =
        annotation->n_costs > 0
            ? MAX (source->n_lines, annotation->costs[annotation->n_costs - 1]->line)
            : source->n_lines;
    GString *text = g_string_new (NULL);

    annotation->first_line = 1;
    annotation->n_lines = last;
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

/* Ranks only costs that have a row. */
static void
keep_shown_ranks (PvAnnotation *annotation)
{
    const uint32_t n = annotation->n_ranks;

    annotation->n_ranks = 0;
    for (uint32_t i = 0; i < n; i++)
        if (annotation->row_of_cost[annotation->cost_of_rank[i]] != UINT32_MAX)
            annotation->cost_of_rank[annotation->n_ranks++] = annotation->cost_of_rank[i];
}

static void
fill (PvAnnotation *annotation, const PvAnnotationInput *input, const PvFunctionLines *function,
      PvJob *job)
{
    g_autoptr (PvSourceFile) source = NULL;

    list_files (annotation, function, input->file);
    const char *file = annotation->files[annotation->file];
    if (file != NULL)
        source = find_source (input, annotation->function, file);
    take_costs (annotation, function, source != NULL);
    rank_costs (annotation);
    fill_bodies (annotation, input, job);
    if (source == NULL) {
        const char *binary;
        const PvModuleId module = pv_annotation_get_module (annotation, &binary);
        annotation->can_fetch =
            file != NULL && pv_source_file_can_fetch (input->tree->profile, file, module, binary);
        annotation->has_code = pv_code_find_module (input->tree->profile, input->tree->symbols,
                                                    annotation->function) != 0;
        show_costs (annotation);
    } else {
        annotation->path = g_strdup (source->path);
        annotation->is_newer = source->is_newer;
        annotation->is_fetched = source->is_fetched;
        annotation->source = pv_source_text_ref (source->text);
        show_source (annotation, source->text);
    }
    keep_shown_ranks (annotation);
}

/* For the user: why a function has no lines; NULL: it has no machine code either. */
static char *
explain_no_lines (const PvAnnotationInput *input, PvFunctionId function)
{
    const PvModuleId module =
        pv_code_find_module (input->tree->profile, input->tree->symbols, function);

    if (module == 0)
        return NULL;
    if (input->tree->profile->modules[module].kind == PV_MODULE_JIT)
        return g_strdup (_ ("Generated at run time, without line information"));
    if (input->tree->profile->modules[module].kind == PV_MODULE_KERNEL)
        return g_strdup (_ ("No line information: install the kernel's debug symbols"));
    /* Translators: the name of a program or library */
    return g_strdup_printf (
        _ ("No line information in %s: build it with -g, or install its debug symbols"),
        input->tree->profile->modules[module].name);
}

gpointer
pv_annotation_build (gpointer data, PvJob *job, GError **error)
{
    const PvAnnotationInput *input = data;
    PvAnnotation *annotation = g_new0 (PvAnnotation, 1);
    static const PvFunctionLines nothing;

    annotation->ref_count = 1;
    annotation->body_source = g_hash_table_new_full (NULL, NULL, NULL, g_free);
    if (!build_tree (input, annotation, job, error) || !find_function (input, annotation, job) ||
        !find_costs (input, annotation, job, error)) {
        pv_annotation_unref (annotation);
        return NULL;
    }
    const PvFunction *row = &(annotation->is_chosen ? input->tree : annotation->tree)
                                 ->symbols->functions[annotation->function];
    annotation->name = g_strdup (row->name);
    annotation->label = g_strdup (row->label);
    fill (annotation, input,
          annotation->line_costs->n_functions > 0 ? &annotation->line_costs->functions[0]
                                                  : &nothing,
          job);
    if (annotation->n_costs == 0 && annotation->line_costs->n_functions > 0)
        annotation->no_lines = explain_no_lines (input, annotation->function);
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

gboolean
pv_annotation_is_of_function (const PvAnnotation *annotation, uint32_t row)
{
    g_assert (annotation != NULL && row < annotation->n_rows);
    const uint32_t cost = annotation->cost_of_row[row];

    return cost != PV_NO_COST && annotation->is_of_function[cost];
}

PvFunctionId
pv_annotation_get_function (const PvAnnotation *annotation, uint32_t row)
{
    const PvLineCost *cost = pv_annotation_get_cost (annotation, row);

    return cost != NULL ? cost->function : 0;
}

/* Debug information */

gboolean
pv_annotation_lacks_debug_info (const PvAnnotation *annotation)
{
    g_assert (annotation != NULL);
    const PvSymbolTable *symbols = annotation->tree->symbols;
    const char *binary;
    const PvModuleId id = pv_annotation_get_module (annotation, &binary);

    if (id == 0 || id >= MIN (symbols->n_modules, annotation->tree->profile->n_modules))
        return FALSE;
    const PvModule *module = &annotation->tree->profile->modules[id];
    return (module->kind == PV_MODULE_FILE || module->kind == PV_MODULE_KERNEL ||
            module->kind == PV_MODULE_KERNEL_MODULE) &&
           module->address_kind != PV_ADDRESS_ORDINAL &&
           symbols->symbols_of_module[id] != PV_MODULE_SYMBOLS_FULL &&
           symbols->symbols_of_module[id] != PV_MODULE_SYMBOLS_PENDING;
}

/* True if lines of the function are known, whatever is filtered. */
static gboolean
has_lines (const PvAnnotation *annotation)
{
    const PvSymbolTable *symbols = annotation->tree->symbols;

    for (PvLocationId l = 0; l < symbols->n_locations; l++) {
        uint32_t n_frames;
        const PvFrame *frames = pv_symbol_table_frames (symbols, l, &n_frames);
        for (uint32_t i = 0; i < n_frames; i++)
            if (frames[i].function == annotation->function && frames[i].line > 0)
                return TRUE;
    }
    return FALSE;
}

char *
pv_annotation_explain_nothing (const PvAnnotation *annotation)
{
    g_assert (annotation != NULL);
    const PvCallTree *tree = annotation->tree;
    const char *binary;
    const PvModuleId id = pv_annotation_get_module (annotation, &binary);

    if (has_lines (annotation))
        /* Translators: a function */
        return g_strdup_printf (_ ("With these filters and this measure, nothing of %s is left."),
                                annotation->label);
    if (pv_annotation_lacks_debug_info (annotation) &&
        tree->symbols->symbols_of_module[id] == PV_MODULE_SYMBOLS_MISSING)
        /* Translators: a function, the name of a program or library */
        return g_strdup_printf (_ ("There is no line information for %s: %s was not found."),
                                annotation->label, tree->profile->modules[id].name);
    /* Translators: a function */
    return g_strdup_printf (_ ("There is no line information for %s."), annotation->label);
}

/* Words */

static char *
describe_file (const PvAnnotation *annotation)
{
    if (annotation->no_lines != NULL)
        return g_strdup (annotation->no_lines);
    if (annotation->path == NULL)
        /* Translators: a source file */
        return g_strdup_printf (_ ("%s was not found"), annotation->files[annotation->file]);
    if (annotation->is_fetched)
        return g_strdup_printf (_ ("%s, from a debuginfod server"),
                                annotation->files[annotation->file]);
    return g_strdup (annotation->path);
}

char *
pv_annotation_describe_path (const PvAnnotation *annotation)
{
    g_assert (annotation != NULL);
    char *file = describe_file (annotation);
    if (annotation->path == NULL || annotation->n_rows >= annotation->n_lines)
        return file;
    /* Translators: a source file, and the numbers of the shown lines and of all */
    char *text =
        /* Translators: a file, its lines that are shown, and how many it has */
        g_strdup_printf (_ ("%s, lines %u to %u of %u"), file, annotation->first_line,
                         annotation->first_line + annotation->n_rows - 1, annotation->n_lines);
    g_free (file);
    return text;
}

static char *
describe_change (const PvCostColumns *columns, const PvCost *all, uint32_t m)
{
    const PvUnit unit = columns->measures[m].unit;
    const PvCost *costs = pv_cost_columns_get_costs (columns, all, m);
    const int64_t self_amount = pv_cost_columns_get_amount (columns, all, m, true);
    const int64_t total_amount = pv_cost_columns_get_amount (columns, all, m, false);
    g_autofree char *self = pv_format_signed_amount (self_amount, unit);
    g_autofree char *total = pv_format_signed_amount (total_amount, unit);
    g_autofree char *base = pv_format_amount (costs[PV_SIDE_BASE].total, unit);
    g_autofree char *new = pv_format_amount (costs[PV_SIDE_NEW].total, unit);

    /* Translators: how amounts changed; the second one was "from" and is "to" now */
    return g_strdup_printf (_ ("self %s, total %s (from %s to %s)"), self, total, base, new);
}

static char *
describe_amounts (const PvCostColumns *columns, const PvCost *all, uint32_t m)
{
    const PvCostMeasure *measure = &columns->measures[m];
    const PvCost *costs = pv_cost_columns_get_costs (columns, all, m);
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
    const PvCostColumns *columns = &annotation->columns;
    GString *text = g_string_new (NULL);

    g_assert (costs != NULL);
    for (uint32_t m = 0; m < columns->n_measures; m++) {
        g_autofree char *amounts = columns->measures[m].has_sides
                                       ? describe_change (columns, costs, m)
                                       : describe_amounts (columns, costs, m);
        if (m > 0)
            g_string_append_printf (text, " · %s ", columns->measures[m].name);
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
    if (!pv_annotation_is_of_function (annotation, row) && cost->function != 0)
        /* Translators: a line, the function that it is of, and what it costs */
        return g_strdup_printf (_ ("Line %u of %s: %s"), line,
                                annotation->tree->symbols->functions[cost->function].label, costs);
    if (!pv_annotation_is_of_function (annotation, row))
        /* Translators: a line and what it costs: “self 3 ms (1.2 %), total …” */
        return g_strdup_printf (_ ("Line %u of several functions: %s"), line, costs);
    const PvLineCost *all = annotation->all_costs[annotation->cost_of_row[row]];
    if (all != NULL && all->function == 0) {
        g_autofree char *of_all = pv_annotation_describe_costs (annotation, all->costs);
        /* Translators: a line and what it costs, in the function and in all that it is a line of */
        return g_strdup_printf (_ ("Line %u: %s · in all functions: %s"), line, costs, of_all);
    }
    /* Translators: a line and what it costs: “self 3 ms (1.2 %), total …” */
    return g_strdup_printf (_ ("Line %u: %s"), line, costs);
}
