/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Captures of Sysprof, written here in both byte orders. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "reader-case.h"

#define KERNEL ((uint64_t)-128)
#define USER   ((uint64_t)-512)
#define END    UINT64_MAX /* of a list of addresses */

enum { SAMPLE = 2, MAP, PROCESS, FORK, EXIT, JITMAP, DEFINITIONS, COUNTERS, MARK, METADATA, LOG };
enum { FILE_CHUNK = 13, ALLOCATION, OVERLAY, TRACE, DBUS };
enum { HEADER_BYTES = 256 };

/* --- writing --- */

typedef struct {
    GByteArray *bytes;
    bool is_big;
    guint frame; /* where the current one begins */
} Writer;

static void
put (Writer *writer, uint64_t value, unsigned size_bytes)
{
    for (unsigned i = 0; i < size_bytes; i++) {
        unsigned shift = 8 * (writer->is_big ? size_bytes - 1 - i : i);
        const uint8_t byte = (uint8_t)(value >> shift);
        g_byte_array_append (writer->bytes, &byte, 1);
    }
}

/* The bytes behind a text are whatever was in memory. */
static void
put_field (Writer *writer, const char *text, size_t size_bytes)
{
    for (size_t i = 0; i < size_bytes; i++) {
        const uint8_t byte = i <= strlen (text) ? (uint8_t)text[i] : 0x5a;
        g_byte_array_append (writer->bytes, &byte, 1);
    }
}

static void
put_text (Writer *writer, const char *text)
{
    put_field (writer, text, strlen (text) + 1);
}

static Writer
begin_capture (bool is_big)
{
    static const uint8_t magic[] = {0x5e, 0x97, 0xca, 0xfd, 1};
    Writer writer = {g_byte_array_new (), is_big, 0};
    g_byte_array_append (writer.bytes, magic, sizeof magic);
    put (&writer, is_big ? 0 : 1, 1);
    put (&writer, 0, 2);
    put_field (&writer, "2026-11-22T09:20:58Z", 64);
    put (&writer, 1000, 8);
    while (writer.bytes->len < HEADER_BYTES)
        put (&writer, 0, 1);
    return writer;
}

static void
begin_on_cpu (Writer *writer, unsigned type, int32_t pid, uint64_t time_ns, int cpu)
{
    writer->frame = writer->bytes->len;
    put (writer, 0, 2);
    put (writer, (uint16_t)cpu, 2);
    put (writer, (uint32_t)pid, 4);
    put (writer, time_ns, 8);
    put (writer, type, 1);
    put (writer, 0xa5a5a5a5a5a5a5, 7);
}

static void
begin (Writer *writer, unsigned type, int32_t pid, uint64_t time_ns)
{
    begin_on_cpu (writer, type, pid, time_ns, -1);
}

static void
end (Writer *writer)
{
    while ((writer->bytes->len - writer->frame) % 8 != 0)
        put (writer, 0x5a, 1);
    guint len = writer->bytes->len - writer->frame;
    writer->bytes->data[writer->frame] = (uint8_t)(writer->is_big ? len >> 8 : len);
    writer->bytes->data[writer->frame + 1] = (uint8_t)(writer->is_big ? len : len >> 8);
}

static unsigned
count_addresses (va_list list)
{
    unsigned n = 0;
    while (va_arg (list, uint64_t) != END)
        n++;
    return n;
}

/* The addresses end with END. */
static void
put_sample (Writer *writer, unsigned type, int32_t pid, int32_t tid, uint64_t time_ns, ...)
{
    va_list list, copy;
    va_start (list, time_ns);
    va_copy (copy, list);
    begin_on_cpu (writer, type, pid, time_ns, 3);
    put (writer, count_addresses (copy), 2);
    put (writer, 0x756e, 2);
    put (writer, (uint32_t)tid, 4);
    for (uint64_t address; (address = va_arg (list, uint64_t)) != END;)
        put (writer, address, 8);
    end (writer);
    va_end (copy);
    va_end (list);
}

static void
put_allocation (Writer *writer, int32_t pid, uint64_t time_ns, uint64_t address, int64_t size_bytes,
                uint64_t caller)
{
    begin (writer, ALLOCATION, pid, time_ns);
    put (writer, address, 8);
    put (writer, (uint64_t)size_bytes, 8);
    put (writer, (uint32_t)pid, 4);
    put (writer, caller != 0 ? 1 : 0, 2);
    put (writer, 0x1234, 2);
    if (caller != 0)
        put (writer, caller, 8);
    end (writer);
}

