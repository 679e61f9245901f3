/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/machine/machine-rows.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/ref.h"
#include "core/model/profile/event-names.h"
#include "core/symbolize/files/source-files.h"

/* Jumps over more than MAX_NESTED_ROWS rows share the outermost lane, and so do all longer jumps
 * once placing them has taken MAX_STEPS. */
enum { MAX_PLACES = 64, MAX_FILES = 200, MAX_NESTED_ROWS = 20000, MAX_STEPS = 30 << 20 };

/* A line of source, as a key. */
typedef struct {
    const char *file;
    uint32_t line;
} Line;

typedef struct {
    uint32_t first, last; /* rows */
    uint32_t from;
    bool is_loop;
} Jump;

typedef PV_ARRAY (PvMachineRow) RowArray;
typedef PV_ARRAY (Jump) JumpArray;

void
pv_machine_input_free (gpointer data)
{
    PvMachineInput *input = data;

    pv_free_later (input->tree, (GDestroyNotify)pv_call_tree_free);
    pv_free_later (input->files, (GDestroyNotify)pv_code_files_unref);
    pv_symbol_options_clear (&input->options);
    g_free (input);
}

void
pv_machine_rows_unref (gpointer data)
{
    PvMachineRows *rows = data;

    if (!pv_ref_was_last (rows))
        return;
    pv_code_costs_free (rows->own_costs);
    pv_code_sides_free (rows->sides);
    pv_profile_free (rows->profile);
    pv_symbol_table_free (rows->symbols);
    g_clear_pointer (&rows->sources, g_hash_table_unref);
    g_free (rows->problem);
    g_free (rows->label);
    g_free (rows->rows);
    g_free (rows->row_of_instruction);
    g_free (rows->by_self);
    g_free (rows->by_total);
    g_clear_pointer (&rows->group_of_line, g_hash_table_unref);
    g_free (rows->first_of_group);
    g_free (rows->row_of_group);
    g_free (rows);
}

/* --- rows --- */

/* True if the instruction begins code of another line than the one before it. */
static bool
begins_line (const PvMachineCode *code, const PvCodePart *part, uint32_t i)
{
    const PvInstructionLines *lines = &code->lines[code->instructions[i].lines];
    return lines->n_frames > 0 && lines->frames[0].file != NULL &&
           (i == part->first || code->instructions[i - 1].lines != code->instructions[i].lines);
}

static const PvCodeCosts *
get_costs (const PvMachineRows *rows, bool is_base)
{
    return is_base ? rows->base : rows->costs;
}

/* Index in row_of_instruction. */
static uint32_t
get_place_of_instruction (const PvMachineRows *rows, bool is_base, uint32_t instruction)
{
    return is_base ? rows->costs->code->n_instructions + instruction : instruction;
}

static const char *
get_place_name (const PvCodeCosts *costs, uint32_t part)
{
    return costs->places->places[costs->code->parts[part].place].name;
}

/* True if the names of symbols are shown, as there are several. */
static bool
has_place_names (const PvMachineRows *rows)
{
    const uint32_t n_parts = rows->costs->code->n_parts;
    if (rows->base == NULL)
        return n_parts > 1;
    return n_parts != 1 || rows->base->code->n_parts != 1 ||
           strcmp (get_place_name (rows->costs, 0), get_place_name (rows->base, 0)) != 0;
}

static void
add_part (PvMachineRows *rows, RowArray *added, bool is_base, uint32_t p, bool has_name)
{
    const PvMachineCode *code = get_costs (rows, is_base)->code;
    const PvCodePart *part = &code->parts[p];
    if (has_name || part->problem != NULL)
        pv_array_push (
            added, ((PvMachineRow){.index = p, .is_base = is_base, .kind = PV_MACHINE_ROW_PLACE}));
    for (uint32_t i = part->first; i < part->first + part->n_instructions; i++) {
        if (begins_line (code, part, i))
            pv_array_push (
                added,
                ((PvMachineRow){.index = i, .is_base = is_base, .kind = PV_MACHINE_ROW_LINE}));
        rows->row_of_instruction[get_place_of_instruction (rows, is_base, i)] =
            (uint32_t)added->len;
        pv_array_push (
            added,
            ((PvMachineRow){.index = i, .is_base = is_base, .kind = PV_MACHINE_ROW_INSTRUCTION}));
    }
}

