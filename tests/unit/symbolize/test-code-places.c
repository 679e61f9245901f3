/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where code is that no program's file has: in jitdumps, and in the kernel's memory. */
#include <elf.h>
#include <glib/gstdio.h>
#include <string.h>

#include "../cases.h"
#include "../scratch.h"
#include "core/base/error.h"
#include "core/model/build/builder.h"
#include "core/symbolize/machine/machine-code.h"
#include "core/symbolize/symbolizer.h"
#include "elf-maker.h"

static void
write_bytes (const char *folder, const char *name, const void *bytes, size_t size_bytes)
{
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_assert_true (g_file_set_contents (path, bytes, (gssize)size_bytes, NULL));
}

/* Running */

typedef struct {
    const PvProfile *profile;
    PvCodeFiles *files;
    PvSymbolTable *table;
} Names;

static void
take_table (PvSymbolTable *table, void *user)
{
    Names *names = user;
    pv_symbol_table_free (names->table);
    names->table = table;
}

static Names
name_all (const PvProfile *profile, const char *folder)
{
    const char *folders[] = {folder, NULL};
    PvSymbolOptions options = {.search_paths = folders, .n_workers = 1};
    Names names = {.profile = profile, .files = pv_code_files_new (&options)};
    g_assert_true (pv_symbolize (profile, pv_code_files_get_modules (names.files), &options,
                                 take_table, &names, NULL, NULL));
    return names;
}

static void
clear_names (Names *names)
{
    pv_symbol_table_free (names->table);
    pv_code_files_unref (names->files);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Names, clear_names)

/* The places of the function at a location; NULL with the problem in words. */
static PvCodePlaces *
find (const Names *names, PvLocationId location, char **ret_problem)
{
    uint32_t n_frames;
    g_autoptr (GError) error = NULL;
    const PvFrame *frames = pv_symbol_table_frames (names->table, location, &n_frames);
    g_assert_cmpuint (n_frames, >, 0);
    PvCodePlaces *places = pv_code_places_find (
        names->profile, names->table, frames[n_frames - 1].function, 0, names->files, NULL, &error);
    g_assert_true ((places == NULL) == (error != NULL));
    *ret_problem = error != NULL ? g_strdup (error->message) : NULL;
    return places;
}

static void
assert_problem (const Names *names, PvLocationId location, const char *part)
{
    g_autofree char *problem = NULL;
    g_autoptr (PvCodePlaces) places = find (names, location, &problem);
    g_assert_null (places);
    if (strstr (problem, part) == NULL)
        g_error ("“%s” does not say “%s”", problem, part);
}

/* "mnemonic mnemonic" of the first place, or why there are none. */
static char *
list_instructions (const Names *names, const PvCodePlaces *places, PvMachineCode **ret_code)
{
    const uint32_t first = 0;
    GString *text = g_string_new (NULL);
    PvMachineCode *code =
        assert_ok (error, pv_machine_code_build (places, &first, 1, names->table, NULL, &error));
    for (uint32_t i = 0; i < code->n_instructions; i++)
        g_string_append_printf (text, "%s%s", i > 0 ? " " : "", code->instructions[i].mnemonic);
    if (code->parts[0].problem != NULL)
        g_string_append (text, code->parts[0].problem);
    *ret_code = code;
    return g_string_free (text, FALSE);
}

/* Code made at run time */

static const uint8_t sum_code[] = {0x31, 0xc0,                   /* xor %eax,%eax */
                                   0x48, 0x01, 0xf8,             /* add %rdi,%rax */
                                   0xe8, 0xf6, 0x00, 0x00, 0x00, /* call 0x10100 */
                                   0xc3};                        /* ret */