static void
put_map (Writer *writer, int32_t pid, uint64_t time_ns, uint64_t start, uint64_t offset,
         const char *path, const char *build_id)
{
    begin (writer, MAP, pid, time_ns);
    put (writer, start, 8);
    put (writer, start + 0x1000, 8);
    put (writer, offset, 8);
    put (writer, 42, 8);
    put_text (writer, path);
    if (build_id != NULL)
        put_text (writer, build_id);
    end (writer);
}

static void
put_process (Writer *writer, int32_t pid, uint64_t time_ns, const char *command)
{
    begin (writer, PROCESS, pid, time_ns);
    put_text (writer, command);
    end (writer);
}

static void
put_chunk (Writer *writer, const char *path, const void *data, size_t size_bytes, bool is_last)
{
    begin (writer, FILE_CHUNK, -1, 2000);
    put (writer, is_last ? (writer->is_big ? 0x80 : 1) : 0, 1);
    put (writer, 0xff, 1);
    put (writer, size_bytes, 2);
    put_field (writer, path, 256);
    g_byte_array_append (writer->bytes, data, (guint)size_bytes);
    end (writer);
}

/* The table of symbols in two pieces. */
static void
put_symbols (Writer *writer)
{
    static const char names[] = "?shop_run\0libshop\0do_syscall\0Kernel";
    static const struct {
        uint64_t begin, end;
        uint32_t pid, name, tag;
    } symbols[] = {
        {0x401100, 0x401100, 7, 1, 10},
        {0x7f0000000010, 0x7f0000000080, 7, 1, 10},
        {0xffffffff81000100, 0xffffffff81000180, 7, 18, 29},
        {0, 0, 0, 0, 0},
    };
    Writer table = {g_byte_array_new (), writer->is_big, 0};
    for (size_t i = 0; i < G_N_ELEMENTS (symbols); i++) {
        uint32_t pool = sizeof symbols / sizeof *symbols * 32;
        put (&table, symbols[i].begin, 8);
        put (&table, symbols[i].end, 8);
        put (&table, symbols[i].pid, 4);
        put (&table, symbols[i].name != 0 ? pool + symbols[i].name : 0, 4);
        put (&table, symbols[i].tag != 0 ? pool + symbols[i].tag : 0, 4);
        put (&table, 0, 4);
    }
    g_byte_array_append (table.bytes, (const uint8_t *)names, sizeof names);
    put_chunk (writer, "__symbols__", table.bytes->data, 50, false);
    put_chunk (writer, "__symbols__", table.bytes->data + 50, table.bytes->len - 50, true);
    g_byte_array_unref (table.bytes);
}

/* --- reading --- */

/* Frees what was written. */
static PvProfile *
finish (Writer *writer)
{
    PvProfile *profile =
        assert_ok (error, try_to_read_bytes (&pv_sysprof_reader, writer->bytes->data,
                                             writer->bytes->len, &error));
    g_byte_array_unref (writer->bytes);
    return profile;
}

/* Leaf first: " name@module", or " module+0x12" for an address; ~ for a return address. */
static void
spell_stack (GString *text, const PvProfile *profile, PvStackId stack)
{
    for (; stack != 0; stack = profile->parent_of_stack[stack]) {
        PvLocationId location = profile->location_of_stack[stack];
        const PvModule *module = &profile->modules[profile->module_of_location[location]];
        uint32_t given =
            profile->given_of_location != NULL ? profile->given_of_location[location] : UINT32_MAX;
        g_string_append (text,
                         profile->kind_of_location[location] == PV_LOCATION_RETURN ? " ~" : " ");
        if (given != UINT32_MAX)
            g_string_append_printf (text, "%s@%s", profile->given_frames[given].name, module->name);
        else
            g_string_append_printf (text, "%s+0x%" G_GINT64_MODIFIER "x", module->name,
                                    profile->address_of_location[location]);
    }
}