static void
add_rows (PvMachineRows *rows)
{
    RowArray added = {0};
    const bool has_names = has_place_names (rows);
    const uint32_t n_base = rows->base != NULL ? rows->base->code->n_instructions : 0;

    rows->row_of_instruction =
        g_new (uint32_t, MAX ((size_t)rows->costs->code->n_instructions + n_base, 1));
    memset (rows->row_of_instruction, 0xff,
            ((size_t)rows->costs->code->n_instructions + n_base) * sizeof (uint32_t));
    for (uint32_t p = 0; p < rows->costs->code->n_parts; p++)
        add_part (rows, &added, false, p, has_names);
    if (rows->base != NULL)
        pv_array_push (&added, ((PvMachineRow){.is_base = true, .kind = PV_MACHINE_ROW_BASE}));
    /* Parts shown beside the new code are not shown twice. */
    for (uint32_t p = 0; rows->base != NULL && p < rows->base->code->n_parts; p++)
        if (!rows->sides->is_base_part_shown[p])
            add_part (rows, &added, true, p, has_names);
    rows->n_rows = (uint32_t)added.len;
    rows->rows = pv_array_steal (&added);
}

const PvMachineCode *
pv_machine_rows_get_code (const PvMachineRows *rows, uint32_t row)
{
    g_assert (rows != NULL && row < rows->n_rows);
    return get_costs (rows, rows->rows[row].is_base)->code;
}

/* --- jumps --- */

