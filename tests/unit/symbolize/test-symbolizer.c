/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <elf.h>
#include <glib/gstdio.h>
#include <link.h>
#include <string.h>
#include <sys/utsname.h>
#include <utime.h>

#include "../cases.h"
#include "../made.h"
#include "../scratch.h"
#include "core/base/error.h"
#include "core/model/build/builder.h"
#include "core/symbolize/files/file-identity.h"
#include "core/symbolize/symbolizer.h"
#include "elf-maker.h"

static void
write_text (const char *folder, const char *path, const char *text)
{
    g_autofree char *full = g_build_filename (folder, path, NULL);
    g_autofree char *parent = g_path_get_dirname (full);

    g_assert_cmpint (g_mkdir_with_parents (parent, 0700), ==, 0);
    g_assert_true (g_file_set_contents (full, text, -1, NULL));
}

/* Running */

typedef struct {
    PvSymbolTable *table; /* the last one */
    unsigned n_tables;
    PvJob *cancel_at_first;
} Result;

static void
take_table (PvSymbolTable *table, void *user)
{
    Result *result = user;

    g_assert_cmpuint (table->version, ==, ++result->n_tables);
    if (result->table != NULL)
        g_assert_cmpuint (table->n_functions, >=, result->table->n_functions);
    pv_symbol_table_free (result->table);
    result->table = table;
    if (result->cancel_at_first != NULL)
        pv_job_cancel (result->cancel_at_first);
}

static PvSymbolTable *
symbolize_with (const PvProfile *profile, const PvSymbolOptions *options)
{
    g_autoptr (PvModuleFiles) files = pv_module_files_new (options);
    g_autoptr (PvJob) job = pv_job_new ();
    Result result = {0};

    g_assert_true (assert_ok (
        error, pv_symbolize (profile, files, options, take_table, &result, job, &error)));
    g_assert_cmpuint (result.n_tables, >=, 1);
    g_assert_true (result.table->is_complete);
    return result.table;
}

static PvSymbolTable *
symbolize (const PvProfile *profile, const char *sysroot, const char *folder, unsigned n_workers)
{
    const char *folders[] = {folder, NULL};
    PvSymbolOptions options = {.sysroot = sysroot, .search_paths = folders, .n_workers = n_workers};
    return symbolize_with (profile, &options);
}

static const char *
name_of (const PvSymbolTable *table, PvLocationId location)
{
    uint32_t n_frames;
    const PvFrame *frames = pv_symbol_table_frames (table, location, &n_frames);
    g_assert_cmpuint (n_frames, >, 0);
    return table->functions[frames[n_frames - 1].function].name;
}

static bool
has_note (const PvSymbolTable *table, PvNoteKind kind, PvModuleId module)
{
    for (uint32_t i = 0; i < table->n_notes; i++)
        if (table->notes[i].kind == kind && table->notes[i].module == module)
            return true;
    return false;
}

/* This program */

static int
find_bias (struct dl_phdr_info *info, size_t size, void *data)
{
    *(uint64_t *)data = info->dlpi_addr;
    return 1; /* the program itself comes first */
}

static __attribute__ ((noinline)) unsigned
known_function (unsigned x)
{
    return x * 2654435761u + 1;
}

/* Adds this program; *ret_addr: of known_function () in it. */
static PvModuleId
add_own_program (PvProfileBuilder *builder, uint64_t *ret_addr)
{
    g_autofree char *path = g_file_read_link ("/proc/self/exe", NULL);
    uint64_t bias = 0;

    dl_iterate_phdr (find_bias, &bias);
    PvModule module = {.path = path, .kind = PV_MODULE_FILE, .address_kind = PV_ADDRESS_LINK};
    *ret_addr = (uint64_t)(uintptr_t)known_function - bias;
    return pv_profile_builder_add_module (builder, &module);
}

static PvProfile *
make_own_profile (PvLocationId *exact, PvLocationId *after)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    uint64_t addr;
    PvModuleId id = add_own_program (builder, &addr);
    *exact = pv_profile_builder_location (builder, id, addr, PV_LOCATION_EXACT);
    /* A call can be the last instruction: the return address is in the next function then. */
    *after = pv_profile_builder_location (builder, id, addr + 1, PV_LOCATION_RETURN);
    id = made_module (builder, "/nowhere/lib.so");
    pv_profile_builder_location (builder, id, 0x100, PV_LOCATION_EXACT);
    return pv_profile_builder_snapshot (builder);
}

TEST (own_program)
{
    PvLocationId exact, after;
    g_autoptr (PvProfile) profile = make_own_profile (&exact, &after);
    PvModuleId own = profile->module_of_location[exact];

    g_assert_cmpuint (known_function (1), !=, 1);
    for (unsigned n_workers = 1; n_workers <= 4; n_workers += 3) {
        g_autoptr (PvSymbolTable) table = symbolize (profile, NULL, NULL, n_workers);
        g_assert_cmpstr (name_of (table, exact), ==, "known_function");
        g_assert_cmpstr (name_of (table, after), ==, "known_function");
        g_assert_cmpint (table->symbols_of_module[own], >=, PV_MODULE_SYMBOLS_FULL);
        g_assert_cmpint (table->symbols_of_module[own], <=, PV_MODULE_SYMBOLS_NAMES);
        if (table->symbols_of_module[own] == PV_MODULE_SYMBOLS_FULL) {
            uint32_t n_frames;
            const PvFrame *frame = pv_symbol_table_frames (table, exact, &n_frames);
            g_assert_true (g_str_has_suffix (frame->file, "test-symbolizer.c"));
            g_assert_cmpuint (frame->line, >, 0);
        }
        PvModuleId missing = profile->module_of_location[after + 1];
        g_assert_cmpint (table->symbols_of_module[missing], ==, PV_MODULE_SYMBOLS_MISSING);
        g_assert_cmpstr (name_of (table, after + 1), ==, "lib.so+0x100");
        g_assert_true (has_note (table, PV_NOTE_MISSING_BINARY, missing));
    }
}

/* Debug information that libdw reads */

/* The chain of a location: "name file:line < ..." */
static char *
print_frames (const PvSymbolTable *table, PvLocationId location)
{
    uint32_t n_frames;
    const PvFrame *frames = pv_symbol_table_frames (table, location, &n_frames);
    GString *text = g_string_new (NULL);

    for (uint32_t i = 0; i < n_frames; i++)
        g_string_append_printf (text, "%s%s %s:%u", i > 0 ? " < " : "",
                                table->functions[frames[i].function].name, frames[i].file,
                                frames[i].line);
    return g_string_free (text, FALSE);
}

/* data/dwarf/foreign.s: neither of its units can be read by our own reader. */
TEST (foreign_units)
{
    static const struct {
        uint64_t addr;
        const char *chain;
    } cases[] = {
        {0x400078, "serve /src/shop.c:10"},
        {0x400079, "tools::weigh /src/tools.h:3 < serve /src/shop.c:11"},
        {0x40007b, "serve /src/shop.c:12"},
        {0x40007c, "pack /src/shop.c:20"},
        {0x40007e, "tools::fold /src/tools.h:7 < pack /src/shop.c:21"},
        {0x40007f, "pack /src/shop.c:22"},
    };
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvModule module = {
        .path = "/dwarf/foreign", .kind = PV_MODULE_FILE, .address_kind = PV_ADDRESS_LINK};
    PvModuleId id = pv_profile_builder_add_module (builder, &module);
    PvLocationId locations[G_N_ELEMENTS (cases)];

    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
        locations[i] = pv_profile_builder_location (builder, id, cases[i].addr, PV_LOCATION_EXACT);
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    for (unsigned n_workers = 1; n_workers <= 4; n_workers += 3) {
        g_autoptr (PvSymbolTable) table =
            symbolize (profile, g_getenv ("PV_TEST_DATA"), NULL, n_workers);
        for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
            assert_string (print_frames (table, locations[i]), cases[i].chain);
        }
        g_assert_cmpint (table->symbols_of_module[id], ==, PV_MODULE_SYMBOLS_FULL);
        g_assert_cmpuint (table->n_notes, ==, 1);
        g_assert_cmpint (table->notes[0].kind, ==, PV_NOTE_GENERAL);
        g_assert_cmpstr (table->notes[0].text, ==,
                         "/dwarf/foreign: debug information of 2 compilation units has an "
                         "unknown form and was read by libdw.");
    }
}