/* A line for each sample: set, time, process, thread, weights, stack. */
static char *
spell (const PvProfile *profile)
{
    GString *text = g_string_new (NULL);
    for (uint32_t s = 0; s < profile->n_sets; s++) {
        const PvSampleSet *set = &profile->sets[s];
        for (uint32_t i = 0; i < set->n_samples; i++) {
            const PvThread *thread = &profile->threads[pv_sample_set_thread (set, i)];
            g_string_append_printf (text, "%s %" G_GUINT64_FORMAT " %s/%d", set->name,
                                    pv_sample_set_time_ns (set, i),
                                    profile->processes[thread->process].name, thread->tid);
            for (uint32_t w = 0; w < set->n_weights; w++)
                g_string_append_printf (text, "%s%" G_GUINT64_FORMAT, w == 0 ? " " : ",",
                                        pv_sample_set_weight (set, w, i));
            spell_stack (text, profile, set->stack[i]);
            g_string_append_c (text, '\n');
        }
    }
    return g_string_free (text, false);
}

static void
assert_spelled (Writer *writer, const char *expected)
{
    g_autoptr (PvProfile) profile = finish (writer);
    assert_string (spell (profile), expected);
}

/* --- tests --- */

static const bool orders[] = {false, true}; /* big-endian? */

/* Out of order: the map and the name come after the samples. */
TEST (samples)
{
    for (size_t i = 0; i < G_N_ELEMENTS (orders); i++) {
        Writer writer = begin_capture (orders[i]);
        put_sample (&writer, SAMPLE, 7, 9, 1300, USER, UINT64_C (0x401150), UINT64_C (0x401200),
                    END);
        put_sample (&writer, SAMPLE, 7, 0, 1200, KERNEL, UINT64_C (0xffffffff90000010),
                    UINT64_C (0xffffffff90000020), USER, UINT64_C (0x401150), UINT64_C (0), END);
        put_sample (&writer, SAMPLE, 0, 0, 1400, KERNEL, UINT64_C (0xffffffff90000010), USER, END);
        put_map (&writer, 7, 1500, 0x401000, 0x1000, "/usr/bin/shop", NULL);
        put_map (&writer, 7, 1500, 0x500000, 0, "[heap]", NULL);
        put_process (&writer, 7, 1600, "/usr/bin/shop --password=secret");
        put_process (&writer, 7, 1700, "worker");
        assert_spelled (&writer, "samples 1200 shop/7 1 [kernel]+0xffffffff90000010 "
                                 "~[kernel]+0xffffffff90000020 shop+0x1150\n"
                                 "samples 1300 shop/9 1 shop+0x1150 ~shop+0x1200\n"
                                 "samples 1400 swapper/0 1 [kernel]+0xffffffff90000010\n");
    }
}

TEST (module)
{
    for (size_t i = 0; i < G_N_ELEMENTS (orders); i++) {
        Writer writer = begin_capture (orders[i]);
        put_map (&writer, 7, 1000, 0x401000, 0x1000, "/usr/bin/shop",
                 "@0123456789abcdef0123456789abcdef01234567");
        put_map (&writer, 7, 1000, 0x402000, 0x1000, "/usr/lib/libshop.so.1", "@123");
        put_sample (&writer, SAMPLE, 7, 7, 1300, USER, UINT64_C (0x401150), UINT64_C (0x402150),
                    END);
        g_autoptr (PvProfile) profile = finish (&writer);
        g_assert_cmpuint (profile->n_modules, ==, 3);
        const PvModule *program = &profile->modules[1];
        const PvModule *library = &profile->modules[2];
        g_assert_cmpstr (program->path, ==, "/usr/bin/shop");
        g_assert_true (program->is_main && !library->is_main);
        g_assert_cmpuint (program->build_id_size, ==, 20);
        g_assert_cmpuint (program->build_id[1], ==, 0x23);
        g_assert_cmpuint (library->build_id_size, ==, 0);
        g_assert_cmpstr (profile->processes[1].name, ==, "shop");
        g_assert_cmpint (pv_sample_set_cpu (&profile->sets[0], 0), ==, 3);
        g_assert_cmpint (profile->facts.recorded_at, ==, 1795339258);
    }
}