/* A dump whose only code begins at *ret_offset. */
static GByteArray *
make_dump (bool is_big_endian, uint16_t machine, const char *name, uint64_t *ret_offset)
{
    g_autoptr (ElfMaker) order = elf_maker_new (true, is_big_endian, ET_DYN, machine);
    GByteArray *out = g_byte_array_new ();
    const uint32_t header[] = {0x4A695444, 1, 40, machine, 0, 5, 0, 0, 0, 0};
    for (unsigned i = 0; i < G_N_ELEMENTS (header); i++)
        elf_maker_put (order, out, header[i], 4);
    for (unsigned i = 0; i < 16 + 40; i++)
        elf_maker_put (order, out, 0, 1);
    g_byte_array_append (out, (const uint8_t *)name, (guint)strlen (name) + 1);
    *ret_offset = out->len;
    g_byte_array_append (out, sum_code, sizeof sum_code);
    return out;
}

static PvProfile *
make_named_profile (const char *name, uint64_t offset, const char *code_path)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    const PvNamedRange ranges[] = {
        {0x10000, 2, name, "/src/sums.lang", 3, offset},
        {0x10002, 3, name, "/src/sums.lang", 4, offset + 2},
        {0x10005, 6, name, "/src/sums.lang", 9, offset + 5},
        {0x10100, 16, "mix", NULL, 0, 0},
    };
    PvModule module = {.path = "/tmp/perf-5.map",
                       .name = "[JIT]",
                       .kind = PV_MODULE_JIT,
                       .address_kind = PV_ADDRESS_RUNTIME,
                       .pid = 5,
                       .container_pid = 5,
                       .code_path = code_path,
                       .named_ranges = ranges,
                       .n_named_ranges = G_N_ELEMENTS (ranges)};
    PvModuleId id = pv_profile_builder_add_module (builder, &module);
    pv_profile_builder_location (builder, id, 0x10003, PV_LOCATION_EXACT);
    pv_profile_builder_location (builder, id, 0x1000a, PV_LOCATION_RETURN);
    pv_profile_builder_location (builder, id, 0x10104, PV_LOCATION_EXACT);
    return pv_profile_builder_snapshot (builder);
}

static PvProfile *
make_jit_profile (uint64_t offset, const char *code_path)
{
    return make_named_profile ("sum", offset, code_path);
}

TEST (jit)
{
    g_autofree char *folder = scratch_new_folder ();
    g_autofree char *problem = NULL;
    uint64_t offset;
    g_autoptr (GByteArray) dump = make_dump (false, EM_X86_64, "sum", &offset);
    write_bytes (folder, "jit-5.dump", dump->data, dump->len);
    g_autoptr (PvProfile) profile = make_jit_profile (offset, "/tmp/jit-5.dump");
    g_auto (Names) names = name_all (profile, folder);
    g_autoptr (PvCodePlaces) places = find (&names, 1, &problem);
    g_assert_nonnull (places);
    g_assert_cmpuint (places->n_places, ==, 1);
    g_assert_cmphex (places->places[0].start, ==, 0x10000);
    g_assert_cmphex (places->places[0].end, ==, 0x1000b);
    g_assert_cmpstr (places->places[0].name, ==, "sum");
    g_assert_cmpuint (places->place_of_location[2], ==, 1);
    g_autoptr (PvMachineCode) code = NULL;
    assert_string (list_instructions (&names, places, &code), "xorl addq callq retq");
    g_assert_cmpstr (pv_elf_image_get_path (code->binary), ==, "/tmp/jit-5.dump");
    static const unsigned lines[] = {3, 4, 9, 9};
    g_assert_true (code->has_lines);
    for (unsigned i = 0; i < 4; i++) {
        const PvInstructionLines *line = &code->lines[code->instructions[i].lines];
        g_assert_cmpuint (line->n_frames, ==, 1);
        g_assert_cmpuint (line->frames[0].line, ==, lines[i]);
        g_assert_cmpstr (line->frames[0].file, ==, "/src/sums.lang");
    }
    /* It calls code without bytes, whose name is known. */
    g_assert_cmpstr (code->callees[code->instructions[2].callee].name, ==, "mix");
    g_autofree char *no_problem = NULL;
    g_autoptr (PvCodePlaces) bare = find (&names, 3, &no_problem);
    g_autoptr (PvMachineCode) no_code = NULL;
    g_autofree char *said = list_instructions (&names, bare, &no_code);
    g_assert_nonnull (strstr (said, "does not contain"));
}

