/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/machine/machine-code.h"

#include <elf.h>
#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/error.h"
#include "core/base/intern.h"
#include "core/symbolize/dwarf/dwarf-index.h"
#include "core/symbolize/go/go-pclntab.h"
#include "core/symbolize/names/demangle.h"
#include "core/symbolize/names/elf-symbols.h"

typedef struct {
    const PvCodePlaces *places;
    const PvSymbolTable *symbols;
    PvMachineCode *code;
    PvInstructions instructions;
    PV_ARRAY (PvInstructionLines) lines;
    PV_ARRAY (PvCallee) callees;
    PvDemangler *demangler;
    GHashTable *kept; /* text -> its only copy in the arena */
    PvJob *job;
} Build;

/* --- instructions --- */

static PvCodeState
get_state (char what)
{
    return what == 'd' ? PV_CODE_DATA : what == 't' ? PV_CODE_THUMB : PV_CODE_DEFAULT;
}

/* Decodes the bytes of a place between its mapping symbols. */
static bool
decode_place (Build *build, PvDecoder *decoder, const PvCodePlace *place, PvCodePart *part)
{
    size_t size_bytes, n_marks;
    const uint8_t *bytes = pv_elf_image_read (build->code->binary, place->start, &size_bytes);
    if (bytes == NULL) {
        part->problem = _ ("The file does not hold the code at this address.");
        return true;
    }
    uint64_t end = place->start + MIN (size_bytes, place->end - place->start);
    g_autofree PvCodeMark *marks =
        pv_elf_symbols_list_marks (build->places->file, place->start, end, &n_marks);
    uint64_t start = place->start;
    PvCodeState state = PV_CODE_DEFAULT;
    for (size_t m = 0; m <= n_marks; m++) {
        uint64_t next = m < n_marks ? MIN (MAX (marks[m].addr, start), end) : end;
        if (next > start &&
            !pv_decoder_run (decoder, state, bytes + (start - place->start), (size_t)(next - start),
                             start, &build->instructions, build->job))
            return false;
        start = next;
        if (m < n_marks)
            state = get_state (marks[m].what);
    }
    return true;
}

static bool
decode_places (Build *build, const uint32_t *chosen, uint32_t n_chosen, GError **error)
{
    PvMachineCode *code = build->code;
    g_autoptr (PvDecoder) decoder = pv_decoder_new (code->binary, code->arena);
    if (decoder == NULL) {
        g_set_error_literal (error, PV_READ_ERROR, PV_READ_ERROR_UNSUPPORTED,
                             _ ("The instructions of this kind of processor are not known."));
        return false;
    }
    code->parts = g_new0 (PvCodePart, MAX (n_chosen, 1));
    for (uint32_t c = 0; c < n_chosen; c++) {
        PvCodePart *part = &code->parts[c];
        part->place = chosen[c];
        part->first = (uint32_t)build->instructions.len;
        if (!decode_place (build, decoder, &build->places->places[chosen[c]], part))
            return pv_job_check (build->job, error);
        part->n_instructions = (uint32_t)build->instructions.len - part->first;
        code->n_parts++;
    }
    code->instructions = build->instructions.data;
    code->n_instructions = (uint32_t)build->instructions.len;
    return true;
}

uint32_t
pv_machine_code_find (const PvMachineCode *code, const PvCodePart *part, uint64_t link_addr)
{
    g_assert (code != NULL && part != NULL);

    const PvInstruction *rows = code->instructions + part->first;
    uint32_t low = 0, high = part->n_instructions;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (rows[middle].addr <= link_addr)
            low = middle + 1;
        else
            high = middle;
    }
    bool is_inside = low > 0 && link_addr - rows[low - 1].addr < rows[low - 1].size_bytes;
    return is_inside ? part->first + low : 0;
}

/* --- lines --- */

static const char *
keep (Build *build, const char *text)
{
    if (text == NULL)
        return NULL;
    const char *known = g_hash_table_lookup (build->kept, text);
    if (known != NULL)
        return known;
    g_autofree char *showable = pv_make_showable (text, strlen (text));
    char *copy = pv_arena_strndup (build->code->arena, showable, strlen (showable));
    g_hash_table_insert (build->kept, g_strdup (text), copy);
    return copy;
}

static bool
are_lines_equal (const PvInstructionLines *lines, const PvInstructionFrame *frames, uint32_t n)
{
    bool is_equal = lines->n_frames == n;
    for (uint32_t f = 0; is_equal && f < n; f++)
        is_equal = lines->frames[f].line == frames[f].line &&
                   g_strcmp0 (lines->frames[f].file, frames[f].file) == 0 &&
                   g_strcmp0 (lines->frames[f].function, frames[f].function) == 0;
    return is_equal;
}