static int
compare_jumps (const void *a_, const void *b_)
{
    const Jump *a = a_, *b = b_;
    uint32_t a_len = a->last - a->first, b_len = b->last - b->first;
    if (a_len != b_len)
        return a_len < b_len ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

uint32_t
pv_machine_rows_get_target (const PvMachineRows *rows, uint32_t row)
{
    const PvInstruction *instruction = pv_machine_rows_get_instruction (rows, row);

    return instruction != NULL && instruction->target != 0
               ? rows->row_of_instruction[get_place_of_instruction (rows, rows->rows[row].is_base,
                                                                    instruction->target - 1)]
               : UINT32_MAX;
}

static void
add_jumps (const PvMachineRows *rows, JumpArray *jumps)
{
    for (uint32_t from = 0; from < rows->n_rows; from++) {
        const uint32_t to = pv_machine_rows_get_target (rows, from);
        if (to == UINT32_MAX)
            continue;
        Jump jump = {MIN (from, to), MAX (from, to), from, to <= from};
        pv_array_push (jumps, jump);
    }
}

/* Jumps of the outermost lane that begin at each row, less those that end. */
typedef struct {
    int32_t *above;
    int32_t *below;
    int32_t *loops;
} Outermost;

static void
add_outermost (Outermost *outermost, PvMachineRow *rows, const Jump *jump)
{
    const uint8_t bit = 1u << (PV_MACHINE_LANES - 1);
    if (jump->last > jump->first) {
        outermost->above[jump->first + 1]++;
        outermost->above[jump->last + 1]--;
        outermost->below[jump->first]++;
        outermost->below[jump->last]--;
    }
    outermost->loops[jump->first] += jump->is_loop;
    outermost->loops[jump->last + 1] -= jump->is_loop;
    rows[jump->first].lanes_here |= bit;
    rows[jump->last].lanes_here |= bit;
    rows[jump->from == jump->first ? jump->last : jump->first].is_target = true;
}

static void
draw_outermost (const Outermost *outermost, PvMachineRow *rows, uint32_t n_rows)
{
    const uint8_t bit = 1u << (PV_MACHINE_LANES - 1);
    int32_t above = 0, below = 0, loops = 0;
    for (uint32_t r = 0; r < n_rows; r++) {
        above += outermost->above[r];
        below += outermost->below[r];
        loops += outermost->loops[r];
        if (above > 0)
            rows[r].lanes_above |= bit;
        if (below > 0)
            rows[r].lanes_below |= bit;
        if (loops > 0)
            rows[r].lanes_of_loops |= bit;
        if (above > 0 || below > 0 || (rows[r].lanes_here & bit) != 0)
            rows[r].lane_count = PV_MACHINE_LANES;
    }
}

static void
draw_jump (PvMachineRow *rows, const Jump *jump, unsigned lane)
{
    const uint8_t bit = (uint8_t)(1u << lane);
    for (uint32_t r = jump->first; r <= jump->last; r++) {
        if (r > jump->first)
            rows[r].lanes_above |= bit;
        if (r < jump->last)
            rows[r].lanes_below |= bit;
        if (jump->is_loop)
            rows[r].lanes_of_loops |= bit;
        rows[r].lane_count = (uint8_t)MAX (rows[r].lane_count, lane + 1);
    }
    rows[jump->first].lanes_here |= bit;
    rows[jump->last].lanes_here |= bit;
    rows[jump->from == jump->first ? jump->last : jump->first].is_target = true;
}

/* Puts each jump outside of the shorter ones whose rows it passes. */
static void
place_jumps (PvMachineRows *rows, PvJob *job)
{
    JumpArray jumps = {0};
    uint64_t n_steps = 0;
    const size_t n = (size_t)rows->n_rows + 1;
    g_autofree int32_t *counts = g_new0 (int32_t, 3 * n);
    Outermost outermost = {counts, counts + n, counts + 2 * n};

    add_jumps (rows, &jumps);
    if (jumps.len > 0)
        qsort (jumps.data, jumps.len, sizeof (Jump), compare_jumps);
    for (size_t j = 0; j < jumps.len && !pv_job_is_cancelled (job); j++) {
        const Jump *jump = &jumps.data[j];
        const uint32_t n_passed = jump->last - jump->first;
        unsigned lane = 0;
        n_steps += n_passed;
        if (n_passed > MAX_NESTED_ROWS || n_steps > MAX_STEPS) {
            add_outermost (&outermost, rows->rows, jump);
            continue;
        }
        for (uint32_t r = jump->first; r <= jump->last && lane < PV_MACHINE_LANES; r++)
            lane = MAX (lane, rows->rows[r].lane_count);
        draw_jump (rows->rows, jump, MIN (lane, PV_MACHINE_LANES - 1));
    }
    draw_outermost (&outermost, rows->rows, rows->n_rows);
    pv_array_clear (&jumps);
}

/* --- costs --- */

PvMachineAmounts
pv_machine_rows_get_amounts (const PvMachineRows *rows, uint32_t row)
{
    g_assert (rows != NULL && row < rows->n_rows);
    g_assert (rows->rows[row].kind == PV_MACHINE_ROW_INSTRUCTION);
    const uint32_t instruction = rows->rows[row].index;
    PvMachineAmounts amounts = {{0}, {0}};

    if (rows->sides == NULL || rows->rows[row].is_base) {
        const PvAddressCost *cost = &get_costs (rows, rows->rows[row].is_base)->costs[instruction];
        /* The base is the first side. */
        amounts.self[PV_SIDE_BASE] = cost->self;
        amounts.total[PV_SIDE_BASE] = cost->total;
        return amounts;
    }
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        amounts.self[side] = rows->sides->costs_of_side[side][instruction].self;
        amounts.total[side] = rows->sides->costs_of_side[side][instruction].total;
    }
    return amounts;
}

int64_t
pv_machine_rows_get_net (const PvMachineRows *rows, const uint64_t amounts[PV_N_SIDES])
{
    g_assert (rows != NULL);
    return rows->sides != NULL ? (int64_t)(amounts[PV_SIDE_NEW] - amounts[PV_SIDE_BASE])
                               : (int64_t)amounts[0];
}

/* Orders rows by size of their net self or total amounts, largest first. */
static int
compare_amounts (const PvMachineRows *rows, uint32_t a, uint32_t b, bool is_self)
{
    const PvMachineAmounts left = pv_machine_rows_get_amounts (rows, a);
    const PvMachineAmounts right = pv_machine_rows_get_amounts (rows, b);
    const uint64_t l =
        (uint64_t)ABS (pv_machine_rows_get_net (rows, is_self ? left.self : left.total));
    const uint64_t r =
        (uint64_t)ABS (pv_machine_rows_get_net (rows, is_self ? right.self : right.total));
    return l > r ? -1 : l < r;
}

static int
compare_costs (const void *a_, const void *b_, void *user)
{
    const uint32_t *a = a_, *b = b_;
    int order = compare_amounts (user, *a, *b, true);

    if (order == 0)
        order = compare_amounts (user, *a, *b, false);
    return order != 0 ? order : *a < *b ? -1 : *a > *b;
}