/* Code of another processor, in its byte order. */
TEST (jit_of_other_machine)
{
    g_autofree char *folder = scratch_new_folder ();
    g_autofree char *problem = NULL;
    uint64_t offset;
    g_autoptr (GByteArray) dump = make_dump (true, EM_PPC64, "sum", &offset);
    static const uint8_t bytes[] = {0x38, 0x60, 0, 1, 0x4e, 0x80, 0, 0x20}; /* li r3,1; blr */
    memcpy (dump->data + offset, bytes, sizeof bytes);
    write_bytes (folder, "jit-5.dump", dump->data, dump->len);
    g_autoptr (PvProfile) profile = make_jit_profile (offset, "/tmp/jit-5.dump");
    g_auto (Names) names = name_all (profile, folder);
    g_autoptr (PvCodePlaces) places = find (&names, 1, &problem);
    g_autoptr (PvMachineCode) code = NULL;
    g_autofree char *shown = list_instructions (&names, places, &code);
    g_assert_true (g_str_has_prefix (shown, "li blr"));
}

/* Python 3.13 leaves the processor out: it is the recording's. */
TEST (jit_of_no_machine)
{
    g_autofree char *folder = scratch_new_folder ();
    g_autofree char *problem = NULL;
    uint64_t offset;
    g_autoptr (GByteArray) dump = make_dump (false, EM_NONE, "sum", &offset);
    write_bytes (folder, "jit-5.dump", dump->data, dump->len);
    g_autoptr (PvProfile) profile = make_jit_profile (offset, "/tmp/jit-5.dump");
    g_auto (Names) names = name_all (profile, folder);
    g_autoptr (PvCodePlaces) places = find (&names, 1, &problem);
    g_autoptr (PvMachineCode) code = NULL;
    assert_string (list_instructions (&names, places, &code), "xorl addq callq retq");
}

static char *
list_named (const char *raw, bool is_big_endian, const char *kept)
{
    g_autofree char *folder = scratch_new_folder ();
    g_autofree char *problem = NULL;
    uint64_t offset;
    g_autoptr (GByteArray) dump = make_dump (is_big_endian, EM_X86_64, raw, &offset);
    size_t index_end = offset - strlen (raw) - 1;
    dump->data[is_big_endian ? index_end - 1 : index_end - 8] = 'i';
    write_bytes (folder, "jit-5.dump", dump->data, dump->len);
    g_autoptr (PvProfile) profile = make_named_profile (kept, offset, "/tmp/jit-5.dump");
    g_auto (Names) names = name_all (profile, folder);
    g_autoptr (PvCodePlaces) places = find (&names, 1, &problem);
    g_autoptr (PvMachineCode) code = NULL;
    return list_instructions (&names, places, &code);
}

/* The profile has long names cut, and others with what can be shown only. */
TEST (jit_names)
{
    g_autofree char *cut = g_strnfill (PV_MAX_JIT_NAME_BYTES, 'n');
    g_autofree char *longer = g_strconcat (cut, "more", NULL);
    g_autofree char *split = g_strconcat (cut + 1, "é", NULL);
    g_autofree char *split_cut = g_strndup (split, PV_MAX_JIT_NAME_BYTES);
    const char *const names[][2] = {
        {longer, cut},    {split, split_cut}, {cut, cut},     {"a\xff z", "a\xff z"},
        {"\xc3", "\xc3"}, {"a\nb", "a\nb"},   {"été", "été"}, {"", ""}};
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
        for (int is_big_endian = 0; is_big_endian < 2; is_big_endian++) {
            assert_string (list_named (names[i][0], is_big_endian, names[i][1]),
                           "xorl addq callq retq");
        }
    const char *const others[][2] = {
        {"a\xff z", "b\xff z"}, {"\xc3", "a\xc3"}, {"", "a"}, {"a", "ab"}};
    for (size_t i = 0; i < G_N_ELEMENTS (others); i++) {
        g_autofree char *said = list_named (others[i][0], false, others[i][1]);
        g_assert_nonnull (strstr (said, "does not contain"));
    }
}