/* data/dwarf/split.c, whose package may be beside the program or in a folder that is given. A file
 * with its name that lacks the unit, as of another build, does not hide it. */
TEST (split_debug_information)
{
    static const struct {
        const char *beside, *in_folder, *chain;
    } cases[] = {
        {"dwarf/split.dwp", NULL, "square /src/split.c:14 < add /src/split.c:20"},
        {NULL, "dwarf/split.dwp", "square /src/split.c:14 < add /src/split.c:20"},
        {"dwarf/foreign", "dwarf/split.dwp", "square /src/split.c:14 < add /src/split.c:20"},
        {"dwarf/foreign", NULL, "add /src/split.c:14"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autofree char *sysroot = scratch_new_folder ();
        g_autofree char *folder = scratch_new_folder ();
        g_autofree char *program = copy_data ("dwarf/split", sysroot, "split");
        g_autofree char *beside = NULL, *package = NULL;
        if (cases[i].beside != NULL)
            beside = copy_data (cases[i].beside, sysroot, "split.dwp");
        if (cases[i].in_folder != NULL)
            package = copy_data (cases[i].in_folder, folder, "split.dwp");
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        PvModule module = {
            .path = "/split", .kind = PV_MODULE_FILE, .address_kind = PV_ADDRESS_LINK};
        PvModuleId id = pv_profile_builder_add_module (builder, &module);
        PvLocationId location =
            pv_profile_builder_location (builder, id, 0x4000fe, PV_LOCATION_EXACT);
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        g_autoptr (PvSymbolTable) table = symbolize (profile, sysroot, folder, 1);
        assert_string (print_frames (table, location), cases[i].chain);
        g_assert_cmpint (has_note (table, PV_NOTE_MISSING_DEBUG_INFO, id), ==,
                         cases[i].in_folder == NULL && i > 0);
    }
}

TEST (cancel)
{
    PvLocationId exact, after;
    g_autoptr (PvProfile) profile = make_own_profile (&exact, &after);
    PvSymbolOptions options = {0};

    for (unsigned early = 0; early < 2; early++) {
        g_autoptr (PvModuleFiles) files = pv_module_files_new (&options);
        g_autoptr (PvJob) job = pv_job_new ();
        Result result = {.cancel_at_first = job};
        if (early == 1)
            pv_job_cancel (job);
        assert_error (error,
                      pv_symbolize (profile, files, &options, take_table, &result, job, &error),
                      PV_JOB_ERROR, PV_JOB_ERROR_CANCELLED);
        g_assert_nonnull (result.table);
        g_assert_false (result.table->is_complete);
        pv_symbol_table_free (result.table);
    }
}

/* Kernel */

static const char kallsyms[] = "ffffffff81000000 T _text\n"
                               "ffffffff81000040 t __weak_alias\n"
                               "ffffffff81000040 T alias\n"
                               "ffffffff81000100 T do_syscall\n"
                               "ffffffff81000200 D data\n"
                               "ffffffff81000300 T last\n"
                               "garbage\n"
                               "ffffffffbe401000 t other_run\t[other]\n"
                               "ffffffffc0001000 t kvm_run\t[kvm]\n";

/* The kernel was at another random place when the list was made. */
static PvProfile *
make_kernel_profile (uint64_t shift, PvLocationId *ret_first)
{
    static const uint64_t addrs[] = {0xffffffff81000041, 0xffffffff81000120, 0xffffffff81000250,
                                     0xffffffff81000310, 0xffffffff91000310};
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvModule kernel = {.path = "[kernel.kallsyms]",
                       .kind = PV_MODULE_KERNEL,
                       .address_kind = PV_ADDRESS_RUNTIME,
                       .is_kernel = true,
                       .load_addr = 0xffffffff81000000 + shift,
                       .reference_symbol = "_text",
                       .reference_addr = 0xffffffff81000000 + shift,
                       .build_id = {1, 2, 3, 4},
                       .build_id_size = 20};
    PvModule module = {.path = "[kvm]",
                       .kind = PV_MODULE_KERNEL_MODULE,
                       .address_kind = PV_ADDRESS_RUNTIME,
                       .is_kernel = true,
                       .load_addr = 0xffffffffc0001000};
    PvModuleId kernel_id = pv_profile_builder_add_module (builder, &kernel);
    PvModuleId module_id = pv_profile_builder_add_module (builder, &module);

    *ret_first = 0;
    for (size_t i = 0; i < G_N_ELEMENTS (addrs); i++) {
        PvLocationId id =
            pv_profile_builder_location (builder, kernel_id, addrs[i] + shift, PV_LOCATION_EXACT);
        *ret_first = *ret_first == 0 ? id : *ret_first;
    }
    pv_profile_builder_location (builder, module_id, 0xffffffffc0001004, PV_LOCATION_EXACT);
    return pv_profile_builder_snapshot (builder);
}

TEST (kernel)
{
    static const uint64_t shifts[] = {0, 0x1c00000};
    g_autofree char *folder = scratch_new_folder ();

    write_text (folder, "kallsyms", kallsyms);
    for (size_t i = 0; i < G_N_ELEMENTS (shifts); i++) {
        PvLocationId first;
        g_autoptr (PvProfile) profile = make_kernel_profile (shifts[i], &first);
        g_autoptr (PvSymbolTable) table = symbolize (profile, NULL, folder, 2);
        PvModuleId kernel = profile->module_of_location[first];
        g_assert_cmpstr (name_of (table, first), ==, "alias");
        g_assert_cmpstr (name_of (table, first + 1), ==, "do_syscall");
        g_assert_cmpstr (name_of (table, first + 2), ==, "[kernel.kallsyms]+0x250"); /* data */
        g_assert_cmpstr (name_of (table, first + 3), ==, "last");
        g_assert_cmpstr (name_of (table, first + 4), ==,
                         "[kernel.kallsyms]+0x10000310"); /* far behind everything */
        /* Modules move on their own. */
        g_assert_cmpstr (name_of (table, first + 5), ==, shifts[i] == 0 ? "kvm_run" : "[kvm]+0x4");
        g_assert_cmpint (table->symbols_of_module[kernel], ==, PV_MODULE_SYMBOLS_NAMES);
        g_assert_false (has_note (table, PV_NOTE_KERNEL_NAMES_HIDDEN, kernel));
    }
}

TEST (kernel_hidden)
{
    g_autofree char *folder = scratch_new_folder ();
    PvLocationId first;
    g_autoptr (PvProfile) profile = make_kernel_profile (0, &first);
    PvModuleId kernel = profile->module_of_location[first];

    g_autoptr (PvSymbolTable) without = symbolize (profile, folder, NULL, 1);
    g_assert_true (has_note (without, PV_NOTE_KERNEL_NAMES_HIDDEN, kernel));
    write_text (folder, "kallsyms", "0000000000000000 T _text\n0000000000000000 T do_syscall\n");
    g_autoptr (PvSymbolTable) zeros = symbolize (profile, folder, NULL, 1);
    g_assert_cmpstr (name_of (zeros, first + 1), ==, "[kernel.kallsyms]+0x120");
    g_assert_true (has_note (zeros, PV_NOTE_KERNEL_NAMES_HIDDEN, kernel));
}

/* Text with the names of some functions of the kernel was not recorded without the permission to
 * see them. */
TEST (kernel_named)
{
    g_autofree char *folder = scratch_new_folder ();
    for (int n_names = 0; n_names < 2; n_names++) {
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        PvModule module = {.path = "/usr/lib/debug/boot/vmlinux-5.4.14",
                           .kind = PV_MODULE_KERNEL,
                           .address_kind = PV_ADDRESS_RUNTIME,
                           .is_kernel = true};
        PvModuleId kernel = pv_profile_builder_add_module (builder, &module);
        for (uint64_t l = 0; l < 2; l++) {
            PvLocationId location = pv_profile_builder_location (
                builder, kernel, 0xffffffff81000100 + l, PV_LOCATION_EXACT);
            PvGivenFrame frame = {.name = pv_profile_builder_string (builder, "do_idle")};
            if (l < (uint64_t)n_names)
                pv_profile_builder_give_frames (builder, location, &frame, 1);
        }
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        g_autoptr (PvSymbolTable) table = symbolize (profile, folder, NULL, 1);
        g_assert_cmpint (has_note (table, PV_NOTE_KERNEL_NAMES_HIDDEN, kernel), ==, n_names == 0);
    }
}

/* vmlinux, linked at one place and loaded at another. */
TEST (vmlinux)
{
    g_autofree char *folder = scratch_new_folder ();
    g_autofree char *path = g_build_filename (folder, "boot", "vmlinux-6.1", NULL);
    g_autoptr (ElfMaker) maker = elf_maker_new (true, false, ET_EXEC, EM_X86_64);
    uint8_t id[20] = {1, 2, 3, 4};
    PvLocationId first;

    elf_maker_text (maker, 0xffffffff81000000, NULL, 0x400);
    MakerSymbol symbols[] = {{"_text", 0xffffffff81000000, 0, STB_GLOBAL, STT_NOTYPE, 1},
                             {"do_syscall_64", 0xffffffff81000100, 0x80, STB_GLOBAL, STT_FUNC, 1},
                             {NULL}};
    elf_maker_symbols (maker, false, symbols);
    elf_maker_build_id (maker, id, sizeof id);
    elf_maker_write (maker, path);
    g_autoptr (PvProfile) profile = make_kernel_profile (0x2400000, &first);
    g_autoptr (PvSymbolTable) table = symbolize (profile, NULL, folder, 1);
    g_assert_cmpstr (name_of (table, first + 1), ==, "do_syscall_64");
}

/* Code made at run time */

TEST (jit)
{
    static const char map[] = "10000 100 first\n"
                              "0x10080 0x20 ns::second<int>(int)\r\n"
                              "10200 0 nothing\n"
                              "10300 ffffffffffffffff wraps\n"
                              "zz\n"
                              "10400 10  spaced name\n"
                              "10500 10 no newline at the end";
    g_autofree char *sysroot = scratch_new_folder ();
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    const PvNamedRange range = {0x10600, 0x10, "from_jitdump", "/src/a.js", 7, 0};
    PvModule module = {.path = "//anon",
                       .kind = PV_MODULE_JIT,
                       .address_kind = PV_ADDRESS_RUNTIME,
                       .pid = 4711,
                       .container_pid = 77,
                       .named_ranges = &range,
                       .n_named_ranges = 1};
    PvModuleId id = pv_profile_builder_add_module (builder, &module);
    static const struct {
        uint64_t addr;
        const char *name;
    } cases[] = {
        {0x10000, "first"},
        {0x1007f, "first"},
        {0x10080, "ns::second<int>(int)"},
        {0x1009f, "ns::second<int>(int)"},
        {0x100a0, "first"},
        {0x10100, "anon at 0x10100"},
        {0x10200, "anon at 0x10200"},
        {0x10300, "anon at 0x10300"},
        {0x10405, "spaced name"},
        {0x1050f, "no newline at the end"},
        {0x10600, "from_jitdump"},
    };

    write_text (sysroot, "tmp/perf-77.map", map);
    pv_profile_builder_set_named_ranges (builder, id, &range, 1);
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
        pv_profile_builder_location (builder, id, cases[i].addr, PV_LOCATION_EXACT);
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_autoptr (PvSymbolTable) table = symbolize (profile, sysroot, NULL, 1);
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
        g_assert_cmpstr (name_of (table, (PvLocationId)i + 1), ==, cases[i].name);
    uint32_t n_frames;
    const PvFrame *frame = pv_symbol_table_frames (table, G_N_ELEMENTS (cases), &n_frames);
    g_assert_cmpstr (frame->file, ==, "/src/a.js");
    g_assert_cmpuint (frame->line, ==, 7);
    frame = pv_symbol_table_frames (table, 3, &n_frames);
    g_assert_cmpstr (table->functions[frame->function].short_name, ==, "ns::second");
    g_assert_cmpint (table->symbols_of_module[id], ==, PV_MODULE_SYMBOLS_NAMES);
    /* Which of both was at 0x10080 is not known. */
    g_assert_true (has_note (table, PV_NOTE_GENERAL, id));
    write_text (sysroot, "tmp/perf-77.map", "10000 80 first\n10080 20 other\n10000 80 first\n");
    g_autoptr (PvSymbolTable) sure = symbolize (profile, sysroot, NULL, 1);
    g_assert_cmpstr (name_of (sure, 1), ==, "first");
    g_assert_false (has_note (sure, PV_NOTE_GENERAL, id));
}

/* Code without a name is called by its place, and each place is a function; but all that lies
 * outside of what was mapped is one. */
TEST (nameless)
{
    const PvModule modules[] = {
        {.path = "/nowhere/lib.so", .kind = PV_MODULE_FILE},
        {.path = "/nowhere/prog", .kind = PV_MODULE_FILE, .address_kind = PV_ADDRESS_LINK},
        {.path = "[ext4]",
         .kind = PV_MODULE_KERNEL_MODULE,
         .address_kind = PV_ADDRESS_RUNTIME,
         .load_addr = 0x1000},
        {.path = "[xfs]", .kind = PV_MODULE_KERNEL_MODULE, .address_kind = PV_ADDRESS_RUNTIME},
        {.path = "", .kind = PV_MODULE_UNKNOWN, .address_kind = PV_ADDRESS_RUNTIME},
        {.path = "/nowhere/given", .kind = PV_MODULE_FILE, .address_kind = PV_ADDRESS_ORDINAL},
    };
    static const char *const names[] = {"lib.so+0x1234",   "prog+0x1234", "[ext4]+0x234",
                                        "[xfs] at 0x1234", "[unknown]",   "??"};
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvLocationId l = 1;

    for (size_t i = 0; i < G_N_ELEMENTS (modules); i++) {
        PvModuleId id = pv_profile_builder_add_module (builder, &modules[i]);
        pv_profile_builder_location (builder, id, 0x1234, PV_LOCATION_EXACT);
        pv_profile_builder_location (builder, id, 0x1235, PV_LOCATION_RETURN);
        pv_profile_builder_location (builder, id, 0x4321, PV_LOCATION_EXACT);
    }
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_autoptr (PvSymbolTable) table = symbolize (profile, NULL, NULL, 2);
    for (size_t i = 0; i < G_N_ELEMENTS (modules); i++, l += 3) {
        uint32_t n_frames;
        PvFunctionId function = pv_symbol_table_frames (table, l, &n_frames)->function;
        PvFunctionId other = pv_symbol_table_frames (table, l + 2, &n_frames)->function;
        g_assert_cmpstr (name_of (table, l), ==, names[i]);
        g_assert_cmpint (table->functions[function].kind, ==, PV_FUNCTION_UNKNOWN);
        g_assert_true (pv_symbol_table_frames (table, l + 1, &n_frames)->function == function);
        g_assert_true ((other == function) == (modules[i].address_kind == PV_ADDRESS_ORDINAL ||
                                               modules[i].kind == PV_MODULE_UNKNOWN));
    }
}

/* From a container the file comes with a number that the recording does not know. */
TEST (jit_with_other_number)
{
    g_autofree char *folder = scratch_new_folder ();
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvModule module = {.path = "//anon",
                       .kind = PV_MODULE_JIT,
                       .address_kind = PV_ADDRESS_RUNTIME,
                       .pid = INT32_MAX};
    PvModuleId id = pv_profile_builder_add_module (builder, &module);
    for (uint64_t i = 0; i < 5; i++)
        pv_profile_builder_location (builder, id, 0x10000 + 0x100 * i, PV_LOCATION_EXACT);
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);

    /* One that names two addresses of five is some other process's. */
    write_text (folder, "perf-2.map", "10000 180 stranger\n");
    g_autoptr (PvSymbolTable) without = symbolize (profile, NULL, folder, 1);
    g_assert_cmpstr (name_of (without, 1), ==, "anon at 0x10000");
    write_text (folder, "perf-1.map", "10000 10 first\n10100 10 second\n10200 10 third\n");
    write_text (folder, "perf-3.map", "10000 380 all but one\n");
    g_autoptr (PvSymbolTable) table = symbolize (profile, NULL, folder, 1);
    g_assert_cmpstr (name_of (table, 1), ==, "all but one");
    g_assert_cmpstr (name_of (table, 4), ==, "all but one");
    g_assert_cmpstr (name_of (table, 5), ==, "anon at 0x10400");
}