static int
compare_totals (const void *a_, const void *b_, void *user)
{
    const uint32_t *a = a_, *b = b_;
    const int order = compare_amounts (user, *a, *b, false);

    return order != 0 ? order : *a < *b ? -1 : *a > *b;
}

static void
rank_rows (PvMachineRows *rows)
{
    PV_ARRAY (uint32_t) ranked = {0};
    for (uint32_t r = 0; r < rows->n_rows; r++) {
        if (rows->rows[r].kind != PV_MACHINE_ROW_INSTRUCTION)
            continue;
        const PvMachineAmounts amounts = pv_machine_rows_get_amounts (rows, r);
        if (amounts.total[0] > 0 || amounts.total[1] > 0)
            pv_array_push (&ranked, r);
    }
    if (ranked.len > 0)
        qsort_r (ranked.data, ranked.len, sizeof (uint32_t), compare_costs, rows);
    rows->n_with_cost = (uint32_t)ranked.len;
    rows->by_self = pv_array_steal (&ranked);
    rows->by_total = g_memdup2 (rows->by_self, rows->n_with_cost * sizeof (uint32_t));
    if (rows->n_with_cost > 0)
        qsort_r (rows->by_total, rows->n_with_cost, sizeof (uint32_t), compare_totals, rows);
}

/* --- lines --- */

static guint
hash_line (gconstpointer key)
{
    const Line *line = key;
    return g_str_hash (line->file) * 31 + line->line;
}

static gboolean
are_lines_equal (gconstpointer a_, gconstpointer b_)
{
    const Line *a = a_, *b = b_;
    return a->line == b->line && g_str_equal (a->file, b->file);
}

/* Group of each set of frames that instructions share, by its line, from 1; 0: no line. */
static uint32_t *
number_lines (PvMachineRows *rows, const PvMachineCode *code)
{
    uint32_t *group_of = g_new0 (uint32_t, MAX (code->n_lines, 1));

    for (uint32_t l = 1; l < code->n_lines; l++) {
        const PvInstructionLines *lines = &code->lines[l];
        if (lines->n_frames == 0 || lines->frames[0].file == NULL)
            continue;
        const Line line = {lines->frames[0].file, lines->frames[0].line};
        group_of[l] = GPOINTER_TO_UINT (g_hash_table_lookup (rows->group_of_line, &line));
        if (group_of[l] != 0)
            continue;
        group_of[l] = g_hash_table_size (rows->group_of_line) + 1;
        g_hash_table_insert (rows->group_of_line, g_memdup2 (&line, sizeof line),
                             GUINT_TO_POINTER (group_of[l]));
    }
    return group_of;
}

static bool
has_instruction (const PvMachineRow *row)
{
    return row->kind == PV_MACHINE_ROW_LINE || row->kind == PV_MACHINE_ROW_INSTRUCTION;
}

/* group_of: from number_lines (), for the code and for the base's own. */
static uint32_t
get_group (const PvMachineRows *rows, uint32_t *const group_of[2], uint32_t row)
{
    const PvMachineRow *found = &rows->rows[row];
    const PvMachineCode *code = pv_machine_rows_get_code (rows, row);
    return has_instruction (found)
               ? group_of[found->is_base][code->instructions[found->index].lines]
               : 0;
}

/* Puts the rows of each line together, so that the main loop need not search them. */
static void
group_rows (PvMachineRows *rows)
{
    rows->group_of_line = g_hash_table_new_full (hash_line, are_lines_equal, g_free, NULL);
    g_autofree uint32_t *of_code = number_lines (rows, rows->costs->code);
    g_autofree uint32_t *of_base =
        rows->base != NULL ? number_lines (rows, rows->base->code) : NULL;
    uint32_t *const group_of[2] = {of_code, of_base};
    const uint32_t n_groups = g_hash_table_size (rows->group_of_line);
    uint32_t *first = g_new0 (uint32_t, (size_t)n_groups + 2);

    for (uint32_t r = 0; r < rows->n_rows; r++)
        first[get_group (rows, group_of, r) + 1]++;
    for (uint32_t g = 0; g <= n_groups; g++)
        first[g + 1] += first[g];
    rows->row_of_group = g_new (uint32_t, MAX (rows->n_rows, 1));
    g_autofree uint32_t *next = g_memdup2 (first, ((size_t)n_groups + 1) * sizeof (uint32_t));
    for (uint32_t r = 0; r < rows->n_rows; r++)
        rows->row_of_group[next[get_group (rows, group_of, r)]++] = r;
    rows->first_of_group = first;
}