TEST (jit_problems)
{
    g_autofree char *folder = scratch_new_folder ();
    uint64_t offset;
    g_autoptr (GByteArray) other = make_dump (false, EM_X86_64, "sun", &offset);
    g_autoptr (PvProfile) profile = make_jit_profile (offset, "/tmp/no/jit-5.dump");
    Names names = name_all (profile, folder);
    assert_problem (&names, 1, "“/tmp/no/jit-5.dump”, which was not found");
    /* The dump of another run has other code there; a shorter one has none. */
    for (unsigned i = 0; i < 2; i++) {
        g_autofree char *problem = NULL;
        write_bytes (folder, "jit-5.dump", other->data, i == 0 ? other->len : offset);
        g_autoptr (PvCodePlaces) places = find (&names, 1, &problem);
        g_autoptr (PvMachineCode) code = NULL;
        g_autofree char *said = list_instructions (&names, places, &code);
        g_assert_nonnull (strstr (said, "does not contain"));
    }
    write_bytes (folder, "jit-5.dump", "no", 2);
    assert_problem (&names, 1, "has changed since the recording");
    clear_names (&names);
    g_autoptr (PvProfile) without = make_jit_profile (0, NULL);
    names = name_all (without, folder);
    assert_problem (&names, 1, "--perf-prof");
    clear_names (&names);
}

/* 32 bits: Thumb, then a table of jumps that begins between two words. */
TEST (data_rows)
{
    static const uint8_t bytes[] = {0x00, 0xbf, 0x70, 0x47, 0x00, 0xbf, 1, 2, 3, 4, 5, 6, 7};
    static const unsigned sizes[] = {2, 2, 2, 2, 4, 1};
    const PvCodeMachine machine = {.machine = EM_ARM};
    const PvCodePiece piece = {0x1000, bytes, sizeof bytes};
    g_autoptr (PvElfImage) image = pv_code_image_new (&machine, &piece, 1, "thumb");
    g_autoptr (PvArena) arena = pv_arena_new ();
    g_autoptr (PvDecoder) decoder = pv_decoder_new (image, arena);
    PvInstructions rows = {0};
    size_t size_bytes;

    g_assert_false (pv_elf_image_is_64bit (image));
    const uint8_t *read = pv_elf_image_read (image, 0x1000, &size_bytes);
    g_assert_cmpmem (read, size_bytes, bytes, sizeof bytes);
    g_assert_true (pv_decoder_run (decoder, PV_CODE_THUMB, read, 6, 0x1000, &rows, NULL));
    g_assert_true (pv_decoder_run (decoder, PV_CODE_DATA, read + 6, 7, 0x1006, &rows, NULL));
    g_assert_cmpuint (rows.len, ==, G_N_ELEMENTS (sizes));
    for (size_t i = 0; i < rows.len; i++)
        g_assert_cmpuint (rows.data[i].size_bytes, ==, sizes[i]);
    g_assert_cmpstr (rows.data[1].mnemonic, ==, "bx");
    g_assert_cmpstr (rows.data[4].operands, ==, "0x03, 0x04, 0x05, 0x06");
    pv_array_clear (&rows);
}

/* The kernel */

#define KERNEL_START UINT64_C (0xffffffff81000000)
#define MODULE_START UINT64_C (0xffffffffc0001000)

static const char kallsyms[] = "ffffffff81000000 T _text\n"
                               "ffffffff81000100 T do_syscall\n"
                               "ffffffff8100010a t helper\n"
                               "ffffffff81000200 D data\n"
                               "ffffffffc0001000 t kvm_run\t[kvm]\n"
                               "ffffffffc0001003 t kvm_end\t[kvm]\n";

/* push %rbx; call helper; pop %rbx; ret; int3; int3 | ret */
static const uint8_t kernel_code[] = {0x53, 0xe8, 0x04, 0x00, 0x00, 0x00,
                                      0x5b, 0xc3, 0xcc, 0xcc, 0xc3};
