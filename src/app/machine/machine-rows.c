/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/machine/machine-rows.h"

#include <glib/gi18n.h>
#include <stdlib.h>

#include "core/base/array.h"
#include "core/model/profile/event-names.h"
#include "core/symbolize/files/source-files.h"

/* A jump over more rows is in the outermost lane, whatever else is there. */
enum { MAX_PLACES = 64, MAX_FILES = 200, MAX_NESTED_ROWS = 20000 };

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

    pv_free_later (input->profile, (GDestroyNotify)pv_profile_free);
    pv_free_later (input->symbols, (GDestroyNotify)pv_symbol_table_free);
    pv_query_clear (&input->query);
    pv_symbol_options_clear (&input->options);
    g_free (input);
}

PvMachineRows *
pv_machine_rows_ref (PvMachineRows *rows)
{
    g_atomic_int_inc (&rows->ref_count);
    return rows;
}

void
pv_machine_rows_unref (gpointer data)
{
    PvMachineRows *rows = data;

    if (!g_atomic_int_dec_and_test (&rows->ref_count))
        return;
    pv_code_costs_free (rows->costs);
    pv_module_files_free (rows->files);
    pv_profile_free (rows->profile);
    pv_symbol_table_free (rows->symbols);
    g_clear_pointer (&rows->sources, g_hash_table_unref);
    g_free (rows->problem);
    g_free (rows->label);
    g_free (rows->rows);
    g_free (rows->row_of_instruction);
    g_free (rows->by_self);
    g_free (rows);
}

/* --- rows --- */

/* Whether the instruction begins code of another line than the one before it. */
static bool
begins_line (const PvMachineCode *code, const PvCodePart *part, uint32_t i)
{
    const PvInstructionLines *lines = &code->lines[code->instructions[i].lines];
    return lines->n_frames > 0 && lines->frames[0].file != NULL &&
           (i == part->first || code->instructions[i - 1].lines != code->instructions[i].lines);
}