/* Names from the recording */

TEST (given)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvModule program = {.path = "/nowhere/prog", .kind = PV_MODULE_FILE, .is_main = true};
    PvModule stripped = {.path = "/nowhere/lib.so", .kind = PV_MODULE_FILE};
    PvModule text = {.path = "folded", .kind = PV_MODULE_FILE, .address_kind = PV_ADDRESS_ORDINAL};
    PvModuleId ids[] = {pv_profile_builder_add_module (builder, &program),
                        pv_profile_builder_add_module (builder, &stripped),
                        pv_profile_builder_add_module (builder, &text)};
    const char *name = pv_profile_builder_string (builder, "ns::Map<int>::put(int)");
    const char *mangled = pv_profile_builder_string (builder, "_Z3fooi");
    const char *file = pv_profile_builder_string (builder, "/src/map.h");
    const PvGivenFrame chain[] = {{.name = name, .file = file, .line = 7}, {.name = mangled}};
    const PvGivenFrame other[] = {{.name = name, .file = file, .line = 9}};
    const PvGivenFrame unknown[] = {{.name = NULL}};

    PvLocationId first = pv_profile_builder_location (builder, ids[0], 1, PV_LOCATION_EXACT);
    pv_profile_builder_give_frames (builder, first, chain, G_N_ELEMENTS (chain));
    PvLocationId second = pv_profile_builder_location (builder, ids[0], 2, PV_LOCATION_EXACT);
    pv_profile_builder_give_frames (builder, second, other, G_N_ELEMENTS (other));
    PvLocationId third = pv_profile_builder_location (builder, ids[1], 1, PV_LOCATION_EXACT);
    pv_profile_builder_give_frames (builder, third, unknown, G_N_ELEMENTS (unknown));
    PvLocationId fourth = pv_profile_builder_location (builder, ids[1], 2, PV_LOCATION_EXACT);
    pv_profile_builder_give_frames (builder, fourth, other, G_N_ELEMENTS (other));
    PvLocationId named = pv_profile_builder_location (builder, ids[2], 1, PV_LOCATION_NAMED);
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_autoptr (PvSymbolTable) table = symbolize (profile, NULL, NULL, 2);

    uint32_t n_frames;
    const PvFrame *frames = pv_symbol_table_frames (table, first, &n_frames);
    g_assert_cmpuint (n_frames, ==, 2);
    const PvFunction *inner = &table->functions[frames[0].function];
    g_assert_cmpstr (inner->name, ==, name);
    g_assert_cmpstr (inner->short_name, ==, "ns::Map::put");
    g_assert_cmpstr (inner->file, ==, file);
    g_assert_cmpuint (inner->module, ==, ids[0]);
    g_assert_cmpstr (frames[0].file, ==, file);
    g_assert_cmpuint (frames[0].line, ==, 7);
    g_assert_true (frames[0].is_inlined);
    const PvFunction *outer = &table->functions[frames[1].function];
    g_assert_cmpstr (outer->name, ==, "foo(int)");
    g_assert_cmpstr (outer->raw_name, ==, mangled);
    g_assert_null (frames[1].file);
    g_assert_false (frames[1].is_inlined);
    const PvFrame *again = pv_symbol_table_frames (table, second, &n_frames);
    g_assert_cmpuint (again->function, ==, frames[0].function);
    g_assert_cmpuint (again->line, ==, 9);
    g_assert_false (again->is_inlined);

    g_assert_cmpstr (name_of (table, third), ==, "??");
    frames = pv_symbol_table_frames (table, third, &n_frames);
    g_assert_cmpint (table->functions[frames->function].kind, ==, PV_FUNCTION_UNKNOWN);
    /* The same name in another module is another function. */
    g_assert_cmpstr (name_of (table, fourth), ==, name);
    frames = pv_symbol_table_frames (table, fourth, &n_frames);
    g_assert_cmpuint (frames->function, !=, again->function);
    g_assert_cmpuint (table->functions[frames->function].module, ==, ids[1]);
    g_assert_cmpstr (name_of (table, named), ==, "??");

    g_assert_cmpint (table->symbols_of_module[ids[0]], ==, PV_MODULE_SYMBOLS_FULL);
    g_assert_cmpint (table->symbols_of_module[ids[1]], ==, PV_MODULE_SYMBOLS_FULL);
    g_assert_cmpint (table->symbols_of_module[ids[2]], ==, PV_MODULE_SYMBOLS_MISSING);
    g_assert_cmpuint (table->n_notes, ==, 0);
}

