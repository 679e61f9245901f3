/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings of Android's simpleperf, whose names are in the file. */
#include <string.h>

#include "../read/perf-writer.h"
#include "../scratch.h"
#include "loaded.h"

TESTS_MAIN (argc, argv)
{
    return scratch_run_tests (argc, argv);
}

enum { KERNEL, KERNEL_MODULE, ELF, DEX, MAP };
enum { PROTECTION_READ = 1, PROTECTION_JIT = 0x4000 };

typedef struct {
    const char *path;
    uint32_t kind;
    uint64_t first_addr, first_offset, addr;
    uint32_t size;
    const char *name;
} NamedFile;

/* Link addresses, offsets in files, and run-time addresses. */
static const NamedFile files[] = {
    {"[kernel.kallsyms]", KERNEL, 0, 0, 0xffffff8000001000, 0x100, "do_page_fault"},
    {"/vendor/lib/modules/wlan.ko", KERNEL_MODULE, 0x40, 0x1000, 0x140, 0x20, "wlan_rx"},
    {"/system/lib64/libhwui.so", ELF, 0x55000, 0x5000, 0x55100, 0x80, "_ZN4hwui4drawEi"},
    {"/system/framework/core-oj.jar", DEX, 0, 0, 0x3040, 0x10, "java.lang.Thread.run"},
    {"/data/perf.data_jit_app_cache:10-20", ELF, 0, 0, 0x9a001000, 0x40, "com.example.Main.work"},
    {"perf-7.map", MAP, 0, 0, 0x9b002000, 0x40, "generated"},
    {"/system/bin/linker64", ELF, 0x1000, 0x1000, 0x1100, 0x80, "__dl__start"},
};

static void
put_number (GByteArray *out, uint64_t value, unsigned size)
{
    value = GUINT64_TO_LE (value);
    g_byte_array_append (out, (const uint8_t *)&value, size);
}

static void
put_text (GByteArray *out, const char *text)
{
    g_byte_array_append (out, (const uint8_t *)text, (guint)strlen (text) + 1);
}

static void
put_file (GByteArray *out, const NamedFile *file)
{
    g_autoptr (GByteArray) body = g_byte_array_new ();
    put_text (body, file->path);
    put_number (body, file->kind, 4);
    put_number (body, file->first_addr, 8);
    put_number (body, 1, 4);
    put_number (body, file->addr, 8);
    put_number (body, file->size, 4);
    put_text (body, file->name);
    if (file->kind == DEX)
        put_number (body, 0, 4);
    else if (file->kind == ELF || file->kind == KERNEL_MODULE)
        put_number (body, file->first_offset, 8);
    put_number (out, body->len, 4);
    g_byte_array_append (out, body->data, body->len);
}

/* --- as protobuf --- */

static void
put_varint (GByteArray *out, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        put_number (out, (value & 0x7f) | 0x80, 1);
    put_number (out, value, 1);
}

static void
put_field (GByteArray *out, unsigned tag, uint64_t value)
{
    if (value == 0)
        return;
    put_varint (out, tag << 3);
    put_varint (out, value);
}

static void
put_bytes (GByteArray *out, unsigned tag, const void *data, size_t size)
{
    put_varint (out, tag << 3 | 2);
    put_varint (out, size);
    g_byte_array_append (out, data, (guint)size);
}

static void
put_file_message (GByteArray *out, const NamedFile *file)
{
    g_autoptr (GByteArray) body = g_byte_array_new ();
    g_autoptr (GByteArray) symbol = g_byte_array_new ();
    g_autoptr (GByteArray) offset = g_byte_array_new ();
    put_field (symbol, 1, file->addr);
    put_field (symbol, 2, file->size);
    put_bytes (symbol, 3, file->name, strlen (file->name));
    put_field (offset, 1, file->first_offset);
    put_bytes (body, 1, file->path, strlen (file->path));
    put_field (body, 2, file->kind);
    put_field (body, 3, file->first_addr);
    put_bytes (body, 4, symbol->data, symbol->len);
    if (file->kind == ELF || file->kind == KERNEL_MODULE)
        put_bytes (body, file->kind == ELF ? 6 : 7, offset->data, offset->len);
    put_number (out, body->len, 4);
    g_byte_array_append (out, body->data, body->len);
}

/* --- recordings --- */

static void
add_mappings (Writer *writer)
{
    writer_comm (writer, 0, 7, 7, "main", false);
    writer_kernel_mmap (writer, 0, UINT64_MAX, 0, "[kernel.kallsyms]");
    writer_kernel_mmap (writer, 0xffffff9000000000, 0x10000, 0, "/vendor/lib/modules/wlan.ko");
    writer_mmap2 (writer, 0, 7, 0x7200000000, 0x10000, 0x2000, 5, PROTECTION_READ,
                  "/system/framework/core-oj.jar");
    writer_mmap (writer, 0, 7, 0x7100000000, 0x10000, 0x5000, "/system/lib64/libhwui.so");
    writer_mmap (writer, 0, 7, 0x7300000000, 0x1000, 0x1000, "/system/bin/linker64");
    writer_mmap2 (writer, 0, 7, 0x9a001000, 0x40, 0, 0, PROTECTION_JIT,
                  "/data/perf.data_jit_app_cache:10-20");
}