/* A later mapping counts from its time on; a child has what its parent has mapped. */
TEST (time)
{
    Writer writer = begin_capture (false);
    put_map (&writer, 7, 1000, 0x401000, 0, "/usr/lib/old.so", NULL);
    put_map (&writer, 7, 2000, 0x401000, 0, "/usr/lib/new.so", NULL);
    put_sample (&writer, SAMPLE, 7, 7, 1500, USER, UINT64_C (0x401010), END);
    put_sample (&writer, SAMPLE, 7, 7, 2500, USER, UINT64_C (0x401010), END);
    begin (&writer, FORK, 7, 2600);
    put (&writer, 8, 4);
    end (&writer);
    put_process (&writer, 8, 2650, "child");
    put_sample (&writer, SAMPLE, 8, 8, 2700, USER, UINT64_C (0x401010), END);
    begin (&writer, EXIT, 8, 2800);
    end (&writer);
    begin (&writer, FORK, 7, 2900);
    put (&writer, 8, 4);
    end (&writer);
    put_sample (&writer, SAMPLE, 8, 8, 3000, USER, UINT64_C (0x999999), END);
    g_autoptr (PvProfile) profile = finish (&writer);
    assert_string (spell (profile), "samples 1500 (null)/7 1 old.so+0x10\n"
                                    "samples 2500 (null)/7 1 new.so+0x10\n"
                                    "samples 2700 child/8 1 new.so+0x10\n"
                                    "samples 3000 (null)/8 1 [unknown]+0x999999\n");
    g_assert_cmpuint (profile->n_processes, ==, 4);
    g_assert_cmpuint (profile->processes[2].start_ns, ==, 2600);
    g_assert_cmpuint (profile->processes[2].end_ns, ==, 2800);
    g_assert_cmpuint (profile->processes[3].start_ns, ==, 2900);
}