static const uint8_t module_code[] = {0x90, 0x90, 0xc3};

static PvProfile *
make_kernel_profile (uint64_t shift)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    const PvNamedRange program = {KERNEL_START + 0x5000, 16, "bpf_prog_1", NULL, 0, 0};
    PvModule kernel = {.path = "[kernel.kallsyms]",
                       .kind = PV_MODULE_KERNEL,
                       .address_kind = PV_ADDRESS_RUNTIME,
                       .is_kernel = true,
                       .load_addr = KERNEL_START + shift,
                       .reference_symbol = "_text",
                       .reference_addr = KERNEL_START + shift,
                       .build_id = {1, 2, 3, 4},
                       .build_id_size = 20};
    PvModule kvm = {.path = "[kvm]",
                    .kind = PV_MODULE_KERNEL_MODULE,
                    .address_kind = PV_ADDRESS_RUNTIME,
                    .is_kernel = true,
                    .load_addr = MODULE_START};
    PvModule bpf = {.path = "[bpf]",
                    .kind = PV_MODULE_KERNEL_MODULE,
                    .address_kind = PV_ADDRESS_RUNTIME,
                    .is_kernel = true,
                    .named_ranges = &program,
                    .n_named_ranges = 1};
    PvModuleId id = pv_profile_builder_add_module (builder, &kernel);
    pv_profile_builder_location (builder, id, KERNEL_START + 0x106 + shift, PV_LOCATION_EXACT);
    id = pv_profile_builder_add_module (builder, &kvm);
    pv_profile_builder_location (builder, id, MODULE_START + 1, PV_LOCATION_EXACT);
    id = pv_profile_builder_add_module (builder, &bpf);
    pv_profile_builder_location (builder, id, program.start + 4, PV_LOCATION_EXACT);
    return pv_profile_builder_snapshot (builder);
}

static void
write_kcore (const char *folder)
{
    g_autoptr (ElfMaker) maker = elf_maker_new (true, false, ET_CORE, EM_X86_64);
    g_autofree char *path = g_build_filename (folder, "kcore", NULL);
    uint8_t memory[0x400] = {0};
    memcpy (memory + 0x100, kernel_code, sizeof kernel_code);
    elf_maker_load (maker,
                    elf_maker_section (maker, (MakerSection){.name = "kernel",
                                                             .type = SHT_PROGBITS,
                                                             .addr = KERNEL_START,
                                                             .data = memory,
                                                             .size_bytes = sizeof memory}),
                    true);
    elf_maker_load (maker,
                    elf_maker_section (maker, (MakerSection){.name = "modules",
                                                             .type = SHT_PROGBITS,
                                                             .addr = MODULE_START,
                                                             .data = module_code,
                                                             .size_bytes = sizeof module_code}),
                    true);
    elf_maker_write (maker, path);
}

TEST (kcore)
{
    static const uint64_t shifts[] = {0, 0x1c00000};
    g_autofree char *folder = scratch_new_folder ();

    write_bytes (folder, "kallsyms", kallsyms, strlen (kallsyms));
    write_kcore (folder);
    for (unsigned i = 0; i < G_N_ELEMENTS (shifts); i++) {
        g_autofree char *problem = NULL;
        g_autoptr (PvProfile) profile = make_kernel_profile (shifts[i]);
        g_auto (Names) names = name_all (profile, folder);
        g_autoptr (PvCodePlaces) places = find (&names, 1, &problem);
        g_assert_cmpstr (problem, ==, NULL);
        g_assert_cmpuint (places->n_places, ==, 1);
        g_assert_cmphex (places->places[0].start, ==, KERNEL_START + 0x100 + shifts[i]);
        g_assert_cmphex (places->places[0].end, ==, KERNEL_START + 0x10a + shifts[i]);
        g_autoptr (PvMachineCode) code = NULL;
        assert_string (list_instructions (&names, places, &code),
                       "pushq callq popq retq int3 int3");
        g_assert_cmpstr (code->callees[code->instructions[1].callee].name, ==, "helper");
        g_assert_true (g_str_has_suffix (pv_elf_image_get_path (code->binary), "/kcore"));
        assert_problem (&names, 3, "BPF");
        if (shifts[i] != 0) {
            assert_problem (&names, 2, "has been restarted");
        } else {
            g_autofree char *no_problem = NULL;
            g_autoptr (PvCodePlaces) module = find (&names, 2, &no_problem);
            g_autoptr (PvMachineCode) code_of_module = NULL;
            assert_string (list_instructions (&names, module, &code_of_module), "nop nop retq");
        }
    }
}