static void
add_names (Writer *writer, bool has_messages)
{
    static const char infos[] = "simpleperf_version\0001.5\0event_type_info\0"
                                "cpu-clock,1,0\nsched:sched_switch,2,47\0product_props\0A:B:c";
    g_autoptr (GByteArray) section = g_byte_array_new ();
    for (size_t i = 0; i < G_N_ELEMENTS (files); i++)
        (has_messages ? put_file_message : put_file) (section, &files[i]);
    if (!has_messages)
        writer_feature_bytes (writer, 128, section->data, section->len);
    writer_feature_bytes (writer, 129, infos, sizeof infos);
    if (has_messages)
        writer_feature_bytes (writer, 132, section->data, section->len);
}

/* A stack through all files, from the kernel to the thread's start. */
static void
add_stack (Writer *writer)
{
    static const uint64_t chain[] = {
        CONTEXT_KERNEL, 0xffffff8000001010, 0xffffff9000001110, CONTEXT_USER, 0x7100000100,
        0x7200001040,   0x9a001010,         0x9b002000,         0x7300000100,
    };
    writer_sample (writer, MODE_KERNEL, 2000, 7, 7, chain[1], 1, chain, G_N_ELEMENTS (chain));
}

/* Leaf first: "do_page_fault@[kernel.kallsyms] hwui::draw@libhwui.so" */
static char *
spell_stack (const Loaded *loaded, PvStackId stack)
{
    GString *text = g_string_new (NULL);
    const PvProfile *profile = loaded->profile;
    for (; stack != 0; stack = profile->parent_of_stack[stack]) {
        uint32_t n;
        const PvFrame *frame =
            pv_symbol_table_frames (loaded->symbols, profile->location_of_stack[stack], &n);
        const PvFunction *function = &loaded->symbols->functions[n > 0 ? frame->function : 0];
        g_string_append_printf (text, "%s%s@%s", text->len > 0 ? " " : "", function->name,
                                profile->modules[function->module].name);
    }
    return g_string_free (text, FALSE);
}

static Loaded
load_written (const Writer *writer)
{
    static const PvLoadOptions options;
    g_autofree char *folder = scratch_new_folder ();
    g_autofree char *path = g_build_filename (folder, "perf.data", NULL);
    g_autoptr (GByteArray) bytes = writer_build (writer);
    g_assert_true (g_file_set_contents (path, (const char *)bytes->data, bytes->len, NULL));
    return load_file (path, &options);
}

/* Callers have the address of the call: the last two begin there. */
TEST (names)
{
    for (unsigned has_messages = 0; has_messages < 2; has_messages++) {
        g_autoptr (Writer) writer = writer_new (false, false);
        writer_attr (writer, &writer_plain_attr, NULL, 0);
        add_mappings (writer);
        add_stack (writer);
        add_names (writer, has_messages);
        g_auto (Loaded) loaded = load_written (writer);
        const PvProfile *profile = loaded.profile;
        assert_string (spell_stack (&loaded, profile->sets[0].stack[0]),
                       "do_page_fault@[kernel.kallsyms] wlan_rx@[wlan] hwui::draw(int)@libhwui.so "
                       "java.lang.Thread.run@core-oj.jar com.example.Main.work@[JIT app cache] "
                       "generated@[JIT] [linker]_start@linker64");
        g_assert_cmpstr (profile->measures[0].name, ==, "cpu-clock");
        g_assert_cmpstr (profile->facts.recorder, ==, "simpleperf 1.5");
        g_assert_cmpstr (profile->facts.host, ==, "A B c");
        g_assert_cmpuint (profile->n_notes, ==, 0);
        for (PvModuleId m = 1; m < profile->n_modules; m++)
            g_assert_cmpint (profile->modules[m].is_main, ==,
                             strcmp (profile->modules[m].name, "libhwui.so") == 0);
        for (uint32_t i = 0; i < loaded.symbols->n_notes; i++) {
            g_test_message ("%s", loaded.symbols->notes[i].text);
            g_assert_cmpint (loaded.symbols->notes[i].severity, ==, PV_NOTE_INFO);
        }
    }
}

/* Files that lack names are not known by where they were loaded. */
TEST (without_names)
{
    g_autoptr (Writer) writer = writer_new (false, false);
    writer_attr (writer, &writer_plain_attr, NULL, 0);
    add_mappings (writer);
    add_stack (writer);
    g_auto (Loaded) loaded = load_written (writer);
    g_autofree char *stack = spell_stack (&loaded, loaded.profile->sets[0].stack[0]);
    g_assert_nonnull (strstr (stack, "libhwui.so+0x5100@libhwui.so"));
    g_assert_null (strstr (stack, "draw"));
}