/* Where a program is, and what it was told, is nobody's business. */
TEST (names)
{
    static const struct {
        const char *command, *name;
    } names[] = {
        {"/usr/bin/shop --password=secret", "shop"},
        {"bin/shop secret/file", "shop"},
        {"../shop", "shop"},
        {"shop", "shop"},
        {"kworker/2:1-events", "kworker/2:1-events"},
        {"sshd: somebody", "sshd"},
        {"/usr/bin/", "bin/"},
        {":", ":"},
        {"  ", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
        Writer writer = begin_capture (false);
        put_process (&writer, 7, 1000, names[i].command);
        put_sample (&writer, SAMPLE, 7, 7, 1300, USER, UINT64_C (0x401150), END);
        g_autoptr (PvProfile) profile = finish (&writer);
        g_assert_cmpstr (profile->processes[1].name, ==, names[i].name);
        g_assert_cmpstr (profile->threads[1].name, ==, names[i].name);
    }
}

TEST (symbols)
{
    for (size_t i = 0; i < G_N_ELEMENTS (orders); i++) {
        Writer writer = begin_capture (orders[i]);
        put_process (&writer, 7, 1000, "kworker/0:1-events");
        put_map (&writer, 7, 1000, 0x401000, 0, "/usr/bin/shop", NULL);
        put_sample (&writer, SAMPLE, 7, 7, 1100, KERNEL, UINT64_C (0xffffffff81000180), USER,
                    UINT64_C (0x401100), UINT64_C (0x7f0000000080), END);
        put_sample (&writer, SAMPLE, 7, 7, 1200, USER, UINT64_C (0x401101),
                    UINT64_C (0x7f0000000081), END);
        put_symbols (&writer);
        assert_spelled (&writer, "samples 1100 kworker/0:1-events/7 1 "
                                 "do_syscall@[kernel.kallsyms] shop_run@shop ~shop_run@libshop\n"
                                 "samples 1200 kworker/0:1-events/7 1 shop+0x101 "
                                 "~[unknown]+0x7f0000000081\n");
    }
}

TEST (kallsyms)
{
    static const char text[] = "ffffffff81000200 t second\t[shop_mod]\n0 T none\n"
                               "ffffffff81000100 T first\nffffffff81000180 d data\nodd\n";
    Writer writer = begin_capture (false);
    put_sample (&writer, SAMPLE, 7, 7, 1100, KERNEL, UINT64_C (0xffffffff810001ff),
                UINT64_C (0xffffffff81000200), UINT64_C (0xffffffff81000201), END);
    put_sample (&writer, SAMPLE, 7, 7, 1200, KERNEL, UINT64_C (0xffffffff82000000), END);
    put_chunk (&writer, "/proc/kallsyms", text, sizeof text - 1, true);
    assert_spelled (&writer,
                    "samples 1100 (null)/7 1 first@[kernel.kallsyms] ~first@[kernel.kallsyms] "
                    "~second@[shop_mod]\n"
                    "samples 1200 (null)/7 1 [kernel]+0xffffffff82000000\n");
}

/* Names that come after their samples; two processes count from 1. */
TEST (jit)
{
    for (size_t i = 0; i < G_N_ELEMENTS (orders); i++) {
        Writer writer = begin_capture (orders[i]);
        for (int32_t pid = 7; pid < 10; pid++)
            put_sample (&writer, SAMPLE, pid, pid, 1000 + (uint64_t)pid,
                        UINT64_C (0xe000000000000001), UINT64_C (0xe000000000000005), END);
        for (int32_t pid = 7; pid < 9; pid++) {
            begin (&writer, JITMAP, pid, 900);
            put (&writer, 2, 4);
            put (&writer, UINT64_C (0xe000000000000002), 8);
            put_text (&writer, "odd");
            put (&writer, UINT64_C (0xe000000000000001), 8);
            put_text (&writer, pid == 7 ? "draw()" : "load()");
            end (&writer);
        }
        assert_spelled (&writer,
                        "samples 1007 (null)/7 1 draw()@[JIT] ~[unknown]+0xe000000000000005\n"
                        "samples 1008 (null)/8 1 load()@[JIT] ~[unknown]+0xe000000000000005\n"
                        "samples 1009 (null)/9 1 draw()@[JIT] ~[unknown]+0xe000000000000005\n");
    }
}

/* allocated, allocations, live; freed: what is freed has the stack of its allocation. */
TEST (allocations)
{
    for (size_t i = 0; i < G_N_ELEMENTS (orders); i++) {
        Writer writer = begin_capture (orders[i]);
        put_process (&writer, 7, 1, "shop");
        put_allocation (&writer, 7, 1100, 0x10, 100, 0x401);
        put_allocation (&writer, 7, 1300, 0x10, 0, 0);
        put_allocation (&writer, 7, 1200, 0x20, 50, 0x402);
        put_allocation (&writer, 7, 1400, 0x10, 30, 0x403);
        put_allocation (&writer, 8, 1500, 0x10, 0, 0);
        put_allocation (&writer, 7, 1600, 0x10, 0, 0);
        put_allocation (&writer, 7, 1700, 0x10, 0, 0);
        put_allocation (&writer, 7, 1800, 0x20, 60, 0x404); /* the free was lost */
        g_autoptr (PvProfile) profile = finish (&writer);
        assert_string (spell (profile), "heap 1100 shop/7 100,1,0 ~[unknown]+0x401\n"
                                        "heap 1200 shop/7 50,1,0 ~[unknown]+0x402\n"
                                        "heap 1400 shop/7 30,1,0 ~[unknown]+0x403\n"
                                        "heap 1800 shop/7 60,1,60 ~[unknown]+0x404\n"
                                        "freed 1300 shop/7 100 ~[unknown]+0x401\n"
                                        "freed 1600 shop/7 30 ~[unknown]+0x403\n"
                                        "freed 1800 shop/7 50 ~[unknown]+0x402\n");
        g_assert_true (profile->is_of_allocations && profile->sets[0].is_exact);
        g_assert_true (has_note (profile, "2 blocks were freed"));
    }
}

static char *
get_field (const PvSampleSet *set, uint32_t i, const char *name)
{
    size_t size_bytes = 0;
    const uint8_t *data = pv_sample_set_get_record (set, i, &size_bytes);
    GString *text = g_string_new (NULL);
    pv_field_append (text, pv_fields_find (set->fields, name), data, size_bytes, set->fields->swap);
    return g_string_free (text, false);
}

static void
put_log (Writer *writer, unsigned severity, const char *domain, const char *message)
{
    begin (writer, LOG, 7, 1200);
    put (writer, severity, 2);
    put (writer, 0xffffffffffff, 6);
    put_field (writer, domain, 32);
    put_text (writer, message);
    end (writer);
}

TEST (marks)
{
    for (size_t i = 0; i < G_N_ELEMENTS (orders); i++) {
        Writer writer = begin_capture (orders[i]);
        begin (&writer, MARK, 7, 1100);
        put (&writer, 500, 8);
        put_field (&writer, "gtk", 24);
        put_field (&writer, "layout", 40);
        put_text (&writer, "window 1");
        end (&writer);
        put_log (&writer, 1 << 4, "Shop", "too full");
        put_log (&writer, 1 << 3, "Sampler", "Lost 12 samples");
        g_autoptr (PvProfile) profile = finish (&writer);
        g_assert_cmpuint (profile->n_sets, ==, 1);
        g_assert_cmpuint (profile->n_lost, ==, 12);
        g_assert_true (has_note (profile, "no samples, only marks"));
        const PvSampleSet *set = &profile->sets[0];
        g_assert_cmpuint (set->n_samples, ==, 2);
        g_autofree char *duration = get_field (set, 0, "duration_ns");
        g_autofree char *group = get_field (set, 0, "category");
        g_autofree char *details = get_field (set, 0, "details");
        g_autofree char *level = get_field (set, 1, "name");
        g_autofree char *message = get_field (set, 1, "details");
        assert_string (get_field (set, 0, "name"), "layout");
        g_assert_cmpstr (duration, ==, "500");
        g_assert_cmpstr (group, ==, "gtk");
        g_assert_cmpstr (details, ==, "window 1");
        g_assert_cmpstr (level, ==, "warning");
        g_assert_cmpstr (message, ==, "too full");
    }
}

static void
put_metadata (Writer *writer, const char *id, const char *text)
{
    begin (writer, METADATA, -1, 0);
    put_field (writer, id, 40);
    put_text (writer, text);
    end (writer);
}

/* The recording user's name, and all else that was not requested, is nowhere. */
TEST (facts)
{
    static const char cpuinfo[] = "processor\t: 0\nmodel name\t: Shop CPU 1\nmodel name\t: 2\n";
    Writer writer = begin_capture (false);
    put_metadata (&writer, "org.gnome.sysprof.version", "47.1");
    put_metadata (&writer, "n-cpu", "8");
    put_metadata (&writer, "uname.release", "6.1.0");
    put_metadata (&writer, "uname.machine", "x86_64");
    put_metadata (&writer, "hostname", "secret");
    put_metadata (&writer, "spawnable.environ", "TOKEN=secret");
    put_chunk (&writer, "/proc/cpuinfo", cpuinfo, sizeof cpuinfo - 1, true);
    put_chunk (&writer, "/proc/mounts", "secret", 6, true);
    begin (&writer, COUNTERS, -1, 1000);
    put (&writer, 0, 8);
    end (&writer);
    put_sample (&writer, TRACE, 7, 7, 1000, UINT64_C (0x401), END);
    begin (&writer, DBUS, 7, 1000);
    put (&writer, 0, 8);
    end (&writer);
    begin (&writer, 99, 7, 1000);
    end (&writer);
    g_autoptr (PvProfile) profile = finish (&writer);
    const PvFacts *facts = &profile->facts;
    g_assert_cmpstr (facts->recorder, ==, "Sysprof 47.1");
    g_assert_cmpuint (facts->n_cpus, ==, 8);
    g_assert_cmpstr (facts->kernel_release, ==, "6.1.0");
    g_assert_cmpstr (facts->arch, ==, "x86_64");
    g_assert_cmpstr (facts->cpu, ==, "Shop CPU 1");
    g_assert_null (facts->host);
    g_assert_null (facts->command);
    g_assert_cmpuint (profile->n_counters, ==, 0);
    g_assert_true (has_note (profile, "1 record of a traced"));
    g_assert_true (has_note (profile, "1 D-Bus message"));
    g_assert_true (has_note (profile, "contains no samples"));
    g_assert_cmpuint (profile->n_sets, ==, 1);
}

/* --- counters --- */

static void
put_counter (Writer *writer, const char *category, const char *name, uint32_t id, unsigned type)
{
    put_field (writer, category, 32);
    put_field (writer, name, 32);
    put_field (writer, "about it", 52);
    put (writer, writer->is_big ? id << 8 | type : id | type << 24, 4);
    put (writer, 99, 8); /* a value that is none */
}

static void
put_values (Writer *writer, uint64_t time_ns, uint32_t id, uint64_t value, uint32_t other_id,
            double other)
{
    uint64_t bits;
    memcpy (&bits, &other, sizeof bits);
    begin (writer, COUNTERS, -1, time_ns);
    put (writer, 1, 2);
    put (writer, 0xa5a5a5a5a5a5, 6);
    put (writer, id, 4);
    put (writer, other_id, 4);
    for (unsigned i = 2; i < 8; i++)
        put (writer, 0, 4);
    put (writer, value, 8);
    put (writer, bits, 8);
    for (unsigned i = 2; i < 8; i++)
        put (writer, 0x5a5a, 8);
    end (writer);
}

static void
begin_definitions (Writer *writer, int32_t pid, uint64_t time_ns, unsigned n)
{
    begin (writer, DEFINITIONS, pid, time_ns);
    put (writer, n, 2);
    put (writer, 0xa5a5a5a5a5a5, 6);
}

/* Counters of both types, in no order of time; with a process or without; ids that are unknown, or
 * that stand for something else later. */
static void
check_counters (bool is_big)
{
    Writer writer = begin_capture (is_big);
    put_sample (&writer, SAMPLE, 7, 7, 2000, UINT64_C (0x401), END);
    begin_definitions (&writer, -1, 1000, 2);
    put_counter (&writer, "CPU Percent", "Total CPU 0", 0x10203, 1);
    put_counter (&writer, "Memory", "Used", 4, 0);
    end (&writer);
    put_values (&writer, 3000, 4, (uint64_t)-5, 0x10203, 62.5);
    put_values (&writer, 2000, 4, 70, 0x10203, 12.5);
    put_values (&writer, 900, 4, 1000, 0x10203, 1000); /* before they are defined */
    put_values (&writer, 2500, 99, 1, 0x10203, (double)INFINITY);
    begin_definitions (&writer, 7, 2600, 2);
    put_counter (&writer, "Shop", "visitors", 4, 0);
    put_counter (&writer, "Shop", "never", 5, 0);
    end (&writer);
    put_values (&writer, 2700, 4, 3, 0, 0);
    g_autoptr (PvProfile) profile = finish (&writer);
    g_assert_cmpuint (profile->n_skipped_records, ==, 0);
    g_assert_cmpuint (profile->n_counters, ==, 3);
    const PvCounter *cpu = &profile->counters[0], *memory = &profile->counters[1];
    const PvCounter *visitors = &profile->counters[2];
    g_assert_cmpstr (cpu->category, ==, "CPU Percent");
    g_assert_cmpstr (cpu->name, ==, "Total CPU 0");
    g_assert_cmpstr (cpu->description, ==, "about it");
    g_assert_cmpint (cpu->unit, ==, PV_COUNTER_PERCENT);
    g_assert_cmpuint (cpu->process, ==, 0);
    g_assert_cmpuint (cpu->n_samples, ==, 2);
    g_assert_cmpuint (cpu->time_ns[0], ==, 2000);
    g_assert_cmpfloat (cpu->min, ==, 12.5);
    g_assert_cmpfloat (cpu->total, ==, 62.5);
    g_assert_cmpint (memory->unit, ==, PV_COUNTER_PLAIN);
    g_assert_cmpint (memory->kind, ==, PV_COUNTER_LEVEL);
    g_assert_cmpuint (memory->n_samples, ==, 2);
    g_assert_cmpfloat (memory->values[0], ==, 70);
    g_assert_cmpfloat (memory->values[1], ==, -5);
    g_assert_cmpstr (visitors->name, ==, "visitors");
    g_assert_cmpint (profile->processes[visitors->process].pid, ==, 7);
    g_assert_cmpuint (visitors->n_samples, ==, 1);
}

TEST (counters)
{
    check_counters (false);
    check_counters (true);
}

/* Frames that promise more than they have. */
TEST (damaged_counters)
{
    Writer writer = begin_capture (false);
    put_sample (&writer, SAMPLE, 7, 7, 2000, UINT64_C (0x401), END);
    begin_definitions (&writer, -1, 1000, 65535);
    put_counter (&writer, "Memory", "Used", 4, 0);
    end (&writer);
    put_values (&writer, 3000, 4, 8, 0, 0);
    begin (&writer, COUNTERS, -1, 4000);
    put (&writer, 2, 8);
    put (&writer, 4, 4);
    end (&writer);
    g_autoptr (PvProfile) profile = finish (&writer);
    g_assert_cmpuint (profile->n_skipped_records, ==, 2);
    g_assert_cmpuint (profile->n_counters, ==, 1);
    g_assert_cmpuint (profile->counters[0].n_samples, ==, 1);
}

/* --- damage --- */

static void
put_everything (Writer *writer, bool is_big)
{
    *writer = begin_capture (is_big);
    put_process (writer, 7, 1000, "shop");
    put_map (writer, 7, 1000, 0x401000, 0, "/usr/bin/shop",
             "@0123456789abcdef0123456789abcdef01234567");
    put_sample (writer, SAMPLE, 7, 7, 1100, KERNEL, UINT64_C (0xffffffff81000180), USER,
                UINT64_C (0x401100), END);
    begin (writer, FORK, 7, 1100);
    put (writer, 8, 4);
    end (writer);
    begin (writer, JITMAP, 7, 1100);
    put (writer, 1, 4);
    put (writer, UINT64_C (0xe000000000000002), 8);
    put_text (writer, "odd");
    end (writer);
    put_allocation (writer, 7, 1100, 0x10, 100, 0x401);
    begin (writer, MARK, 7, 1100);
    put (writer, (uint64_t)-5, 8);
    put_field (writer, "gtk", 24);
    put_field (writer, "layout", 40);
    put_text (writer, "window 1");
    end (writer);
    put_log (writer, 1 << 4, "Shop", "too full");
    put_metadata (writer, "n-cpu", "8");
    put_symbols (writer);
}

/* Cut anywhere, it gives what was there. */
TEST (cut)
{
    for (size_t i = 0; i < G_N_ELEMENTS (orders); i++) {
        Writer writer;
        put_everything (&writer, orders[i]);
        for (guint n = 4; n <= writer.bytes->len; n++) {
            g_autoptr (GError) error = NULL;
            g_autoptr (PvProfile) profile =
                try_to_read_bytes (&pv_sysprof_reader, writer.bytes->data, n, &error);
            if (n < HEADER_BYTES) {
                g_assert_error (error, PV_READ_ERROR, PV_READ_ERROR_CORRUPT);
                continue;
            }
            g_assert_no_error (error);
            /* All but what was cut between two frames. */
            g_assert_true (n % 8 == 0 || has_note (profile, "cut off or damaged"));
            g_assert_cmpuint (profile->n_sets, >=, 1);
        }
        g_byte_array_unref (writer.bytes);
    }
}

TEST (several)
{
    Writer writer;
    put_everything (&writer, orders[0]);
    g_autoptr (GByteArray) one = g_byte_array_new ();
    g_byte_array_append (one, writer.bytes->data, writer.bytes->len);
    g_byte_array_append (writer.bytes, one->data, one->len);
    g_autoptr (GError) error = NULL;
    g_autoptr (PvProfile) profile =
        try_to_read_bytes (&pv_sysprof_reader, writer.bytes->data, writer.bytes->len, &error);
    g_assert_no_error (error);
    g_assert_true (has_note (profile, "several profiles"));
    g_assert_false (has_note (profile, "cut off or damaged"));
    g_byte_array_unref (writer.bytes);
}

/* Each frame made shorter than what it says is in it. */
TEST (short_frames)
{
    for (size_t i = 0; i < G_N_ELEMENTS (orders); i++) {
        Writer whole, writer;
        put_everything (&whole, orders[i]);
        for (guint at = HEADER_BYTES; at < whole.bytes->len;) {
            const uint8_t *frame = whole.bytes->data + at;
            guint len =
                orders[i] ? (guint)frame[0] << 8 | frame[1] : (guint)frame[1] << 8 | frame[0];
            for (guint n = 24; n < len; n += 8) {
                writer = begin_capture (orders[i]);
                writer.frame = writer.bytes->len;
                g_byte_array_append (writer.bytes, frame, n);
                end (&writer);
                put_sample (&writer, SAMPLE, 7, 7, 1100, UINT64_C (0x401100), END);
                g_autoptr (PvProfile) profile = finish (&writer);
                g_assert_false (has_note (profile, "cut off"));
                const PvSampleSet *set = &profile->sets[0];
                g_assert_cmpuint (set->n_samples, ==, 1);
                g_assert_cmpuint (profile->n_skipped_records, <=, 1);
            }
            at += len;
        }
        g_byte_array_unref (whole.bytes);
    }
}

TEST (odd)
{
    Writer writer = begin_capture (false);
    writer.bytes->data[4] = 9;
    g_autoptr (PvProfile) empty = finish (&writer);
    g_assert_true (has_note (empty, "version 9"));
    g_assert_true (has_note (empty, "contains no samples"));
    g_assert_cmpuint (empty->n_measures, ==, 1);

    /* A frame that ends before it begins. */
    writer = begin_capture (false);
    put_sample (&writer, SAMPLE, 7, 7, 1100, UINT64_C (0x401100), END);
    for (unsigned i = 0; i < 24; i++)
        put (&writer, 0, 1);
    g_autoptr (PvProfile) damaged = finish (&writer);
    g_assert_true (has_note (damaged, "cut off or damaged"));
    g_assert_cmpuint (damaged->sets[0].n_samples, ==, 1);
}