static uint32_t
add_lines (Build *build, const PvFrameChain *chain)
{
    PvInstructionFrame *frames =
        pv_arena_alloc0 (build->code->arena, chain->n_frames * sizeof *frames);
    for (uint32_t f = 0; f < chain->n_frames; f++) {
        const PvChainFrame *from = &chain->frames[f];
        frames[f] = (PvInstructionFrame){.file = from->file, .line = from->line};
        if (from->linkage_name != NULL)
            frames[f].function = pv_demangler_get (build->demangler, from->linkage_name).short_name;
        else if (from->name != NULL)
            frames[f].function = pv_demangler_get (build->demangler, from->name).short_name;
    }
    if (!are_lines_equal (&build->lines.data[build->lines.len - 1], frames, chain->n_frames))
        pv_array_push (&build->lines, ((PvInstructionLines){frames, chain->n_frames}));
    return (uint32_t)build->lines.len - 1;
}

/* Strings of chains live in the code's arena: make them showable there. Neighbours share frames. */
static void
set_lines (Build *build, const PvCodePart *part, const PvFrameChain *chains)
{
    PvInstruction *rows = build->code->instructions + part->first;
    const PvChainFrame *before = NULL;
    const char *file = NULL, *kept = NULL;
    uint32_t row = 0;

    for (uint32_t i = 0; i < part->n_instructions; i++) {
        if (chains[i].n_frames == 0)
            continue;
        if (chains[i].frames != before) {
            PvChainFrame *frames = (PvChainFrame *)chains[i].frames;
            for (uint32_t f = 0; f < chains[i].n_frames; f++) {
                if (frames[f].file != NULL &&
                    (file == NULL || strcmp (file, frames[f].file) != 0)) {
                    file = frames[f].file;
                    kept = keep (build, file);
                }
                frames[f].file = frames[f].file != NULL ? kept : NULL;
            }
            row = add_lines (build, &chains[i]);
            before = chains[i].frames;
        }
        rows[i].lines = row;
    }
}

/* Looks the sorted addresses up, unit by unit. */
static void
find_dwarf_lines (Build *build, const PvDwarfUnits *units, const uint64_t *addrs, uint32_t n,
                  PvFrameChain *chains)
{
    g_autoptr (PvDwarfWorker) worker = pv_dwarf_worker_new (units);
    for (uint32_t first = 0, end; first < n; first = end) {
        uint32_t unit = pv_dwarf_units_find (units, addrs[first]);
        for (end = first + 1; end < n && pv_dwarf_units_find (units, addrs[end]) == unit;)
            end++;
        if (unit != UINT32_MAX)
            pv_dwarf_worker_resolve (worker, unit, addrs + first, end - first, chains + first,
                                     build->code->arena, build->job);
    }
}

static void
find_lines (Build *build)
{
    PvMachineCode *code = build->code;
    const PvModuleFile *file = build->places->file;
    const char *problem = NULL;
    g_autoptr (PvGoTable) table = pv_go_table_new (file->binary, code->arena);
    g_autoptr (PvDwarfUnits) units = NULL;

    if (file->debug != NULL && pv_elf_image_get_type (file->debug) != ET_REL)
        units = pv_dwarf_units_new (file, build->job, &problem);
    code->has_lines = units != NULL || table != NULL;
    for (uint32_t p = 0; p < code->n_parts; p++) {
        const PvCodePart *part = &code->parts[p];
        if (part->n_instructions == 0)
            continue;
        const PvInstruction *rows = code->instructions + part->first;
        g_autofree uint64_t *addrs = g_new (uint64_t, MAX (part->n_instructions, 1));
        g_autofree PvFrameChain *chains = g_new0 (PvFrameChain, MAX (part->n_instructions, 1));
        for (uint32_t i = 0; i < part->n_instructions; i++)
            addrs[i] = rows[i].addr;
        code->has_lines |= pv_code_places_find_lines (build->places, addrs, part->n_instructions,
                                                      chains, code->arena);
        if (units != NULL)
            find_dwarf_lines (build, units, addrs, part->n_instructions, chains);
        for (uint32_t i = 0; table != NULL && i < part->n_instructions; i++)
            if (!pv_job_is_cancelled (build->job))
                pv_go_table_find (table, addrs[i], &chains[i]);
        set_lines (build, part, chains);
    }
}

/* --- targets --- */

static int
compare_addrs (const void *a_, const void *b_)
{
    const uint64_t *a = a_, *b = b_;
    return *a < *b ? -1 : *a > *b;
}

/* The function of the profile that has this symbol; 0: none. */
static PvFunctionId
find_function (GHashTable *function_of_symbol, const char *symbol)
{
    g_autofree char *plain = g_str_has_suffix (symbol, "@plt")
                                 ? g_strndup (symbol, strlen (symbol) - strlen ("@plt"))
                                 : g_strdup (symbol);
    return GPOINTER_TO_UINT (g_hash_table_lookup (function_of_symbol, plain));
}