/* A tracepoint, with its format in a record of old or newer versions, or in pieces of one. */
TEST (tracing_data)
{
    static const char *const formats[] = {
        "name: sched_switch\nID: 47\nformat:\n"
        "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
        "\tfield:pid_t next_pid;\toffset:8;\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n"};
    g_autoptr (Writer) pipe = writer_new (false, true);
    writer_tracing (pipe, "sched", formats, 1);
    const uint8_t *data = pipe->records->data + 12;
    size_t size = pipe->records->len - 12;
    for (unsigned version = 0; version < 3; version++) {
        static const WriterAttr attr = {.type = 2,
                                        .config = 47,
                                        .sample_period = 1,
                                        .sample_type = WRITER_SAMPLE_TYPE | 1u << 10,
                                        .flags = WRITER_FLAGS};
        g_autoptr (Writer) writer = writer_new (false, false);
        writer_attr (writer, &attr, NULL, 0);
        size_t start = writer->records->len;
        writer_begin (writer, version == 0 ? 66 : 32777, 0);
        writer_u32 (writer, (uint32_t)size);
        writer_bytes (writer, data, size);
        for (size_t n = version == 1 ? 70000 : 0; n > 0; n--)
            writer_bytes (writer, "", 1); /* padding, so that the size has more than 16 bits */
        writer_end (writer);
        if (version == 2) {
            size_t whole = writer->records->len - start, half = whole / 2;
            g_autofree uint8_t *copy = g_memdup2 (writer->records->data + start, whole);
            g_byte_array_set_size (writer->records, (guint)start);
            for (unsigned i = 0; i < 2; i++) {
                writer_begin (writer, 32772, 0);
                writer_bytes (writer, copy + i * half, i == 0 ? half : whole - half);
                writer_end (writer);
            }
            writer_begin (writer, 32773, 0);
            writer_end (writer);
        }
        writer_begin (writer, 9, MODE_USER);
        writer_u64 (writer, 0x1000);
        writer_u32s (writer, 7, 7);
        writer_u64s (writer, 2000, 1, 0);
        writer_u32 (writer, 12);
        writer_bytes (writer, "\x2f\0\0\0\0\0\0\0\x09\0\0\0", 12);
        writer_end (writer);
        g_test_message ("version %u", version);
        g_auto (Loaded) loaded = load_written (writer);
        g_assert_cmpuint (loaded.profile->n_samples, ==, 1);
        g_assert_cmpstr (loaded.profile->measures[0].name, ==, "sched:sched_switch");
        g_assert_nonnull (loaded.profile->sets[0].fields);
        g_assert_cmpuint (loaded.profile->n_skipped_records, ==, 0);
    }
}

/* Names of the kernel in a record; ids of events that were opened later; records before all
 * others, in a section; and one that we do not know. */
TEST (records)
{
    static const char kallsyms[] = "ffffff8000001000 T do_page_fault\nffffff8000000800 t early\n"
                                   "ffffff8000001800 D data\nffffff8000002000 t late\t[wlan]\n";
    static const uint64_t ids[] = {11}, chain[] = {CONTEXT_KERNEL, 0xffffff8000001ff0};
    WriterAttr attr = writer_plain_attr;
    attr.sample_type |= 1u << 16;
    g_autoptr (Writer) first = writer_new (false, false), writer = writer_new (false, false);
    writer_attr (writer, &attr, ids, 1);
    attr.config = 1;
    writer_attr (writer, &attr, NULL, 0);
    writer_begin (writer, 32769, 0);
    writer_u32 (writer, sizeof kallsyms - 1);
    writer_bytes (writer, kallsyms, sizeof kallsyms - 1);
    writer_end (writer);
    writer_begin (writer, 32774, 0);
    writer_u64s (writer, 2, 1, 12, 99, 13);
    writer_end (writer);
    writer_begin (writer, 32900, 0);
    writer_u64s (writer, 1, 2);
    writer_end (writer);
    writer_begin (writer, 9, MODE_KERNEL);
    writer_u64s (writer, 12, chain[1]);
    writer_u32s (writer, 7, 7);
    writer_u64s (writer, 2000, 1, 2, chain[0], chain[1]);
    writer_end (writer);
    /* The trailer has the id, too. */
    writer_begin (first, 1, MODE_KERNEL);
    writer_u32s (first, UINT32_MAX, 0);
    writer_u64s (first, 0, UINT64_MAX, 0);
    writer_string (first, "[kernel.kallsyms]");
    writer_u32s (first, 0, 0);
    writer_u64s (first, 0, 11);
    writer_end (first);
    writer_feature_bytes (writer, 134, first->records->data, first->records->len);
    g_auto (Loaded) loaded = load_written (writer);
    const PvSampleSet *set = find_set (loaded.profile, "task-clock");
    g_assert_cmpuint (set->n_samples, ==, 1);
    assert_string (spell_stack (&loaded, set->stack[0]), "do_page_fault@[kernel.kallsyms]");
    g_assert_cmpuint (loaded.profile->n_skipped_records, ==, 1);
}