/* Names of heaptrack, which demangles as others do. */
TEST (heaptrack_names)
{
    static const PvHeap heap;
    static const struct {
        const char *given;
        const char *name;
        const char *short_name;
    } cases[] = {
        {"main", "main", "main"},
        {"operator new(unsigned long)", "operator new(unsigned long)", "operator new"},
        {"_RNvNtCslNYArtu3iFV_5alloc5alloc5alloc", "alloc::alloc::alloc", "alloc::alloc::alloc"},
        {"heap::main::hebe826e7269f379e", "heap::main", "heap::main"},
        {"alloc::raw_vec::RawVec$LT$T$C$A$GT$::grow_one::h363c025066b3330e",
         "alloc::raw_vec::RawVec<T,A>::grow_one", "alloc::raw_vec::RawVec::grow_one"},
        {"_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..clone..Clone$GT$::clone::"
         "h54f9f6ba99aa937d",
         "<alloc::vec::Vec<T> as core::clone::Clone>::clone",
         "<alloc::vec::Vec as core::clone::Clone>::clone"},
        {"std::rt::lang_start::_$u7b$$u7b$closure$u7d$$u7d$::h96a4399bb09ff47e",
         "std::rt::lang_start::{{closure}}", "std::rt::lang_start::{{closure}}"},
        {"__GI___strdup", "__strdup", "__strdup"},
        {"void std::sort<int*>(int*, int*)", "std::sort<int*>(int*, int*)", "std::sort"},
        {"unsigned long const& ns::max<unsigned long>(unsigned long const&)",
         "ns::max<unsigned long>(unsigned long const&)", "ns::max"},
        {"std::pair<int, char> (anonymous namespace)::make<int>(int)",
         "(anonymous namespace)::make<int>(int)", "(anonymous namespace)::make"},
        {"decltype (f({parm#1})) call<int>(int)", "call<int>(int)", "call"},
        {"auto run<int>(int)::{lambda(auto:1)#1}::operator()<char>(char) const",
         "run<int>(int)::{lambda(auto:1)#1}::operator()<char>(char) const",
         "run::{lambda(auto:1)#1}::operator()"},
        {"A<int>::operator unsigned long() const", "A<int>::operator unsigned long() const",
         "A::operator unsigned long"},
        {"bool operator< <int>(A<int> const&)", "operator< <int>(A<int> const&)", "operator<"},
        {"operator new(unsigned long)", "operator new(unsigned long)", "operator new"},
        {"non-virtual thunk to A::f()", "non-virtual thunk to A::f()", "non-virtual thunk to A::f"},
        {"main.(*T).M", "main.(*T).M", "main.(*T).M"},
        {"anonymous (app.js:1)", "anonymous (app.js:1)", "anonymous (app.js:1)"},
        {"::h0123456789abcdef", "::h0123456789abcdef", "::h0123456789abcdef"},
        {"a::h0123456789abcdeX", "a::h0123456789abcdeX", "a::h0123456789abcdeX"},
        {"", "??", "??"},
    };
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvModuleId id = made_module (builder, "prog");
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        PvLocationId location = pv_profile_builder_location (builder, id, i, PV_LOCATION_EXACT);
        PvGivenFrame frame = {.name = pv_profile_builder_string (builder, cases[i].given)};
        pv_profile_builder_give_frames (builder, location, &frame, 1);
    }
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    PvProfile trace = *profile;
    trace.heap = &heap;
    g_autoptr (PvSymbolTable) table = symbolize (&trace, NULL, NULL, 1);
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        uint32_t n_frames;
        const PvFrame *frame = pv_symbol_table_frames (table, (PvLocationId)i + 1, &n_frames);
        g_assert_cmpstr (table->functions[frame->function].name, ==, cases[i].name);
        g_assert_cmpstr (table->functions[frame->function].short_name, ==, cases[i].short_name);
    }
}

