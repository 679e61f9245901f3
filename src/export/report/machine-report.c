/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/machine-report.h"

#include <glib/gi18n.h>

#include "core/load/code/code-sides.h"
#include "core/model/profile/event-names.h"
#include "export/report/print-parts.h"
#include "export/report/report-table.h"
#include "export/report/source-cache.h"

/* Instructions without cost are shown around those with cost; longer gaps become "…". A function
 * that is inlined into many others is shown in the first of them. */
enum { CONTEXT = 10, MAX_GAP = 40, TEXT_PLACES = 4, MAX_PLACES = 64 };

typedef struct {
    PvReport base;
    PvCodeFiles *files;
    PvSourceCache *sources;
} Report;

static const PvReportColumn columns[] = {
    PV_LINE_AMOUNTS,
    {{PV_COLUMN_NAME}, "function", "", PV_IN_PLAIN},
    {{PV_COLUMN_MODULE}, "module", "", PV_IN_PLAIN},
    {{PV_COLUMN_WORDS}, "symbol", "", PV_IN_PLAIN},
    {{PV_COLUMN_WORDS}, "address", "", PV_IN_PLAIN},
    {{PV_COLUMN_WORDS}, "bytes", "", PV_IN_PLAIN},
    {{PV_COLUMN_NUMBER}, "", NC_ ("column", "Address"), PV_IN_TEXT},
    {{PV_COLUMN_WORDS}, "instruction", NC_ ("column", "Instruction")},
    {{PV_COLUMN_WORDS}, "inlined", "", PV_IN_PLAIN},
    {{PV_COLUMN_FILE}, "file", "", PV_IN_PLAIN},
    {{PV_COLUMN_LINE}, "line", "", PV_IN_PLAIN},
    {{PV_COLUMN_WORDS}, "source", "", PV_IN_PLAIN},
    {{PV_COLUMN_WORDS}, "code", "", PV_IN_PLAIN | PV_OF_COMPARED},
};

/* Printed code of a function: its own, or that of the base where they differ. */
typedef struct {
    const PvCodeCosts *costs;
    const PvCodeSides *sides; /* NULL: costs have no sides */
    bool is_base;
} Shown;

static PvLineAmounts
add_sides (const PvAddressCost *base, const PvAddressCost *new)
{
    return (PvLineAmounts){{base != NULL ? base->self : 0, new != NULL ? new->self : 0},
                           {base != NULL ? base->total : 0, new != NULL ? new->total : 0}};
}

static PvLineAmounts
get_amounts (const Shown *shown, uint32_t instruction)
{
    if (shown->sides == NULL || shown->is_base)
        return add_sides (&shown->costs->costs[instruction], NULL);
    return add_sides (&shown->sides->costs_of_side[PV_SIDE_BASE][instruction],
                      &shown->sides->costs_of_side[PV_SIDE_NEW][instruction]);
}

static PvLineAmounts
get_place_amounts (const Shown *shown, uint32_t place)
{
    if (shown->sides == NULL || shown->is_base)
        return add_sides (&shown->costs->place_costs[place], NULL);
    return add_sides (&shown->sides->place_costs_of_side[PV_SIDE_BASE][place],
                      &shown->sides->place_costs_of_side[PV_SIDE_NEW][place]);
}

/* Only parts of the base's code are printed that the new code does not have. */
static bool
is_part_shown (const Shown *shown, uint32_t part)
{
    return !shown->is_base || !shown->sides->is_base_part_shown[part];
}

/* amounts: NULL for a row without. */
static void
get_row (const Report *report, PvFunctionId function, const PvLineAmounts *amounts, PvRow *ret_row)
{
    static const PvLineAmounts none;
    const PvReport *base = &report->base;
    pv_row_init (ret_row, base->profile, base->symbols, base->query, function);
    pv_report_set_amounts (base, amounts != NULL ? amounts : &none, ret_row);
}