const uint32_t *
pv_machine_rows_find_line (const PvMachineRows *rows, const char *file, uint32_t line,
                           uint32_t *ret_n_rows)
{
    g_assert (rows != NULL && file != NULL && ret_n_rows != NULL);
    const Line wanted = {file, line};
    const guint group = rows->group_of_line != NULL
                            ? GPOINTER_TO_UINT (g_hash_table_lookup (rows->group_of_line, &wanted))
                            : 0;

    *ret_n_rows = group != 0 ? rows->first_of_group[group + 1] - rows->first_of_group[group] : 0;
    return group != 0 ? &rows->row_of_group[rows->first_of_group[group]] : NULL;
}

/* --- sources --- */

static void
free_source (gpointer source)
{
    pv_source_file_free (source);
}

static void
find_sources (PvMachineRows *rows, const PvMachineCode *code, const PvSymbolOptions *options,
              PvJob *job)
{
    const char *binary = pv_elf_image_get_path (code->binary);

    for (uint32_t l = 1; l < code->n_lines && !pv_job_is_cancelled (job); l++) {
        const char *file = code->lines[l].n_frames > 0 ? code->lines[l].frames[0].file : NULL;
        if (file == NULL || g_hash_table_contains (rows->sources, file) ||
            g_hash_table_size (rows->sources) >= MAX_FILES)
            continue;
        g_hash_table_insert (rows->sources, (gpointer)file,
                             pv_source_file_find (rows->profile, options, file, binary, NULL));
    }
}

/* --- build --- */

static bool
find_code (PvMachineRows *rows, const PvMachineInput *input, PvJob *job, GError **error)
{
    PvQuery query;
    g_autoptr (GError) problem = NULL;

    pv_query_copy_active (&query, &input->tree->query);
    query.granularity = PV_BY_LINE;
    query.is_inverted = false;
    query.grouping = PV_GROUP_NONE;
    g_autoptr (PvCallTree) tree = pv_call_tree_build_stacks (
        input->tree->profile, input->tree->symbols, &query, NULL, job, error);
    pv_query_clear (&query);
    if (tree == NULL)
        return false;
    rows->whole = tree->total[0];
    if (pv_profile_get_pair (input->tree->profile, input->tree->query.measure) != NULL) {
        rows->sides =
            pv_code_sides_build (tree, input->function, input->files, MAX_PLACES, job, &problem);
        rows->costs = rows->sides != NULL ? rows->sides->code : NULL;
        rows->base = rows->sides != NULL ? rows->sides->base : NULL;
        rows->is_compared = input->tree->profile->compared != NULL;
    } else {
        rows->own_costs =
            pv_code_costs_build (tree, input->function, input->files, MAX_PLACES, job, &problem);
        rows->costs = rows->own_costs;
    }
    if (rows->costs == NULL)
        rows->problem = g_strdup (problem->message);
    return !pv_job_is_cancelled (job);
}

gpointer
pv_machine_rows_build (gpointer data, PvJob *job, GError **error)
{
    const PvMachineInput *input = data;
    g_autoptr (PvMachineRows) rows = g_new0 (PvMachineRows, 1);
    const PvProfile *profile = input->tree->profile;
    const PvMeasureId measure = input->tree->query.measure;

    rows->ref_count = 1;
    rows->profile = pv_profile_ref (profile);
    rows->symbols = pv_symbol_table_ref (input->tree->symbols);
    rows->label = g_strdup (input->tree->symbols->functions[input->function].label);
    rows->unit = PV_UNIT_COUNT;
    if (pv_profile_has_weights (profile, measure)) {
        rows->unit = profile->measures[measure].unit;
        rows->skid = pv_measure_get_skid (profile, measure);
    }
    if (!find_code (rows, input, job, error))
        return NULL;
    if (rows->costs != NULL) {
        add_rows (rows);
        place_jumps (rows, job);
        rank_rows (rows);
        group_rows (rows);
        rows->sources = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, free_source);
        find_sources (rows, rows->costs->code, &input->options, job);
        if (rows->base != NULL)
            find_sources (rows, rows->base->code, &input->options, job);
    }
    return pv_job_is_cancelled (job) ? NULL : g_steal_pointer (&rows);
}