/* Chains that share frames are stored once, those of a profile that grows too. */
TEST (given_shared)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvModule module = {.path = "prog", .kind = PV_MODULE_FILE, .address_kind = PV_ADDRESS_ORDINAL};
    PvModuleId id = pv_profile_builder_add_module (builder, &module);
    PvGivenFrame chain[3] = {{.line = 1}, {.line = 2}, {.line = 3}};
    const char *const names[] = {"inner", "middle", "outer"};
    PvLocationId locations[4];

    for (unsigned i = 0; i < G_N_ELEMENTS (chain); i++)
        chain[i].name = pv_profile_builder_string (builder, names[i]);
    for (unsigned i = 0; i < G_N_ELEMENTS (locations); i++)
        locations[i] = pv_profile_builder_location (builder, id, i, PV_LOCATION_NAMED);
    pv_profile_builder_give_frames (builder, locations[2], chain, G_N_ELEMENTS (chain));
    pv_profile_builder_share_frames (builder, locations[3], locations[2]);
    pv_profile_builder_share_frames (builder, locations[0], locations[3]);
    pv_profile_builder_share_frames (builder, locations[1], locations[3]);
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    const PvSymbolOptions options = {.n_workers = 1};
    g_autoptr (PvModuleFiles) files = pv_module_files_new (&options);
    g_autoptr (PvJob) job = pv_job_new ();
    g_autoptr (PvSymbolizer) symbolizer = pv_symbolizer_new (files, &options);
    g_autoptr (PvSymbolTable) table = pv_symbolizer_update (symbolizer, profile, job);
    const unsigned first_line[] = {3, 3, 1, 2};
    for (unsigned i = 0; i < G_N_ELEMENTS (locations); i++) {
        uint32_t n_frames;
        const PvFrame *frames = pv_symbol_table_frames (table, locations[i], &n_frames);
        g_assert_cmpuint (n_frames, ==, 4 - first_line[i]);
        for (uint32_t f = 0; f < n_frames; f++) {
            g_assert_cmpuint (frames[f].line, ==, first_line[i] + f);
            g_assert_cmpstr (table->functions[frames[f].function].name, ==,
                             names[first_line[i] + f - 1]);
            g_assert_cmpint (frames[f].is_inlined, ==, f + 1 < n_frames);
        }
        g_assert_true (frames + n_frames ==
                       pv_symbol_table_frames (table, locations[2], &n_frames) + 3);
    }

    PvLocationId later = pv_profile_builder_location (builder, id, 9, PV_LOCATION_NAMED);
    pv_profile_builder_share_frames (builder, later, locations[3]);
    g_autoptr (PvProfile) grown = pv_profile_builder_snapshot (builder);
    g_autoptr (PvSymbolTable) grown_table = pv_symbolizer_update (symbolizer, grown, job);
    g_assert_cmpstr (name_of (grown_table, later), ==, "outer");
    g_assert_cmpstr (name_of (grown_table, locations[2]), ==, "outer");
}

/* A small file can name many inlined functions for one place, and have a stack of that place alone.
 */
TEST (given_many)
{
    enum { N_FRAMES = 4000, DEPTH = 40000 };
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvModuleId id = made_module (builder, "prog");
    PvLocationId location = pv_profile_builder_location (builder, id, 1, PV_LOCATION_EXACT);
    g_autofree PvGivenFrame *frames = g_new0 (PvGivenFrame, N_FRAMES);
    for (unsigned i = 0; i < N_FRAMES; i++) {
        frames[i].name = pv_profile_builder_string (builder, "f");
        frames[i].line = i + 1;
    }
    pv_profile_builder_give_frames (builder, location, frames, N_FRAMES);
    PvLocationId outer = location;
    for (unsigned i = 0; i < N_FRAMES - 3; i++) {
        PvLocationId inlined = outer;
        outer = pv_profile_builder_location (builder, id, 2 + i, PV_LOCATION_EXACT);
        pv_profile_builder_share_frames (builder, outer, inlined);
    }
    PvStackId stack = 0;
    for (unsigned i = 0; i < DEPTH; i++)
        stack = pv_profile_builder_stack (builder, stack, location);
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_autoptr (PvSymbolTable) table = symbolize (profile, NULL, NULL, 1);
    uint32_t n_frames;
    const PvFrame *shown = pv_symbol_table_frames (table, location, &n_frames);
    g_assert_cmpuint (n_frames, <, 1 + (1 << 23) / DEPTH);
    g_assert_cmpuint (n_frames, >, 50);
    g_assert_cmpuint (shown[n_frames - 1].line, ==, N_FRAMES);
    shown = pv_symbol_table_frames (table, outer, &n_frames);
    g_assert_cmpuint (n_frames, ==, 3);
    g_assert_cmpuint (shown[0].line, ==, N_FRAMES - 2);
    g_assert_cmpuint (table->n_notes, >, 0);
}

/* Names of other formats are what their writers want to be shown, unless they are symbols. */
TEST (given_names)
{
    static const struct {
        const char *given;
        const char *raw;
        const char *name;
        const char *raw_name;
    } cases[] = {
        {"foo", "_Z3fooi", "foo", "_Z3fooi"},
        {"_Z3fooi", NULL, "foo(int)", "_Z3fooi"},
        {"_Z3bari", "_Z3bari", "bar(int)", "_Z3bari"},
        {NULL, "_Z3bazi", "baz(int)", "_Z3bazi"},
        {"", "_Z3boxi", "box(int)", "_Z3boxi"},
        {"_Z3fooc", "something else", "_Z3fooc", "something else"},
        {"_Z3food", "", "foo(double)", "_Z3food"},
        {"void std::sort<int*>(int*, int*)", NULL, "void std::sort<int*>(int*, int*)", NULL},
        {"heap::main::hebe826e7269f379e", NULL, "heap::main::hebe826e7269f379e", NULL},
        {"__GI_strdup", NULL, "__GI_strdup", NULL},
        {"(anonymous)", NULL, "(anonymous)", NULL},
        {"./index.js:(anonymous):22", NULL, "./index.js:(anonymous):22", NULL},
        {"Map<K, V>;get, set", NULL, "Map<K, V>;get, set", NULL},
        {"@scope/pkg@1.2:f", NULL, "@scope/pkg@1.2:f", NULL},
        {"get@plt", NULL, "get@plt", NULL},
        {"main.(*T).M", "main.(*T).M", "main.(*T).M", NULL},
        {"com.foo.Bar.<init>", NULL, "com.foo.Bar.<init>", NULL},
        {NULL, NULL, "??", NULL},
    };
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvModuleId id = made_module (builder, "prog");
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        PvLocationId location = pv_profile_builder_location (builder, id, i, PV_LOCATION_EXACT);
        PvGivenFrame frame = {.name = pv_profile_builder_string (builder, cases[i].given),
                              .raw_name = pv_profile_builder_string (builder, cases[i].raw),
                              .file = pv_profile_builder_string (builder, "/src/a.c"),
                              .start_line = 7};
        pv_profile_builder_give_frames (builder, location, &frame, 1);
    }
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_autoptr (PvSymbolTable) table = symbolize (profile, NULL, NULL, 1);
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        uint32_t n_frames;
        const PvFrame *frame = pv_symbol_table_frames (table, (PvLocationId)i + 1, &n_frames);
        const PvFunction *function = &table->functions[frame->function];
        g_assert_cmpstr (function->name, ==, cases[i].name);
        g_assert_cmpstr (function->raw_name, ==,
                         cases[i].raw_name != NULL ? cases[i].raw_name : cases[i].name);
        g_assert_cmpuint (function->line, ==, function->kind == PV_FUNCTION_NAMED ? 7 : 0);
    }
}

/* "f00000<int>()", "f00000<double>()", "f00001<int>()", ... */
static PvProfile *
make_pairs (unsigned n)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvModuleId id = made_module (builder, "prog");
    for (unsigned i = 0; i < n; i++) {
        PvLocationId location = pv_profile_builder_location (builder, id, i, PV_LOCATION_EXACT);
        g_autofree char *symbol = g_strdup_printf ("_Z6f%05uI%cEvv", i / 2, i % 2 ? 'd' : 'i');
        PvGivenFrame frame = {.name = pv_profile_builder_string (builder, symbol)};
        pv_profile_builder_give_frames (builder, location, &frame, 1);
    }
    return pv_profile_builder_snapshot (builder);
}