static void
add_rows (PvMachineRows *rows)
{
    const PvMachineCode *code = rows->costs->code;
    RowArray added = {0};

    rows->row_of_instruction = g_new0 (uint32_t, MAX (code->n_instructions, 1));
    for (uint32_t p = 0; p < code->n_parts; p++) {
        const PvCodePart *part = &code->parts[p];
        if (code->n_parts > 1 || part->problem != NULL)
            pv_array_push (&added, ((PvMachineRow){.index = p, .kind = PV_MACHINE_ROW_PLACE}));
        for (uint32_t i = part->first; i < part->first + part->n_instructions; i++) {
            if (begins_line (code, part, i))
                pv_array_push (&added, ((PvMachineRow){.index = i, .kind = PV_MACHINE_ROW_LINE}));
            rows->row_of_instruction[i] = (uint32_t)added.len;
            pv_array_push (&added,
                           ((PvMachineRow){.index = i, .kind = PV_MACHINE_ROW_INSTRUCTION}));
        }
    }
    rows->n_rows = (uint32_t)added.len;
    rows->rows = pv_array_steal (&added);
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

static void
add_jumps (const PvMachineRows *rows, JumpArray *jumps)
{
    const PvMachineCode *code = rows->costs->code;
    for (uint32_t i = 0; i < code->n_instructions; i++) {
        const PvInstruction *instruction = &code->instructions[i];
        if (instruction->target == 0)
            continue;
        uint32_t from = rows->row_of_instruction[i];
        uint32_t to = rows->row_of_instruction[instruction->target - 1];
        Jump jump = {MIN (from, to), MAX (from, to), from, to <= from};
        pv_array_push (jumps, jump);
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

/* Each jump is outside of the shorter ones whose rows it passes. */
static void
place_jumps (PvMachineRows *rows, PvJob *job)
{
    JumpArray jumps = {0};
    add_jumps (rows, &jumps);
    if (jumps.len > 0)
        qsort (jumps.data, jumps.len, sizeof (Jump), compare_jumps);
    for (size_t j = 0; j < jumps.len && !pv_job_is_cancelled (job); j++) {
        const Jump *jump = &jumps.data[j];
        unsigned lane = 0;
        for (uint32_t r = jump->first; r <= jump->last && lane < PV_MACHINE_LANES; r++)
            lane = jump->last - jump->first > MAX_NESTED_ROWS
                       ? PV_MACHINE_LANES
                       : MAX (lane, rows->rows[r].lane_count);
        draw_jump (rows->rows, jump, MIN (lane, PV_MACHINE_LANES - 1));
    }
    pv_array_clear (&jumps);
}

/* --- costs --- */

static int
compare_costs (const void *a_, const void *b_, void *user)
{
    const PvMachineRows *rows = user;
    const uint32_t *a = a_, *b = b_;
    const PvAddressCost *left = &rows->costs->costs[rows->rows[*a].index];
    const PvAddressCost *right = &rows->costs->costs[rows->rows[*b].index];

    if (left->self != right->self)
        return left->self > right->self ? -1 : 1;
    if (left->total != right->total)
        return left->total > right->total ? -1 : 1;
    return *a < *b ? -1 : *a > *b;
}

static void
rank_rows (PvMachineRows *rows)
{
    PV_ARRAY (uint32_t) ranked = {0};
    for (uint32_t i = 0; i < rows->costs->code->n_instructions; i++)
        if (rows->costs->costs[i].total > 0)
            pv_array_push (&ranked, rows->row_of_instruction[i]);
    if (ranked.len > 0)
        qsort_r (ranked.data, ranked.len, sizeof (uint32_t), compare_costs, rows);
    rows->n_with_cost = (uint32_t)ranked.len;
    rows->by_self = pv_array_steal (&ranked);
}

/* --- sources --- */

static void
free_source (gpointer source)
{
    pv_source_file_free (source);
}

static void
find_sources (PvMachineRows *rows, const PvSymbolOptions *options, PvJob *job)
{
    const PvMachineCode *code = rows->costs->code;
    const char *binary = pv_elf_image_get_path (code->binary);

    rows->sources = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, free_source);
    for (uint32_t l = 1; l < code->n_lines && !pv_job_is_cancelled (job); l++) {
        const char *file = code->lines[l].n_frames > 0 ? code->lines[l].frames[0].file : NULL;
        if (file == NULL || g_hash_table_contains (rows->sources, file) ||
            g_hash_table_size (rows->sources) >= MAX_FILES)
            continue;
        g_hash_table_insert (rows->sources, (gpointer)file,
                             pv_source_file_find (rows->profile, options, file, binary, NULL));
    }
}

/* --- all of it --- */

static bool
find_code (PvMachineRows *rows, const PvMachineInput *input, PvJob *job, GError **error)
{
    PvQuery query;
    g_autoptr (GError) problem = NULL;

    pv_query_copy_active (&query, &input->query);
    query.granularity = PV_BY_LINE;
    query.is_inverted = false;
    query.grouping = PV_GROUP_NONE;
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build_stacks (input->profile, input->symbols, &query, NULL, job, error);
    pv_query_clear (&query);
    if (tree == NULL)
        return false;
    rows->whole = tree->total[0];
    rows->files = pv_module_files_new (&input->options);
    rows->costs =
        pv_code_costs_build (tree, input->function, rows->files, MAX_PLACES, job, &problem);
    if (rows->costs == NULL)
        rows->problem = g_strdup (problem->message);
    return !pv_job_is_cancelled (job);
}

gpointer
pv_machine_rows_build (gpointer data, PvJob *job, GError **error)
{
    const PvMachineInput *input = data;
    g_autoptr (PvMachineRows) rows = g_new0 (PvMachineRows, 1);
    const PvMeasureId measure = input->query.measure;

    rows->ref_count = 1;
    rows->profile = pv_profile_ref (input->profile);
    rows->symbols = pv_symbol_table_ref (input->symbols);
    rows->label = g_strdup (input->symbols->functions[input->function].label);
    rows->unit = PV_UNIT_COUNT;
    if (measure < input->profile->n_measures) {
        rows->unit = input->profile->measures[measure].unit;
        rows->skid = pv_measure_get_skid (input->profile, measure);
    }
    if (!find_code (rows, input, job, error))
        return NULL;
    if (rows->costs != NULL) {
        add_rows (rows);
        place_jumps (rows, job);
        rank_rows (rows);
        find_sources (rows, &input->options, job);
    }
    return pv_job_is_cancelled (job) ? NULL : g_steal_pointer (&rows);
}

/* --- texts --- */

const PvInstruction *
pv_machine_rows_get_instruction (const PvMachineRows *rows, uint32_t row)
{
    g_assert (rows != NULL && row < rows->n_rows);
    return rows->rows[row].kind == PV_MACHINE_ROW_INSTRUCTION
               ? &rows->costs->code->instructions[rows->rows[row].index]
               : NULL;
}

static const PvInstructionLines *
get_lines (const PvMachineRows *rows, uint32_t row)
{
    const PvMachineCode *code = rows->costs->code;
    return &code->lines[code->instructions[rows->rows[row].index].lines];
}

const PvInstructionFrame *
pv_machine_rows_get_line (const PvMachineRows *rows, uint32_t row)
{
    g_assert (rows != NULL && row < rows->n_rows);
    if (rows->rows[row].kind == PV_MACHINE_ROW_PLACE)
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
    const PvCodePart *part = &rows->costs->code->parts[rows->rows[row].index];
    const char *name = rows->costs->places->places[part->place].name;
    return part->problem != NULL ? g_strdup_printf ("%s: %s", name, part->problem)
                                 : g_strdup_printf ("%s:", name);
}

char *
pv_machine_rows_format (const PvMachineRows *rows, uint32_t row)
{
    const PvInstruction *instruction = pv_machine_rows_get_instruction (rows, row);
    if (instruction == NULL)
        return rows->rows[row].kind == PV_MACHINE_ROW_LINE ? format_line (rows, row)
                                                           : format_place (rows, row);
    return *instruction->operands != '\0'
               ? g_strconcat (instruction->mnemonic, " ", instruction->operands, NULL)
               : g_strdup (instruction->mnemonic);
}

char *
pv_machine_rows_format_target (const PvMachineRows *rows, uint32_t row)
{
    const PvInstruction *instruction = pv_machine_rows_get_instruction (rows, row);
    if (instruction == NULL)
        return NULL;
    const PvCallee *callee = &rows->costs->code->callees[instruction->callee];
    if (instruction->target != 0)
        return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", instruction->target_addr);
    if (instruction->callee == 0 || callee->name == NULL)
        return NULL;
    return callee->offset == 0
               ? g_strdup (callee->name)
               : g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", callee->name, callee->offset);
}