static const PvSourceFile *
get_source (const Report *report, const PvCodeCosts *costs, const char *file)
{
    const PvSourceFile *source;
    if (file == NULL || *file == '\0')
        return NULL;
    if (pv_source_cache_find (report->sources, file, &source))
        return source;
    return pv_source_cache_add (
        report->sources, file,
        pv_source_file_find (report->base.tree->profile, &report->base.options->symbols, file,
                             pv_elf_image_get_path (costs->code->binary), NULL));
}

/* The line's text; NULL if the source is not found. Free with g_free (). */
static char *
format_source (const Report *report, const PvCodeCosts *costs, const PvInstructionFrame *frame)
{
    const PvSourceFile *source = get_source (report, costs, frame->file);
    return source != NULL && frame->line > 0
               ? pv_source_text_format_line (source->text, frame->line)
               : NULL;
}

/* "f in g": functions inlined there, innermost first; NULL: none. */
static char *
format_inlined (const PvInstructionLines *lines)
{
    char *text = NULL;
    for (uint32_t f = 0; f + 1 < lines->n_frames; f++) {
        const char *name = lines->frames[f].function;
        name = name != NULL ? name : "??";
        /* Translators: a function, and the one that it is inlined in */
        char *both = text != NULL
                         ? g_strdup_printf (C_ ("inlined in a function", "%s in %s"), text, name)
                         : g_strdup (name);
        g_free (text);
        text = both;
    }
    return text;
}

/* "call 0x1234 <malloc>", "je 0x12 ↑": where it leads, if it says so. */
static char *
format_instruction (const PvCodeCosts *costs, const PvInstruction *row, bool has_arrows)
{
    GString *text = g_string_new (row->mnemonic);
    if (*row->operands != '\0')
        g_string_append_printf (text, " %s", row->operands);
    const PvCallee *callee = &costs->code->callees[row->callee];
    if (row->callee != 0 && callee->name != NULL && callee->offset == 0)
        g_string_append_printf (text, " <%s>", callee->name);
    else if (row->callee != 0 && callee->name != NULL)
        g_string_append_printf (text, " <%s+0x%" G_GINT64_MODIFIER "x>", callee->name,
                                callee->offset);
    else if (row->target != 0 && has_arrows)
        g_string_append (text, row->target_addr <= row->addr ? " ↑" : " ↓");
    return g_string_free (text, FALSE);
}

static char *
format_bytes (const PvInstruction *row)
{
    GString *text = g_string_new (NULL);
    for (unsigned i = 0; i < row->size_bytes; i++)
        g_string_append_printf (text, i > 0 ? " %02x" : "%02x", row->bytes[i]);
    return g_string_free (text, FALSE);
}

static char *
format_address (uint64_t addr)
{
    return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", addr);
}

static const char *
get_module_name (const Report *report, const PvCodeCosts *costs)
{
    return report->base.profile->modules[costs->places->module].name;
}

/* --- for programs: all instructions --- */

/* The sides that the code is of. */
static const char *
name_code (const Shown *shown, uint32_t part)
{
    const PvCodeSides *sides = shown->sides;
    if (shown->is_base)
        return "base";
    return sides->is_alone[part] ? (sides->is_of_base ? "base" : "new") : "both";
}

static void
add_plain_row (PvReportTable *table, const Report *report, const Shown *shown, uint32_t p,
               uint32_t i)
{
    const PvCodeCosts *costs = shown->costs;
    const PvCodePart *part = &costs->code->parts[p];
    const PvInstruction *instruction = &costs->code->instructions[i];
    const PvInstructionLines *lines = &costs->code->lines[instruction->lines];
    const PvInstructionFrame none = {0};
    const PvInstructionFrame *frame = lines->n_frames > 0 ? &lines->frames[0] : &none;
    const PvFrame place = {.file = frame->file, .line = frame->line};
    const PvLineAmounts amounts = get_amounts (shown, i);
    g_autofree char *addr = format_address (instruction->addr);
    g_autofree char *bytes = format_bytes (instruction);
    g_autofree char *text = format_instruction (costs, instruction, false);
    g_autofree char *inlined = format_inlined (lines);
    g_autofree char *source = format_source (report, costs, frame);
    const char *words[] = {costs->places->places[part->place].name,
                           addr,
                           bytes,
                           text,
                           inlined,
                           source,
                           report->base.amounts == PV_AMOUNTS_COMPARED ? name_code (shown, p)
                                                                       : NULL};
    PvRow row;
    get_row (report, costs->function, &amounts, &row);
    row.module = get_module_name (report, costs);
    row.frame = &place;
    pv_report_table_add (table, &row, words);
}