static void
check_pairs (const PvSymbolTable *table, unsigned n, bool has_labels)
{
    for (unsigned i = 0; i < n; i++) {
        uint32_t n_frames;
        const PvFrame *frame = pv_symbol_table_frames (table, i + 1, &n_frames);
        const PvFunction *function = &table->functions[frame->function];
        g_autofree char *label = g_strdup_printf ("f%05u<%s>", i / 2, i % 2 ? "double" : "int");
        g_autofree char *name = g_strconcat (label, "()", NULL);
        g_autofree char *raw_name = g_strdup_printf ("_Z6f%05uI%cEvv", i / 2, i % 2 ? 'd' : 'i');
        g_autofree char *short_name = g_strdup_printf ("f%05u", i / 2);
        g_assert_cmpstr (function->name, ==, name);
        g_assert_cmpstr (function->raw_name, ==, raw_name);
        g_assert_cmpstr (function->label, ==, has_labels ? label : name);
        g_assert_cmpstr (function->short_name, ==, has_labels ? short_name : name);
    }
}

/* Names of some languages are read in the symbols of a program. What a tool wrote is as it meant.
 */
TEST (languages)
{
    static const struct {
        const char *symbol, *name;
        bool is_known; /* in all names */
    } cases[] = {
        {"camlLwt__bind_1394", "Lwt.bind_1394"},
        {"__phys_MOD_walk", "phys::walk"},
        {"SYSTEM_$$_HALT$LONGINT", "SYSTEM.HALT(LONGINT)"},
        {"_ada_main", "main"},
        {"_Z3fooi", "foo(int)", true},
    };
    enum { N = G_N_ELEMENTS (cases), START = 0x1000, SIZE = 0x10 };
    g_autofree char *sysroot = scratch_new_folder ();
    g_autofree char *path = g_build_filename (sysroot, "prog", NULL);
    g_autoptr (ElfMaker) maker = elf_maker_new (true, false, ET_DYN, EM_X86_64);
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autoptr (GString) map = g_string_new (NULL);
    const PvModule modules[] = {
        {.path = "/prog", .kind = PV_MODULE_FILE, .address_kind = PV_ADDRESS_LINK},
        {.path = "//anon", .kind = PV_MODULE_JIT, .address_kind = PV_ADDRESS_RUNTIME, .pid = 7},
        {.path = "given", .kind = PV_MODULE_FILE},
        {.path = "given as symbols", .kind = PV_MODULE_FILE},
    };
    MakerSymbol symbols[N + 1] = {0};
    elf_maker_text (maker, START, NULL, N * SIZE);
    for (size_t m = 0; m < G_N_ELEMENTS (modules); m++) {
        PvModuleId id = pv_profile_builder_add_module (builder, &modules[m]);
        for (uint64_t i = 0; i < N; i++) {
            uint64_t addr = START + i * SIZE;
            PvLocationId location =
                pv_profile_builder_location (builder, id, addr, PV_LOCATION_EXACT);
            PvGivenFrame frame = {.name = pv_profile_builder_string (builder, cases[i].symbol),
                                  .source = m == 2 ? PV_NAME_WRITTEN : PV_NAME_SYMBOL};
            if (m >= 2)
                pv_profile_builder_give_frames (builder, location, &frame, 1);
            if (m > 0)
                continue;
            symbols[i] = (MakerSymbol){cases[i].symbol, addr, SIZE, STB_GLOBAL, STT_FUNC, 1};
            g_string_append_printf (map, "%x %x %s\n", (unsigned)addr, SIZE, cases[i].symbol);
        }
    }
    elf_maker_symbols (maker, false, symbols);
    elf_maker_write (maker, path);
    write_text (sysroot, "tmp/perf-7.map", map->str);
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_autoptr (PvSymbolTable) table = symbolize (profile, sysroot, NULL, 1);
    for (size_t i = 0; i < G_N_ELEMENTS (modules) * N; i++) {
        bool is_symbol = i / N == 0 || i / N == 3;
        g_assert_cmpstr (name_of (table, (PvLocationId)i + 1), ==,
                         is_symbol || cases[i % N].is_known ? cases[i % N].name
                                                            : cases[i % N].symbol);
    }
}

/* More than a few batches, which are added while workers make the next one. */
TEST (given_batches)
{
    static const unsigned counts[] = {0, 1, 2, 8192, 8193, 40001};
    for (size_t i = 0; i < G_N_ELEMENTS (counts); i++) {
        g_autoptr (PvProfile) profile = make_pairs (counts[i]);
        for (unsigned n_workers = 1; n_workers <= 3; n_workers += 2) {
            g_autoptr (PvSymbolTable) table = symbolize (profile, NULL, NULL, n_workers);
            /* The last one may have no other of its short name. */
            check_pairs (table, counts[i] & ~1u, true);
        }
    }
}

/* Who looks at neither short names nor labels gets full names, but of a heap profile. */
TEST (only_full_names)
{
    static const PvHeap heap;
    enum { N = 40 };
    PvSymbolOptions options = {.n_workers = 2, .only_full_names = true};
    g_autoptr (PvProfile) profile = make_pairs (N);
    g_autoptr (PvSymbolTable) table = symbolize_with (profile, &options);
    check_pairs (table, N, false);
    PvProfile trace = *profile;
    trace.heap = &heap;
    g_autoptr (PvSymbolTable) of_heap = symbolize_with (&trace, &options);
    check_pairs (of_heap, N, true);
}

/* A file's expression for dropped frames gives a note if it is invalid. */
TEST (drop_frames_note)
{
    static const struct {
        const char *drop;
        const char *keep;
        uint32_t n_notes;
    } cases[] = {{NULL, NULL, 0},       {"malloc|.*::new", NULL, 0}, {"a)(b", NULL, 1},
                 {"malloc", "free", 0}, {"malloc", "[", 1},          {"\\Qmalloc", NULL, 1}};
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        pv_profile_builder_set_drop_frames (builder, cases[i].drop, cases[i].keep);
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        g_autoptr (PvSymbolTable) table = symbolize (profile, NULL, NULL, 1);
        g_assert_cmpuint (table->n_notes, ==, cases[i].n_notes);
    }
}

/* A module with given names and others: what is not given is looked up. */
TEST (given_in_part)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    uint64_t addr;
    PvModuleId id = add_own_program (builder, &addr);
    const PvGivenFrame given = {.name = pv_profile_builder_string (builder, "given")};
    PvLocationId first = pv_profile_builder_location (builder, id, addr + 1, PV_LOCATION_EXACT);
    pv_profile_builder_give_frames (builder, first, &given, 1);
    PvLocationId second = pv_profile_builder_location (builder, id, addr, PV_LOCATION_EXACT);
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_autoptr (PvSymbolTable) table = symbolize (profile, NULL, NULL, 1);
    g_assert_cmpstr (name_of (table, first), ==, "given");
    g_assert_cmpstr (name_of (table, second), ==, "known_function");
}

/* That the rest of a module has no names is no news where its file is not needed for most. */
TEST (given_but_missing)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvModule module = {.path = "/nowhere/prog",
                       .kind = PV_MODULE_FILE,
                       .address_kind = PV_ADDRESS_LINK,
                       .is_main = true};
    PvModuleId id = pv_profile_builder_add_module (builder, &module);
    const PvGivenFrame given = {.name = pv_profile_builder_string (builder, "given"), .line = 3};
    PvLocationId first = pv_profile_builder_location (builder, id, 1, PV_LOCATION_EXACT);
    pv_profile_builder_give_frames (builder, first, &given, 1);
    PvLocationId second = pv_profile_builder_location (builder, id, 2, PV_LOCATION_EXACT);
    made_set (builder, "cpu", false, PV_UNIT_NS);
    for (unsigned i = 0; i < 1000; i++) {
        PvNewSample sample = {.stack =
                                  pv_profile_builder_stack (builder, 0, i == 0 ? second : first)};
        pv_profile_builder_add_sample (builder, 0, &sample, &(uint64_t){1});
    }
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_autoptr (PvSymbolTable) table = symbolize (profile, NULL, NULL, 1);
    g_assert_cmpstr (name_of (table, first), ==, "given");
    g_assert_cmpstr (name_of (table, second), ==, "prog+0x2");
    g_assert_cmpint (table->symbols_of_module[id], ==, PV_MODULE_SYMBOLS_FULL);
    g_assert_cmpuint (table->n_notes, ==, 0);
}