TEST (kernel_problems)
{
    g_autofree char *folder = scratch_new_folder ();
    g_autoptr (PvProfile) profile = make_kernel_profile (0);

    g_auto (Names) names = name_all (profile, folder);
    assert_problem (&names, 1, "install the kernel's debug symbols");
    assert_problem (&names, 1, "A different kernel");
    write_bytes (folder, "kallsyms", "0000000000000000 T _text\n", 25);
    assert_problem (&names, 1, "Only root");
    write_bytes (folder, "kallsyms", kallsyms, strlen (kallsyms));
    assert_problem (&names, 1, "cannot be read from the running");
    write_bytes (folder, "kcore", "damaged", 7);
    assert_problem (&names, 1, "cannot be read from the running");
    assert_problem (&names, 2, "patched when they are loaded");
}

/* vmlinux comes first; one without code, only with debug information, does not count. */
TEST (vmlinux)
{
    g_autofree char *folder = scratch_new_folder ();
    uint8_t id[20] = {1, 2, 3, 4}, memory[0x400] = {0};
    memory[0x100] = 0xf4; /* hlt */
    memory[0x101] = 0xc3;

    write_bytes (folder, "kallsyms", kallsyms, strlen (kallsyms));
    write_kcore (folder);
    for (unsigned has_code = 0; has_code < 2; has_code++) {
        g_autofree char *path = g_build_filename (folder, "boot", "vmlinux-6.1", NULL);
        g_autoptr (ElfMaker) maker = elf_maker_new (true, false, ET_EXEC, EM_X86_64);
        uint32_t text =
            elf_maker_section (maker, (MakerSection){.name = ".text",
                                                     .type = has_code ? SHT_PROGBITS : SHT_NOBITS,
                                                     .flags = SHF_ALLOC | SHF_EXECINSTR,
                                                     .addr = KERNEL_START,
                                                     .data = memory,
                                                     .size_bytes = sizeof memory});
        if (has_code)
            elf_maker_load (maker, text, true);
        MakerSymbol symbols[] = {{"_text", KERNEL_START, 0, STB_GLOBAL, STT_NOTYPE, 1},
                                 {"do_syscall", KERNEL_START + 0x100, 2, STB_GLOBAL, STT_FUNC, 1},
                                 {"do_more", KERNEL_START + 0x102, 9, STB_GLOBAL, STT_FUNC, 1},
                                 {NULL}};
        elf_maker_symbols (maker, false, symbols);
        elf_maker_build_id (maker, id, sizeof id);
        elf_maker_write (maker, path);
        g_autofree char *problem = NULL;
        g_autoptr (PvProfile) profile = make_kernel_profile (0);
        g_auto (Names) names = name_all (profile, folder);
        g_autoptr (PvCodePlaces) places = find (&names, 1, &problem);
        g_assert_cmpstr (problem, ==, NULL);
        g_autoptr (PvMachineCode) code = NULL;
        g_autofree char *shown = list_instructions (&names, places, &code);
        const char *file = has_code ? "/boot/vmlinux-6.1" : "/kcore";
        g_assert_true (g_str_has_suffix (pv_elf_image_get_path (code->binary), file));
        g_assert_true (has_code || g_str_has_prefix (shown, "pushq callq popq retq"));
    }
}

TESTS_MAIN (argc, argv)
{
    return scratch_run_tests (argc, argv);
}
