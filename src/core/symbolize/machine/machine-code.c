/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/machine/machine-code.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/error.h"
#include "core/base/idmap.h"
#include "core/base/intern.h"
#include "core/base/search.h"
#include "core/symbolize/machine/code-chains.h"
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
        part->problem = _ ("The file does not contain the code at this address.");
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
    if (decoder == NULL)
        return pv_read_fail (error, PV_READ_ERROR_UNSUPPORTED,
                             _ ("Code of this kind of processor cannot be disassembled."));
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
    uint32_t low = pv_bisect (0, part->n_instructions, i, rows[i].addr <= link_addr);
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
        const char *name = from->linkage_name != NULL ? from->linkage_name : from->name;
        if (name != NULL)
            frames[f].function =
                pv_demangler_get_from (build->demangler, name, from->source).short_name;
    }
    if (!are_lines_equal (&build->lines.data[build->lines.len - 1], frames, chain->n_frames))
        pv_array_push (&build->lines, ((PvInstructionLines){frames, chain->n_frames}));
    return (uint32_t)build->lines.len - 1;
}

/* Keeps what is shown of the chains. Neighbours share frames. */
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

static void
find_lines (Build *build)
{
    PvMachineCode *code = build->code;
    PvCodeChains chains;
    pv_code_chains_find (&chains, build->places, code->instructions, code->n_instructions,
                         build->job);
    code->has_lines = chains.has_lines;
    for (uint32_t p = 0; p < code->n_parts; p++)
        if (code->parts[p].n_instructions > 0)
            set_lines (build, &code->parts[p], chains.chains + code->parts[p].first);
    pv_code_chains_clear (&chains);
}

/* --- targets --- */

/* Without what the linker adds for a stub. */
static size_t
get_plain_length (const char *symbol)
{
    const size_t len = strlen (symbol);
    return g_str_has_suffix (symbol, "@plt") ? len - strlen ("@plt") : len;
}

static bool
is_symbol_of (const PvSymbolHit *hit, const char *name)
{
    const size_t len = get_plain_length (hit->name);
    return strncmp (hit->name, name, len) == 0 && name[len] == '\0';
}

/* By hit: the function of the profile with its symbol, of the same module if there is one; 0: none.
 * The profile may have very many names, so the hits are put into a map. */
static PvFunctionId *
find_functions (const Build *build, const PvSymbolHit *hits, size_t n)
{
    PvFunctionId *found = g_new0 (PvFunctionId, MAX (n, 1));
    g_autofree uint32_t *first_of_name = g_new0 (uint32_t, MAX (n, 1)); /* plus 1 */
    PvIdMap index = {0};

    for (size_t i = 0; i < n; i++) {
        if (hits[i].kind != PV_SYMBOL_NAMED)
            continue;
        const size_t len = get_plain_length (hits[i].name);
        uint32_t *slot = pv_id_map_slot (&index, pv_hash_bytes (hits[i].name, len, 0).a);
        if (*slot == 0)
            *slot = (uint32_t)i + 1;
        first_of_name[i] = *slot;
    }
    for (PvFunctionId f = 1; index.len > 0 && f < build->symbols->n_functions; f++) {
        const PvFunction *function = &build->symbols->functions[f];
        const char *name = function->raw_name;
        const uint32_t i = pv_id_map_find (&index, pv_hash_bytes (name, strlen (name), 0).a);
        if (i != 0 && is_symbol_of (&hits[i - 1], name) &&
            (function->module == build->places->module || found[i - 1] == 0))
            found[i - 1] = f;
    }
    for (size_t i = 0; i < n; i++)
        if (first_of_name[i] != 0)
            found[i] = found[first_of_name[i] - 1];
    pv_id_map_clear (&index);
    return found;
}

static void
add_callees (Build *build, const uint64_t *addrs, size_t n)
{
    g_autofree PvSymbolHit *hits = g_new0 (PvSymbolHit, MAX (n, 1));
    PvNameSource source = build->places->name_source;
    pv_code_places_find_symbols (build->places, addrs, n, hits, build->code->arena);
    g_autofree PvFunctionId *functions = find_functions (build, hits, n);
    for (size_t i = 0; i < n; i++) {
        PvCallee callee = {.addr = addrs[i]};
        if (hits[i].kind == PV_SYMBOL_NAMED) {
            callee.name = keep (
                build, pv_demangler_get_from (build->demangler, hits[i].name, source).short_name);
            callee.offset = addrs[i] - hits[i].start;
            callee.function = functions[i];
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
    size_t n = pv_sort_numbers (addrs.data, addrs.len);
    add_callees (build, addrs.data, n);
    for (uint32_t i = 0; i < code->n_instructions; i++) {
        PvInstruction *row = &code->instructions[i];
        if (row->target_addr == PV_NO_TARGET || row->target != 0)
            continue;
        row->callee = (uint32_t)pv_bisect (0, n, a, addrs.data[a] < row->target_addr) + 1;
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