/* Samples at addresses of which the recording does not say what was there. */
TEST (unmapped)
{
    static const struct {
        bool is_kernel, has_kernel, is_unmapped;
        PvNoteKind kind; /* PV_NOTE_GENERAL: no note */
    } cases[] = {{true, false, false, PV_NOTE_KERNEL_NAMES_HIDDEN},
                 {true, true, false, PV_NOTE_GENERAL},
                 {false, false, true, PV_NOTE_NO_MAPPINGS},
                 {true, true, true, PV_NOTE_GENERAL},
                 {false, true, false, PV_NOTE_GENERAL}};
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        pv_profile_builder_facts (builder)->format = "perf.data";
        made_set (builder, "cpu", false, PV_UNIT_NS);
        if (cases[i].has_kernel)
            pv_profile_builder_add_module (
                builder, &(PvModule){.path = "[kernel.kallsyms]", .kind = PV_MODULE_KERNEL});
        PvModuleId module = pv_profile_builder_unknown_module (builder, cases[i].is_kernel);
        PvLocationId location =
            pv_profile_builder_location (builder, module, 0x1234, PV_LOCATION_EXACT);
        PvProcessId process = pv_profile_builder_add_process (builder, 70, "locked", 0);
        pv_profile_builder_set_unmapped (builder, process, cases[i].is_unmapped);
        PvNewSample sample = {.stack = pv_profile_builder_stack (builder, 0, location)};
        sample.thread = pv_profile_builder_add_thread (builder, process, 70, "locked", 0);
        pv_profile_builder_add_sample (builder, 0, &sample, &(uint64_t){1});
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        g_autoptr (PvSymbolTable) table = symbolize (profile, NULL, NULL, 1);
        g_assert_cmpuint (table->n_notes, ==, cases[i].kind != PV_NOTE_GENERAL);
        if (table->n_notes == 0)
            continue;
        g_assert_cmpint (table->notes[0].kind, ==, cases[i].kind);
        if (cases[i].kind == PV_NOTE_NO_MAPPINGS) {
            g_assert_nonnull (strstr (table->notes[0].text, "100.0 %"));
            g_assert_nonnull (strstr (table->notes[0].text, "locked (70)"));
        }
    }
}

/* Addresses are shown as the file was linked, not as it lies on the disk. */
TEST (addresses)
{
    g_autofree char *sysroot = scratch_new_folder ();
    g_autofree char *path = g_build_filename (sysroot, "bin", "tool", NULL);
    g_autoptr (ElfMaker) maker = elf_maker_new (true, false, ET_DYN, EM_X86_64);
    elf_maker_segment (maker, 0, 0x200000, 0x40, false);
    elf_maker_segment (maker, 0x40, 0x201040, 0x80, true);
    elf_maker_segment (maker, 0xc0, 0x4020c0, 0x40, true);
    elf_maker_text (maker, 0x201040, NULL, 0x100);
    elf_maker_write (maker, path);
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvModule module = {.path = "/bin/tool", .kind = PV_MODULE_FILE};
    PvModuleId offsets = pv_profile_builder_add_module (builder, &module);
    PvModuleId given = pv_profile_builder_add_module (builder, &module);
    module.address_kind = PV_ADDRESS_IMAGE;
    PvModuleId image = pv_profile_builder_add_module (builder, &module);
    module = (PvModule){.path = "/bin/missing", .kind = PV_MODULE_FILE};
    PvModuleId missing = pv_profile_builder_add_module (builder, &module);
    module.identity = (PvFileIdentity){.link_bias = 0x400000, .n_biases = 1};
    PvModuleId biased = pv_profile_builder_add_module (builder, &module);
    module.identity.n_biases = 2;
    PvModuleId torn = pv_profile_builder_add_module (builder, &module);
    const struct {
        PvModuleId module;
        PvLocationKind kind;
        uint64_t address, shown;
    } cases[] = {{offsets, PV_LOCATION_EXACT, 0x50, 0x201050},
                 {offsets, PV_LOCATION_EXACT, 0xc0, 0x4020c0},
                 {offsets, PV_LOCATION_RETURN, 0xc0, 0x2010c0}, /* a call at the end */
                 {offsets, PV_LOCATION_EXACT, 0x9000000, 0x9000000},
                 {given, PV_LOCATION_EXACT, 0x50, 0x201050},
                 {image, PV_LOCATION_EXACT, 0x1050, 0x201050},
                 {missing, PV_LOCATION_EXACT, 0x50, 0x50},
                 {biased, PV_LOCATION_EXACT, 0x50, 0x400050},
                 {torn, PV_LOCATION_EXACT, 0x50, 0x50}};
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        PvLocationId location =
            pv_profile_builder_location (builder, cases[i].module, cases[i].address, cases[i].kind);
        const PvGivenFrame frame = {.name = pv_profile_builder_string (builder, "named")};
        if (cases[i].module == given)
            pv_profile_builder_give_frames (builder, location, &frame, 1);
    }
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_autoptr (PvSymbolTable) table = symbolize (profile, sysroot, NULL, 1);
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
        g_assert_cmpuint (pv_symbol_table_get_address (table, profile, (PvLocationId)i + 1), ==,
                          cases[i].shown);
    /* A note says so where they are offsets in the file. */
    for (uint32_t n = 0; n < table->n_notes; n++)
        if (table->notes[n].kind == PV_NOTE_MISSING_BINARY)
            g_assert_cmpint (strstr (table->notes[n].text, "offsets in the file") != NULL, ==,
                             table->notes[n].module != biased);
}

/* Without a build-id only the time of a file tells whether it may be another one. */
TEST (unverified)
{
    static const int64_t recorded_at = 1700000000, offsets[] = {-60, 0, 60};
    g_autofree char *sysroot = scratch_new_folder ();
    g_autofree char *path = g_build_filename (sysroot, "bin", "tool", NULL);
    g_autoptr (ElfMaker) maker = elf_maker_new (true, false, ET_DYN, EM_X86_64);
    uint32_t text = elf_maker_text (maker, 0x1000, NULL, 0x100);
    elf_maker_load (maker, text, true);
    elf_maker_write (maker, path);
    for (size_t i = 0; i < G_N_ELEMENTS (offsets); i++) {
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        PvModule module = {
            .path = "/bin/tool", .kind = PV_MODULE_FILE, .address_kind = PV_ADDRESS_LINK};
        PvModuleId id = pv_profile_builder_add_module (builder, &module);
        pv_profile_builder_location (builder, id, 0x1010, PV_LOCATION_EXACT);
        pv_profile_builder_facts (builder)->recorded_at = recorded_at + offsets[i];
        struct utimbuf times = {recorded_at, recorded_at};
        g_assert_cmpint (g_utime (path, &times), ==, 0);
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        g_autoptr (PvSymbolTable) table = symbolize (profile, sysroot, NULL, 1);
        g_assert_cmpint (has_note (table, PV_NOTE_UNVERIFIED_BINARY, id), ==, offsets[i] < 0);
    }
}