/* Symbol -> function: of the same module, if one is there. */
static GHashTable *
index_functions (const Build *build)
{
    GHashTable *table = g_hash_table_new (g_str_hash, g_str_equal);
    for (PvFunctionId f = 1; f < build->symbols->n_functions; f++) {
        const PvFunction *function = &build->symbols->functions[f];
        const char *name = function->raw_name != NULL ? function->raw_name : function->name;
        if (name != NULL &&
            (function->module == build->places->module || !g_hash_table_contains (table, name)))
            g_hash_table_insert (table, (gpointer)name, GUINT_TO_POINTER (f));
    }
    return table;
}

static void
add_callees (Build *build, const uint64_t *addrs, size_t n)
{
    g_autofree PvSymbolHit *hits = g_new0 (PvSymbolHit, MAX (n, 1));
    pv_code_places_find_symbols (build->places, addrs, n, hits, build->code->arena);
    g_autoptr (GHashTable) function_of_symbol = index_functions (build);
    for (size_t i = 0; i < n; i++) {
        PvCallee callee = {.addr = addrs[i]};
        if (hits[i].kind == PV_SYMBOL_NAMED) {
            callee.name =
                keep (build, pv_demangler_get (build->demangler, hits[i].name).short_name);
            callee.offset = addrs[i] - hits[i].start;
            callee.function = find_function (function_of_symbol, hits[i].name);
        }
        pv_array_push (&build->callees, callee);
    }
}

/* Jumps inside a part get the row they lead to, all others a callee. */
static void
find_targets (Build *build)
{
    PvMachineCode *code = build->code;
    PV_ARRAY (uint64_t) addrs = {0};

    for (uint32_t p = 0; p < code->n_parts; p++) {
        const PvCodePart *part = &code->parts[p];
        for (uint32_t i = part->first; i < part->first + part->n_instructions; i++) {
            PvInstruction *row = &code->instructions[i];
            if (row->target_addr == PV_NO_TARGET)
                continue;
            if (row->kind == PV_INSTRUCTION_JUMP)
                row->target = pv_machine_code_find (code, part, row->target_addr);
            if (row->target == 0)
                pv_array_push (&addrs, row->target_addr);
        }
    }
    if (addrs.len > 0)
        qsort (addrs.data, addrs.len, sizeof *addrs.data, compare_addrs);
    size_t n = 0;
    for (size_t i = 0; i < addrs.len; i++)
        if (n == 0 || addrs.data[n - 1] != addrs.data[i])
            addrs.data[n++] = addrs.data[i];
    add_callees (build, addrs.data, n);
    for (uint32_t i = 0; i < code->n_instructions; i++) {
        PvInstruction *row = &code->instructions[i];
        if (row->target_addr == PV_NO_TARGET || row->target != 0)
            continue;
        const uint64_t *place =
            bsearch (&row->target_addr, addrs.data, n, sizeof *addrs.data, compare_addrs);
        if (place != NULL)
            row->callee = (uint32_t)(place - addrs.data) + 1;
    }
    pv_array_clear (&addrs);
}

PvMachineCode *
pv_machine_code_build (const PvCodePlaces *places, const uint32_t *chosen, uint32_t n_chosen,
                       const PvSymbolTable *symbols, PvJob *job, GError **error)
{
    g_assert (places != NULL && symbols != NULL);
    g_assert (chosen != NULL || n_chosen == 0);

    g_autoptr (PvMachineCode) code = g_new0 (PvMachineCode, 1);
    code->arena = pv_arena_new ();
    code->binary = pv_elf_image_ref (places->file->binary);
    Build build = {.places = places, .symbols = symbols, .code = code, .job = job};
    build.demangler = pv_demangler_new (code->arena, false);
    build.kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    pv_array_push (&build.lines, (PvInstructionLines){0});
    pv_array_push (&build.callees, (PvCallee){0});
    bool is_built = decode_places (&build, chosen, n_chosen, error);
    if (is_built) {
        find_lines (&build);
        find_targets (&build);
        is_built = pv_job_check (job, error);
    }
    code->instructions = pv_array_steal (&build.instructions);
    code->n_lines = (uint32_t)build.lines.len;
    code->lines = pv_array_steal (&build.lines);
    code->n_callees = (uint32_t)build.callees.len;
    code->callees = pv_array_steal (&build.callees);
    pv_demangler_free (build.demangler);
    g_hash_table_unref (build.kept);
    return is_built ? g_steal_pointer (&code) : NULL;
}

void
pv_machine_code_free (PvMachineCode *code)
{
    if (code == NULL)
        return;
    g_free (code->parts);
    g_free (code->instructions);
    g_free ((gpointer)code->lines);
    g_free ((gpointer)code->callees);
    pv_elf_image_unref (code->binary);
    pv_arena_free (code->arena);
    g_free (code);
}