/* --- texts --- */

const PvInstruction *
pv_machine_rows_get_instruction (const PvMachineRows *rows, uint32_t row)
{
    g_assert (rows != NULL && row < rows->n_rows);
    return rows->rows[row].kind == PV_MACHINE_ROW_INSTRUCTION
               ? &pv_machine_rows_get_code (rows, row)->instructions[rows->rows[row].index]
               : NULL;
}

static const PvInstructionLines *
get_lines (const PvMachineRows *rows, uint32_t row)
{
    const PvMachineCode *code = pv_machine_rows_get_code (rows, row);
    return &code->lines[code->instructions[rows->rows[row].index].lines];
}

const PvInstructionFrame *
pv_machine_rows_get_line (const PvMachineRows *rows, uint32_t row)
{
    g_assert (rows != NULL && row < rows->n_rows);
    if (!has_instruction (&rows->rows[row]))
        return NULL;
    const PvInstructionLines *lines = get_lines (rows, row);
    return lines->n_frames > 0 && lines->frames[0].file != NULL ? &lines->frames[0] : NULL;
}

static char *
format_line (const PvMachineRows *rows, uint32_t row)
{
    const PvInstructionLines *lines = get_lines (rows, row);
    const PvInstructionFrame *frame = &lines->frames[0];
    const PvSourceFile *source = g_hash_table_lookup (rows->sources, frame->file);
    g_autofree char *base = g_path_get_basename (frame->file);
    g_autofree char *text = source != NULL && frame->line > 0
                                ? pv_source_text_format_line (source->text, frame->line)
                                : NULL;
    GString *out = g_string_new (NULL);

    g_string_append_printf (out, "%s:%u", base, frame->line);
    if (text != NULL)
        g_string_append_printf (out, "  %s", g_strstrip (text));
    if (lines->n_frames > 1) {
        g_string_append (out, "  ");
        /* Translators: a function whose code is part of another one's */
        g_string_append_printf (out, _ ("(inlined %s)"),
                                frame->function != NULL ? frame->function : "??");
    }
    return g_string_free (out, FALSE);
}

static char *
format_place (const PvMachineRows *rows, uint32_t row)
{
    const PvCodeCosts *costs = get_costs (rows, rows->rows[row].is_base);
    const PvCodePart *part = &costs->code->parts[rows->rows[row].index];
    const char *name = get_place_name (costs, rows->rows[row].index);
    return part->problem != NULL ? g_strdup_printf ("%s: %s", name, part->problem)
                                 : g_strdup_printf ("%s:", name);
}

char *
pv_machine_rows_format (const PvMachineRows *rows, uint32_t row)
{
    const PvInstruction *instruction = pv_machine_rows_get_instruction (rows, row);
    if (rows->rows[row].kind == PV_MACHINE_ROW_BASE)
        /* Translators: of a comparison; a program's file */
        return g_strdup_printf (_ ("Base: %s"), pv_elf_image_get_path (rows->base->code->binary));
    if (instruction == NULL)
        return rows->rows[row].kind == PV_MACHINE_ROW_LINE ? format_line (rows, row)
                                                           : format_place (rows, row);
    g_autofree char *target = pv_machine_rows_format_target (rows, row);
    return *instruction->operands != '\0' && g_strcmp0 (instruction->operands, target) != 0
               ? g_strconcat (instruction->mnemonic, " ", instruction->operands, NULL)
               : g_strdup (instruction->mnemonic);
}

char *
pv_machine_rows_format_target (const PvMachineRows *rows, uint32_t row)
{
    const PvInstruction *instruction = pv_machine_rows_get_instruction (rows, row);
    if (instruction == NULL)
        return NULL;
    const PvCallee *callee = &pv_machine_rows_get_code (rows, row)->callees[instruction->callee];
    if (instruction->target != 0)
        return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", instruction->target_addr);
    if (instruction->callee == 0 || callee->name == NULL)
        return NULL;
    return callee->offset == 0
               ? g_strdup (callee->name)
               : g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", callee->name, callee->offset);
}