/* The advice names the file that has the names. */
TEST (code_without_file)
{
    static const struct {
        PvModule module;
        const char *advice;
    } cases[] = {
        {{.path = "/memfd:a:/b/c", .name = "memfd:a", .kind = PV_MODULE_FILE},
         "--map-path=/memfd:a:/b/c=FILE"},
        {{.path = "/memfd:my lib", .name = "memfd:my lib", .kind = PV_MODULE_FILE},
         "--map-path='/memfd:my lib'=FILE"},
        {{.path = "x", .kind = PV_MODULE_JIT, .pid = 4, .code_path = "/nowhere/jit-7.dump"},
         "its jitdump /nowhere/jit-7.dump, which was not found"},
        {{.path = "x", .kind = PV_MODULE_JIT, .pid = 4, .container_pid = 999999999},
         "there is no /tmp/perf-999999999.map"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        PvModuleId id = pv_profile_builder_add_module (builder, &cases[i].module);
        pv_profile_builder_location (builder, id, 0x1010, PV_LOCATION_EXACT);
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        g_autoptr (PvSymbolTable) table = symbolize (profile, NULL, NULL, 1);
        g_assert_cmpuint (table->n_notes, ==, 1);
        g_assert_cmpint (table->notes[0].kind, ==, PV_NOTE_MISSING_BINARY);
        g_assert_nonnull (strstr (table->notes[0].text, cases[i].advice));
    }
}

/* The file at the recorded path here, as it is. */
static PvMappedFile *
make_file_here (const char *path, bool has_id)
{
    g_autoptr (ElfMaker) maker = elf_maker_new (true, false, ET_DYN, EM_X86_64);

    elf_maker_load (maker, elf_maker_text (maker, 0x1000, NULL, 0x100), true);
    if (has_id)
        elf_maker_build_id (maker, "abcdefghijklmnopqrst", 20);
    elf_maker_write (maker, path);
    return assert_ok (error, pv_mapped_file_open (path, &error));
}

/* A file at the recorded path that is another than the one that ran: by its inode and times. */
TEST (other_file)
{
    enum { SAME, OTHER, UNKNOWN, GIVEN_AGAIN };
    static const struct {
        bool has_id, is_here;
        int inode;
        int changed;  /* before the end of the recording, or after it */
        int severity; /* of the note; -1: none */
        bool is_unused;
        bool is_newer; /* written after the recording */
    } cases[] = {
        {false, true, SAME, -1, -1, false},
        {false, true, OTHER, 1, -1, false, true},
        {false, true, GIVEN_AGAIN, -1, PV_NOTE_WARNING, true},
        {true, true, GIVEN_AGAIN, -1, PV_NOTE_WARNING, true},
        {false, true, OTHER, -1, PV_NOTE_WARNING, true},
        {false, true, OTHER, 1, PV_NOTE_WARNING, true},
        {false, false, OTHER, -1, PV_NOTE_WARNING, false},
        {false, true, SAME, 1, PV_NOTE_INFO, false},
        {false, true, UNKNOWN, 1, PV_NOTE_INFO, false},
        {false, false, SAME, 1, -1, false},
        {true, true, SAME, 1, -1, false},
        {true, true, OTHER, -1, PV_NOTE_WARNING, true},
        {true, true, OTHER, 1, -1, false},
        {true, false, OTHER, -1, -1, false},
    };
    g_autofree char *folder = scratch_new_folder ();
    g_autofree char *path = g_build_filename (folder, "tool", NULL);
    struct utsname here;
    g_assert_cmpint (uname (&here), ==, 0);
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autoptr (PvMappedFile) file = make_file_here (path, cases[i].has_id);
        const PvFileStatus *status = pv_mapped_file_get_status (file);
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        PvModule module = {
            .path = path, .kind = PV_MODULE_FILE, .address_kind = PV_ADDRESS_FILE_OFFSET};
        module.identity.inode = cases[i].inode != UNKNOWN ? status->inode : 0;
        module.identity.inode += cases[i].inode == OTHER;
        module.identity.generation = cases[i].inode == GIVEN_AGAIN;
        if (cases[i].inode == GIVEN_AGAIN &&
            !pv_file_identity_has_other_generation (&module.identity, path)) {
            g_test_message ("The file system does not tell generations of inodes");
            g_unlink (path);
            continue;
        }
        if (cases[i].has_id) {
            memcpy (module.build_id, "abcdefghijklmnopqrst", 20);
            module.build_id_size = 20;
        }
        PvFacts *facts = pv_profile_builder_facts (builder);
        facts->host = cases[i].is_here ? here.nodename : "elsewhere";
        facts->modified_at_ns = status->changed_at_ns - cases[i].changed * INT64_C (2000000000);
        module.identity.until_ns = cases[i].is_here ? facts->modified_at_ns : 0;
        PvModuleId id = pv_profile_builder_add_module (builder, &module);
        pv_profile_builder_location (builder, id, 0x40, PV_LOCATION_EXACT);
        /* The time that anybody can set is an old one. */
        struct utimbuf times = {1700000000, 1700000000};
        if (!cases[i].is_newer)
            g_assert_cmpint (g_utime (path, &times), ==, 0);
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        g_autoptr (PvSymbolTable) table = symbolize (profile, NULL, NULL, 1);
        g_assert_cmpint (has_note (table, PV_NOTE_UNVERIFIED_BINARY, id), ==, cases[i].is_newer);
        bool is_sure = pv_file_identity_compare (&module.identity, file, path, 0) != PV_FILE_UNSURE;
        int severity = is_sure || cases[i].is_newer ? cases[i].severity
                       : cases[i].has_id            ? -1
                                                    : PV_NOTE_INFO;
        g_assert_cmpint (has_note (table, PV_NOTE_OTHER_FILE, id), ==, severity >= 0);
        for (uint32_t n = 0; n < table->n_notes; n++)
            if (table->notes[n].kind == PV_NOTE_OTHER_FILE)
                g_assert_cmpint (table->notes[n].severity, ==, severity);
        g_assert_cmpint (table->links_of_module[id].n_segments == 0, ==,
                         is_sure && cases[i].is_unused);
        g_unlink (path);
    }
}

/* Another build at the recorded path: it came there since, or the program ran in a container. */
TEST (other_build)
{
    g_autofree char *folder = scratch_new_folder ();
    g_autofree char *path = g_build_filename (folder, "tool", NULL);
    g_autoptr (PvMappedFile) file = make_file_here (path, true);
    struct utsname here;
    g_assert_cmpint (uname (&here), ==, 0);
    for (int is_before = 0; is_before < 2; is_before++) {
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        PvModule module = {
            .path = path, .kind = PV_MODULE_FILE, .build_id = {1, 2, 3}, .build_id_size = 20};
        PvModuleId id = pv_profile_builder_add_module (builder, &module);
        pv_profile_builder_location (builder, id, 0x40, PV_LOCATION_EXACT);
        PvFacts *facts = pv_profile_builder_facts (builder);
        facts->host = here.nodename;
        facts->modified_at_ns = pv_mapped_file_get_status (file)->changed_at_ns +
                                (is_before ? 1 : -1) * INT64_C (2000000000);
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        g_autoptr (PvSymbolTable) table = symbolize (profile, NULL, NULL, 1);
        g_assert_cmpuint (table->n_notes, ==, 1);
        g_assert_cmpint (table->notes[0].kind, ==, PV_NOTE_CHANGED_BINARY);
        g_assert_cmpint (strstr (table->notes[0].text, "container") != NULL, ==, is_before);
    }
}

/* Profiles of other recorders have neither build-ids nor inodes; some have the kernel's word that
 * the file was gone. */
TEST (deleted_file)
{
    g_autofree char *folder = scratch_new_folder ();
    g_autofree char *path = g_build_filename (folder, "tool", NULL);
    g_autofree char *deleted = g_strconcat (path, " (deleted)", NULL);
    g_autoptr (PvMappedFile) file = make_file_here (path, false);
    for (int is_deleted = 0; is_deleted < 2; is_deleted++) {
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        PvModule module = {.path = is_deleted ? deleted : path,
                           .kind = PV_MODULE_FILE,
                           .address_kind = PV_ADDRESS_FILE_OFFSET};
        PvModuleId id = pv_profile_builder_add_module (builder, &module);
        pv_profile_builder_location (builder, id, 0x40, PV_LOCATION_EXACT);
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        g_autoptr (PvSymbolTable) table = symbolize (profile, NULL, NULL, 1);
        g_assert_cmpint (has_note (table, PV_NOTE_CHANGED_BINARY, id), ==, is_deleted);
    }
}

/* Code that perf took out of a jitdump has no other build, with lines. */
TEST (files_of_jitdumps)
{
    static const char *const names[] = {"tool", "jitted-4711-12.so"};
    g_autofree char *folder = scratch_new_folder ();
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
        g_autofree char *path = g_build_filename (folder, names[i], NULL);
        g_autoptr (PvMappedFile) file = make_file_here (path, false);
        g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
        PvModule module = {.path = path,
                           .name = names[i],
                           .kind = PV_MODULE_FILE,
                           .address_kind = PV_ADDRESS_FILE_OFFSET};
        pv_profile_builder_add_set (builder, "cycles", false);
        PvModuleId id = pv_profile_builder_add_module (builder, &module);
        PvLocationId leaf = pv_profile_builder_location (builder, id, 0x40, PV_LOCATION_EXACT);
        PvNewSample sample = {.stack = pv_profile_builder_stack (builder, 0, leaf)};
        pv_profile_builder_add_sample (builder, 0, &sample, NULL);
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        g_autoptr (PvSymbolTable) table = symbolize (profile, NULL, NULL, 1);
        g_assert_cmpint (has_note (table, PV_NOTE_MISSING_DEBUG_INFO, id), ==, i == 0);
    }
}

/* An empty profile */

TEST (empty)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_autoptr (PvSymbolTable) table = symbolize (profile, NULL, NULL, 0);
    g_assert_cmpuint (table->n_notes, ==, 0);
}

TESTS_MAIN (argc, argv)
{
    g_unsetenv ("PERF_BUILDID_DIR");
    return scratch_run_tests (argc, argv);
}