static void
add_plain_rows (PvReportTable *table, const Report *report, const Shown *shown)
{
    const PvMachineCode *code = shown->costs->code;
    for (uint32_t p = 0; p < code->n_parts; p++) {
        const PvCodePart *part = &code->parts[p];
        const uint32_t end =
            is_part_shown (shown, p) ? part->first + part->n_instructions : part->first;
        for (uint32_t i = part->first; i < end; i++)
            add_plain_row (table, report, shown, p, i);
    }
}

static PvReportTable *
begin_table (const Report *report)
{
    return pv_report_table_begin (&report->base, "instructions", columns, G_N_ELEMENTS (columns), 0,
                                  NULL, true);
}

static PvReportTable *
begin_plain (const Report *report)
{
    const PvReport *base = &report->base;
    const PvMeasureId id = base->tree->query.measure;
    const PvMeasure *measure =
        pv_profile_has_weights (base->profile, id) ? &base->profile->measures[id] : NULL;
    GString *out = base->sink->text;
    if (pv_format_has_cells (base->format) && base->options->has_header)
        pv_print_append_header (base->format, out, measure, base->whole);
    if (base->format == PV_FORMAT_JSON)
        pv_print_append_members (out, measure, base->whole);
    return begin_table (report);
}

/* --- for people: around those with cost --- */

/* amounts: NULL for a row without. */
static void
add_text_row (PvReportTable *table, const Report *report, const PvLineAmounts *amounts,
              const char *addr, const char *text)
{
    PvRow row;
    get_row (report, 0, amounts, &row);
    pv_report_table_add (table, &row, (const char *const[]){addr, text});
}

/* The line that the following instructions are from: "work.c:12  x += y;  (add inlined)". */
static void
add_line_row (PvReportTable *table, const Report *report, const PvCodeCosts *costs,
              const PvInstructionLines *lines)
{
    if (lines->n_frames == 0 || lines->frames[0].file == NULL)
        return;
    const PvInstructionFrame *frame = &lines->frames[0];
    g_autofree char *base = g_path_get_basename (frame->file);
    g_autofree char *source = format_source (report, costs, frame);
    g_autofree char *inlined = format_inlined (lines);
    GString *text = g_string_new (NULL);
    g_string_append_printf (text, "%s:%u", base, frame->line);
    if (source != NULL)
        g_string_append_printf (text, "  %s", source);
    if (inlined != NULL) {
        g_string_append (text, "  ");
        /* Translators: a function whose code is part of another one's */
        g_string_append_printf (text, _ ("(inlined %s)"), inlined);
    }
    add_text_row (table, report, NULL, NULL, text->str);
    g_string_free (text, TRUE);
}

/* Marks the instructions to show. */
static bool *
choose_rows (const Shown *shown, const PvCodePart *part)
{
    const uint32_t n = part->n_instructions;
    bool *is_shown = g_new0 (bool, MAX (n, 1));
    uint32_t next = 0; /* after the last one with cost; 0: none yet */

    for (uint32_t i = 0; i < n; i++) {
        const PvLineAmounts amounts = get_amounts (shown, part->first + i);
        if (amounts.total[0] == 0 && amounts.total[1] == 0)
            continue;
        bool is_near = next > 0 && i - next <= MAX_GAP;
        uint32_t start = is_near ? next : i > CONTEXT ? i - CONTEXT : 0;
        for (uint32_t k = start; k < MIN (i + CONTEXT + 1, n); k++)
            is_shown[k] = true;
        next = i + 1;
    }
    return is_shown;
}

