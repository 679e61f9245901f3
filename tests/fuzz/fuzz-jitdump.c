/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jitdumps: names and lines as the reader of recordings gives them, then the bytes and instructions
 * of each piece, and its rules of unwinding. */
#include <elf.h>
#include <string.h>

#include "core/model/build/builder.h"
#include "core/read/jit/jitdump.h"
#include "core/symbolize/machine/decoder.h"
#include "core/symbolize/machine/jit-code.h"

enum { MAX_PIECES = 64, MAX_PIECE_BYTES = 4096 };

static PvProfile *
read_dump (PvMappedFile *file)
{
    static const PvModule template_ = {.path = "/tmp/perf-5.map",
                                       .name = "[JIT]",
                                       .kind = PV_MODULE_JIT,
                                       .address_kind = PV_ADDRESS_RUNTIME};
    static const PvJitClock conversion = {.shift = 4, .mult = 5, .is_known = true};
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvJitCode *jit = pv_jit_code_new ();
    if (pv_jit_code_read_dump (jit, "/tmp/jit-5.dump", pv_mapped_file_get_data (file),
                               pv_mapped_file_get_size (file), &conversion, false)) {
        const PvJitLoad *load;
        uint64_t last_ns = 0;
        while ((load = pv_jit_code_next (jit, UINT64_MAX)) != NULL) {
            g_assert_cmpuint (load->time_ns, >=, last_ns);
            last_ns = load->time_ns;
            pv_jit_code_module (jit, builder, load->layer, &template_);
        }
        pv_jit_code_publish (jit, builder);
    }
    pv_jit_code_free (jit);
    return pv_profile_builder_snapshot (builder);
}

static void
decode (const PvElfImage *image, uint64_t addr, size_t expected)
{
    size_t size_bytes, n_shown = 0;
    g_autoptr (PvArena) arena = pv_arena_new ();
    PvInstructions instructions = {0};
    const uint8_t *bytes = pv_elf_image_read (image, addr, &size_bytes);
    g_assert_nonnull (bytes);
    g_assert_cmpuint (size_bytes, ==, expected);
    g_autoptr (PvDecoder) decoder = pv_decoder_new (image, arena);
    if (decoder != NULL) {
        pv_decoder_run (decoder, PV_CODE_DEFAULT, bytes, size_bytes, addr, &instructions, NULL);
        for (size_t i = 0; i < instructions.len; i++)
            n_shown += instructions.data[i].size_bytes;
        g_assert_cmpuint (n_shown, ==, size_bytes);
    }
    pv_array_clear (&instructions);
}

/* The rules of a piece lie within the dump. */
static void
check_rules (const PvJitDump *dump, const PvJitPiece *piece)
{
    uint64_t addr;
    const uint8_t *rules = pv_jit_dump_read_rules (dump, piece, &addr);
    if (rules == NULL || piece->unwind_size_bytes == 0)
        return;
    g_free (g_memdup2 (rules, piece->unwind_size_bytes));
}

static void
check_module (const PvJitDump *dump, const PvModule *module)
{
    for (uint32_t r = 0; r < MIN (module->n_named_ranges, MAX_PIECES); r++) {
        const PvNamedRange *range = &module->named_ranges[r];
        PvJitPiece piece;
        size_t size_bytes;
        g_assert_true (pv_jit_piece_find (module, range->start, &piece));
        g_assert_true (piece.start <= range->start && range->start < piece.end);
        g_assert_true (r == 0 || range->start >= range[-1].start + range[-1].size_bytes);
        check_rules (dump, &piece);
        const uint8_t *bytes = pv_jit_dump_read (dump, &piece, &size_bytes);
        if (bytes == NULL)
            continue;
        size_bytes = MIN (size_bytes, MAX_PIECE_BYTES);
        const PvCodePiece code = {piece.start, bytes, size_bytes};
        const PvCodeMachine machine = pv_jit_dump_find_machine (dump, EM_X86_64);
        g_autoptr (PvElfImage) image = pv_code_image_new (&machine, &code, 1, "code");
        if (pv_elf_image_is_64bit (image))
            decode (image, piece.start, size_bytes);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (g_memdup2 (data, size), size);
    g_autoptr (PvProfile) profile = read_dump (file);
    g_autoptr (PvJitDump) dump = pv_jit_dump_new (file);
    for (PvModuleId m = 1; dump != NULL && m < profile->n_modules; m++)
        check_module (dump, &profile->modules[m]);
    return 0;
}