static void
append_part (const Report *report, const Shown *shown, const PvCodePart *part)
{
    const PvCodeCosts *costs = shown->costs;
    const PvMachineCode *code = costs->code;
    g_autofree bool *is_shown = choose_rows (shown, part);
    PvReportTable *table = begin_table (report);
    uint32_t lines = 0;

    for (uint32_t i = 0; i < part->n_instructions; i++) {
        const PvInstruction *row = &code->instructions[part->first + i];
        if (!is_shown[i]) {
            if (i > 0 && is_shown[i - 1])
                add_text_row (table, report, NULL, NULL, "…");
            lines = 0;
            continue;
        }
        if (row->lines != lines)
            add_line_row (table, report, costs, &code->lines[row->lines]);
        lines = row->lines;
        g_autofree char *addr = format_address (row->addr);
        g_autofree char *text = format_instruction (costs, row, true);
        g_autofree char *indented = g_strconcat ("    ", text, NULL);
        const PvLineAmounts amounts = get_amounts (shown, part->first + i);
        add_text_row (table, report, &amounts, addr, indented);
    }
    pv_report_table_end (table, 0);
}

static char *
format_costs (const Report *report, const PvLineAmounts *amounts)
{
    PvRow row;
    get_row (report, 0, amounts, &row);
    return pv_report_format_costs (&report->base, &row);
}

static void
append_head (const Report *report, const PvFunctionLines *function, const char *module)
{
    const PvFunction *named = &report->base.tree->symbols->functions[function->function];
    PvLineAmounts amounts = {{0}, {0}};
    for (unsigned i = 0; i < (report->base.amounts != PV_AMOUNTS_OF_ONE ? PV_N_SIDES : 1); i++) {
        amounts.self[i] = function->costs[i].self;
        amounts.total[i] = function->costs[i].total;
    }
    g_autofree char *costs = format_costs (report, &amounts);
    g_string_append_printf (report->base.sink->text, "%s (%s), %s\n", named->name, module, costs);
}

static void
append_path (const Report *report, const PvCodeCosts *costs)
{
    GString *out = report->base.sink->text;
    const char *path = pv_elf_image_get_path (costs->code->binary);
    /* Translators: the path of a program */
    g_string_append_printf (
        out, costs->places->file->is_unverified ? _ ("%s (perhaps of another build)") : "%s", path);
    g_string_append_c (out, '\n');
}

static void
append_parts (const Report *report, const PvFunction *named, const Shown *shown)
{
    const PvCodeCosts *costs = shown->costs;
    GString *out = report->base.sink->text;
    for (uint32_t p = 0; p < costs->code->n_parts; p++) {
        const PvCodePart *part = &costs->code->parts[p];
        const PvCodePlace *place = &costs->places->places[part->place];
        if (!is_part_shown (shown, p))
            continue;
        if (costs->code->n_parts > 1 || g_strcmp0 (place->name, named->name) != 0) {
            const PvLineAmounts amounts = get_place_amounts (shown, part->place);
            g_autofree char *text = format_costs (report, &amounts);
            /* Translators: the symbol that holds the code, and what all of it costs */
            g_string_append_printf (out, _ ("Code of %s, %s"), place->name, text);
            g_string_append_c (out, '\n');
        }
        if (part->problem != NULL)
            g_string_append_printf (out, "%s\n", part->problem);
        else
            append_part (report, shown, part);
        if (place->is_cut)
            g_string_append_printf (out, "%s\n",
                                    _ ("The rest is left out: this function is too large."));
    }
    if (costs->n_left_out > 0) {
        g_string_append_printf (out,
                                ngettext ("… and the code of %u more function that it is part of",
                                          "… and the code of %u more functions that it is part of",
                                          costs->n_left_out),
                                costs->n_left_out);
        g_string_append_c (out, '\n');
    }
}

static void
append_function (const Report *report, const PvFunctionLines *function, const Shown *shown)
{
    const PvFunction *named = &report->base.tree->symbols->functions[function->function];
    const PvCodeSides *sides = shown->sides;
    append_head (report, function, get_module_name (report, shown->costs));
    append_path (report, shown->costs);
    if (sides != NULL && sides->difference != NULL)
        g_string_append_printf (report->base.sink->text, "%s\n", sides->difference);
    append_parts (report, named, shown);
    if (sides == NULL || sides->base == NULL)
        return;
    const Shown base = {sides->base, sides, true};
    g_string_append_printf (report->base.sink->text, "\n%s\n", _ ("The base’s own code:"));
    append_path (report, sides->base);
    append_parts (report, named, &base);
}

/* In place of the code. */
static void
append_problem (const Report *report, const PvFunctionLines *function, const GError *problem)
{
    const PvFunction *named = &report->base.tree->symbols->functions[function->function];
    append_head (report, function, report->base.tree->profile->modules[named->module].name);
    g_string_append_printf (report->base.sink->text, "%s\n", problem->message);
}

static void
append_skid (const Report *report)
{
    const PvProfile *profile = report->base.tree->profile;
    const PvMeasureId measure = report->base.tree->query.measure;
    const char *skid =
        pv_profile_has_weights (profile, measure) ? pv_measure_get_skid (profile, measure) : NULL;
    if (skid != NULL)
        g_string_append_printf (report->base.sink->text, "\n%s\n", skid);
}

/* Text waits until the first function with code: without any, nothing is written. */
static bool
write_functions (Report *report, const PvLineCosts *functions, uint32_t n_functions, GError **error)
{
    const bool is_text = report->base.format == PV_FORMAT_TEXT;
    g_autoptr (GError) first_problem = NULL;
    PvReportTable *table = NULL;
    const size_t start = report->base.sink->text->len;
    uint32_t n_found = 0;

    for (uint32_t f = 0; f < n_functions; f++) {
        g_autoptr (GError) problem = NULL;
        const PvFunctionLines *function = &functions->functions[f];
        const uint32_t max_places = is_text ? TEXT_PLACES : MAX_PLACES;
        g_autoptr (PvCodeSides) sides = NULL;
        g_autoptr (PvCodeCosts) costs = NULL;
        if (report->base.amounts != PV_AMOUNTS_OF_ONE)
            sides = pv_code_sides_build (report->base.tree, function->function, report->files,
                                         max_places, NULL, &problem);
        else
            costs = pv_code_costs_build (report->base.tree, function->function, report->files,
                                         max_places, NULL, &problem);
        const Shown shown = {sides != NULL ? sides->code : costs, sides, false};
        n_found += shown.costs != NULL;
        if (is_text && f > 0)
            g_string_append_c (report->base.sink->text, '\n');
        if (is_text && shown.costs != NULL)
            append_function (report, function, &shown);
        else if (is_text)
            append_problem (report, function, problem);
        if (!is_text && shown.costs != NULL && table == NULL)
            table = begin_plain (report);
        if (!is_text && shown.costs != NULL)
            add_plain_rows (table, report, &shown);
        if (!is_text && sides != NULL && sides->base != NULL)
            add_plain_rows (table, report, &(Shown){sides->base, sides, true});
        if (problem != NULL && first_problem == NULL)
            first_problem = g_steal_pointer (&problem);
    }
    if (n_found == 0) {
        g_string_truncate (report->base.sink->text, start);
        g_propagate_error (error, g_steal_pointer (&first_problem));
        return false;
    }
    if (table != NULL)
        pv_report_table_end (table, 0);
    if (is_text)
        append_skid (report);
    return true;
}

bool
pv_machine_report_write (const PvReport *given, const PvCallTree *tree,
                         const PvLineCosts *functions, uint32_t n_functions, GError **error)
{
    g_assert (given != NULL && tree != NULL && functions != NULL);
    g_assert (n_functions > 0 && n_functions <= functions->n_functions);
    PvSourceCache sources;
    Report report = {
        .base = *given, .files = pv_code_files_new (&given->options->symbols), .sources = &sources};
    report.base.tree = tree;
    report.base.whole = tree->total[0];
    pv_source_cache_init (&sources);
    bool is_written = write_functions (&report, functions, n_functions, error);
    pv_source_cache_clear (&sources);
    pv_code_files_unref (report.files);
    return is_written;
}
