/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/base/array.h"
#include "core/base/cursor.h"
#include "core/base/idmap.h"
#include "core/base/mapped-file.h"
#include "core/symbolize/unwind/unwinder.h"

/*
 * dump-stacks [--jobs=N] [--repeat=N] [--quiet] FILE: the unwound user stacks of a perf.data file,
 * as tests/golden/compare-unwind.py wants them:
 *
 *     TID TIME END LAST
 *     ADDRESS ...
 *
 * per sample, addresses leaf first and as perf script prints them: offsets in the mapped file (of
 * anonymous code run-time addresses), return addresses less one. LAST is what the last word of the
 * stack's copy would be as a return address. Reads plain recordings of one
 * event with DWARF call graphs, just enough of the format to test the unwinder without our reader.
 */
typedef struct {
    uint64_t time_ns;
    const uint8_t *record;
} Record;

typedef struct {
    int32_t pid;
    PvAddressSpace *space;
} Process;

typedef struct {
    uint32_t tid;
    uint64_t time_ns;
} Sample;

typedef struct {
    PvMappedFile *file;
    struct perf_event_attr attr;
    PV_ARRAY (Record) records;
    PV_ARRAY (PvModule) modules;
    PV_ARRAY (Process) processes;
    PvIdMap process_of_pid;
    PV_ARRAY (Sample) samples;
    PV_ARRAY (PvRawStack) stacks;
    GHashTable *build_ids; /* path -> GBytes */
    PvUnwinder *unwinder;
    double seconds;
    uint64_t n_frames;
    uint64_t n_ends[PV_N_STACK_ENDS];
    uint64_t n_samples;
    bool is_quiet;
    unsigned n_repeats;
} Dump;

static uint64_t
load_u64 (const uint8_t *bytes)
{
    uint64_t value;
    memcpy (&value, bytes, sizeof value);
    return value;
}

static struct perf_event_header
load_header (const uint8_t *record)
{
    struct perf_event_header header;
    memcpy (&header, record, sizeof header);
    return header;
}

/* The time in the trailer of records other than samples. */
static uint64_t
trailer_time (const Dump *dump, const uint8_t *record, uint16_t size)
{
    uint64_t type = dump->attr.sample_type;
    size_t back = 8; /* of time from the end */
    const uint64_t later[] = {PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU,
                              PERF_SAMPLE_IDENTIFIER};
    for (size_t i = 0; i < G_N_ELEMENTS (later); i++)
        back += type & later[i] ? 8 : 0;
    return dump->attr.sample_id_all && back + 8 <= size ? load_u64 (record + size - back) : 0;
}

typedef struct {
    uint32_t pid, tid;
    uint64_t time_ns;
    uint64_t abi;
    const uint8_t *registers;
    const uint8_t *stack;
    uint64_t stack_size, stack_dumped;
} ParsedSample;

static bool
parse_sample (const Dump *dump, const uint8_t *record, uint16_t size, ParsedSample *sample)
{
    uint64_t type = dump->attr.sample_type;
    PvCursor cursor = pv_cursor (record + 8, size - 8, false);
    memset (sample, 0, sizeof *sample);
    pv_cursor_skip (&cursor, type & PERF_SAMPLE_IDENTIFIER ? 8 : 0);
    pv_cursor_skip (&cursor, type & PERF_SAMPLE_IP ? 8 : 0);
    if (type & PERF_SAMPLE_TID) {
        sample->pid = pv_cursor_u32 (&cursor);
        sample->tid = pv_cursor_u32 (&cursor);
    }
    if (type & PERF_SAMPLE_TIME)
        sample->time_ns = pv_cursor_u64 (&cursor);
    const uint64_t words[] = {PERF_SAMPLE_ADDR, PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID,
                              PERF_SAMPLE_CPU, PERF_SAMPLE_PERIOD};
    for (size_t i = 0; i < G_N_ELEMENTS (words); i++)
        pv_cursor_skip (&cursor, type & words[i] ? 8 : 0);
    if (type & (PERF_SAMPLE_READ | PERF_SAMPLE_RAW | PERF_SAMPLE_BRANCH_STACK))
        return false;
    if (type & PERF_SAMPLE_CALLCHAIN) {
        uint64_t n = pv_cursor_u64 (&cursor);
        if (n > 10000)
            return false;
        pv_cursor_skip (&cursor, n * 8);
    }
    if (type & PERF_SAMPLE_REGS_USER) {
        sample->abi = pv_cursor_u64 (&cursor);
        unsigned n_registers = __builtin_popcountll (dump->attr.sample_regs_user);
        if (sample->abi != 0)
            sample->registers = pv_cursor_take (&cursor, n_registers * 8);
    }
    if (type & PERF_SAMPLE_STACK_USER) {
        sample->stack_size = pv_cursor_u64 (&cursor);
        if (sample->stack_size > 0 && sample->stack_size < 65536) {
            sample->stack = pv_cursor_take (&cursor, sample->stack_size);
            sample->stack_dumped = pv_cursor_u64 (&cursor);
        }
    }
    return !cursor.failed && sample->stack_dumped <= sample->stack_size;
}

static int
compare_records (const void *a, const void *b)
{
    const Record *x = a, *y = b;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    return x->record < y->record ? -1 : x->record > y->record;
}

static void
read_build_ids (Dump *dump, const uint8_t *bytes, size_t size_bytes)
{
    PvCursor cursor = pv_cursor (bytes, size_bytes, false);
    while (pv_cursor_left (&cursor) > 36) {
        const uint8_t *entry = cursor.pos;
        struct perf_event_header header = load_header (entry);
        if (!pv_cursor_skip (&cursor, MAX (header.size, 8)) || header.size < 37)
            return;
        unsigned id_size = header.misc & (1 << 15) ? entry[32] : 20;
        g_hash_table_insert (dump->build_ids,
                             g_strndup ((const char *)entry + 36, header.size - 36),
                             g_bytes_new (entry + 12, MIN (id_size, 20)));
    }
}

static bool
open_recording (Dump *dump, const char *path)
{
    enum { FEATURE_BUILD_ID = 2 };
    GError *error = NULL;
    dump->file = pv_mapped_file_open (path, &error);
    if (dump->file == NULL) {
        fprintf (stderr, "%s: %s\n", path, error->message);
        g_clear_error (&error);
        return false;
    }
    const uint8_t *data = pv_mapped_file_get_data (dump->file);
    size_t size_bytes = pv_mapped_file_get_size (dump->file);
    if (size_bytes < 104 || memcmp (data, "PERFILE2", 8) != 0 || load_u64 (data + 8) != 104)
        return false;
    uint64_t attr_offset = load_u64 (data + 24);
    uint64_t start = load_u64 (data + 40), length = load_u64 (data + 48);
    if (attr_offset + sizeof dump->attr > size_bytes || start + length > size_bytes)
        return false;
    memcpy (&dump->attr, data + attr_offset, sizeof dump->attr);
    if (load_u64 (data + 72) & 1 << FEATURE_BUILD_ID) {
        unsigned before =
            __builtin_popcountll (load_u64 (data + 72) & ((1 << FEATURE_BUILD_ID) - 1));
        const uint8_t *entry = data + start + length + before * 16;
        read_build_ids (dump, data + load_u64 (entry), load_u64 (entry + 8));
    }
    for (uint64_t offset = 0; offset + 8 <= length;) {
        const uint8_t *record = data + start + offset;
        struct perf_event_header header = load_header (record);
        if (header.size < 8 || header.size > length - offset)
            break;
        ParsedSample sample;
        Record item = {0, record};
        if (header.type == PERF_RECORD_SAMPLE) {
            if (parse_sample (dump, record, header.size, &sample))
                item.time_ns = sample.time_ns;
            pv_array_push (&dump->records, item);
        } else if (header.type < 64) {
            item.time_ns = trailer_time (dump, record, header.size);
            pv_array_push (&dump->records, item);
        }
        offset += header.size;
    }
    qsort (dump->records.data, dump->records.len, sizeof (Record), compare_records);
    return true;
}

static size_t
find_process (Dump *dump, int32_t pid)
{
    uint32_t *id = pv_id_map_slot (&dump->process_of_pid, (uint32_t)pid);
    if (*id == 0) {
        Process process = {.pid = pid, .space = pv_address_space_new ()};
        pv_array_push (&dump->processes, process);
        *id = (uint32_t)dump->processes.len;
    }
    return *id - 1;
}

static PvModuleId
find_module (Dump *dump, const char *path)
{
    for (size_t i = 1; i < dump->modules.len; i++)
        if (strcmp (dump->modules.data[i].path, path) == 0)
            return (PvModuleId)i;
    PvModule module = {.path = path, .name = path, .kind = PV_MODULE_FILE};
    if (strcmp (path, "[vdso]") == 0) {
        module.kind = PV_MODULE_VDSO;
    } else if (path[0] != '/' || path[1] == '/' || g_str_has_prefix (path, "/memfd:")) {
        module.kind = PV_MODULE_JIT;
        module.address_kind = PV_ADDRESS_RUNTIME;
    }
    GBytes *build_id = g_hash_table_lookup (dump->build_ids, path);
    if (build_id != NULL) {
        gsize id_size;
        const void *id = g_bytes_get_data (build_id, &id_size);
        module.build_id_size = (uint8_t)id_size;
        memcpy (module.build_id, id, id_size);
    }
    pv_array_push (&dump->modules, module);
    return (PvModuleId)dump->modules.len - 1;
}

static double
now (void)
{
    struct timespec time;
    clock_gettime (CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

/* A word of a stack as the return address of a frame would be printed. */
static uint64_t
translate_return (const Dump *dump, const PvAddressSpace *space, uint64_t word)
{
    const PvMapping *mapping = pv_address_space_find (space, word - 1);
    if (mapping == NULL || dump->modules.data[mapping->module].kind == PV_MODULE_JIT)
        return word - 1;
    return word - 1 - mapping->start + mapping->file_offset;
}

/* Address spaces may change only between rounds: a round ends before each change. */
static void
finish_round (Dump *dump)
{
    static const char *const names[] = {"unknown",   "root",        "dump",
                                        "depth",     "no-binary",   "no-rule",
                                        "bad-frame", "other-stack", "not-recorded"};
    size_t n = dump->stacks.len;
    g_autofree PvRawResult *results = g_new0 (PvRawResult, n + 1);
    double start = now ();
    for (unsigned i = 0; i < dump->n_repeats; i++)
        pv_unwinder_unwind (dump->unwinder, PV_ARCH_X86_64, dump->modules.data, dump->stacks.data,
                            n, results, NULL);
    dump->seconds += now () - start;
    for (size_t i = 0; i < n; i++) {
        const Sample *sample = &dump->samples.data[i];
        dump->n_samples++;
        dump->n_frames += results[i].n_frames;
        dump->n_ends[results[i].end]++;
        if (dump->is_quiet)
            continue;
        const PvRawStack *stack = &dump->stacks.data[i];
        uint64_t last = 0;
        if (stack->stack_size_bytes >= 8)
            last = translate_return (dump, stack->space,
                                     load_u64 (stack->stack + stack->stack_size_bytes - 8));
        printf ("%u %" PRIu64 " %s %" PRIx64 "\n", sample->tid, sample->time_ns,
                names[results[i].end], last);
        for (uint32_t j = 0; j < results[i].n_frames; j++) {
            const PvRawFrame *frame = &results[i].frames[j];
            printf ("%s%" PRIx64, j > 0 ? " " : "",
                    frame->address - (frame->kind == PV_LOCATION_RETURN));
        }
        putchar ('\n');
    }
    dump->stacks.len = dump->samples.len = 0;
}

static void
add_mapping (Dump *dump, const uint8_t *record, struct perf_event_header header)
{
    bool is_second = header.type == PERF_RECORD_MMAP2;
    size_t name_at = is_second ? 72 : 40;
    if (header.misc & PERF_RECORD_MISC_MMAP_DATA || header.size <= name_at ||
        (header.misc & 7) == PERF_RECORD_MISC_KERNEL)
        return;
    int32_t pid;
    memcpy (&pid, record + 8, sizeof pid);
    PvMapping mapping = {
        .start = load_u64 (record + 16),
        .end = load_u64 (record + 16) + load_u64 (record + 24),
        .file_offset = load_u64 (record + 32),
        .module = find_module (dump, (const char *)record + name_at),
    };
    finish_round (dump);
    size_t index = find_process (dump, pid);
    Process *process = &dump->processes.data[index];
    pv_address_space_add (process->space, &mapping);
}

static void
fork_process (Dump *dump, const uint8_t *record)
{
    int32_t ids[2];
    memcpy (ids, record + 8, sizeof ids);
    if (ids[0] == ids[1])
        return;
    finish_round (dump);
    size_t parent = find_process (dump, ids[1]), child = find_process (dump, ids[0]);
    Process *from = &dump->processes.data[parent], *to = &dump->processes.data[child];
    pv_address_space_free (to->space);
    to->space = pv_address_space_copy (from->space);
}

static void
add_sample (Dump *dump, const uint8_t *record, uint16_t size)
{
    ParsedSample parsed;
    if (!parse_sample (dump, record, size, &parsed) || parsed.abi == 0 || parsed.stack == NULL)
        return;
    Sample sample = {parsed.tid, parsed.time_ns};
    size_t process = find_process (dump, (int32_t)parsed.pid);
    PvRawStack stack = {
        .space = dump->processes.data[process].space,
        .registers = (const uint64_t *)(const void *)parsed.registers,
        .register_mask = dump->attr.sample_regs_user,
        .stack = parsed.stack,
        .stack_size_bytes = (uint32_t)parsed.stack_dumped,
        .stack_requested_bytes = dump->attr.sample_stack_user,
        .is_32bit = parsed.abi == PERF_SAMPLE_REGS_ABI_32,
    };
    pv_array_push (&dump->samples, sample);
    pv_array_push (&dump->stacks, stack);
    if (dump->samples.len == 4096)
        finish_round (dump);
}

static void
run (Dump *dump)
{
    for (size_t i = 0; i < dump->records.len; i++) {
        const uint8_t *record = dump->records.data[i].record;
        struct perf_event_header header = load_header (record);
        if (header.type == PERF_RECORD_MMAP || header.type == PERF_RECORD_MMAP2) {
            add_mapping (dump, record, header);
        } else if (header.type == PERF_RECORD_FORK) {
            fork_process (dump, record);
        } else if (header.type == PERF_RECORD_COMM && header.misc & PERF_RECORD_MISC_COMM_EXEC) {
            int32_t pid;
            memcpy (&pid, record + 8, sizeof pid);
            finish_round (dump);
            size_t process = find_process (dump, pid);
            pv_address_space_free (dump->processes.data[process].space);
            dump->processes.data[process].space = pv_address_space_new ();
        } else if (header.type == PERF_RECORD_SAMPLE) {
            add_sample (dump, record, header.size);
        }
    }
    finish_round (dump);
}

static void
clear (Dump *dump)
{
    for (size_t i = 0; i < dump->processes.len; i++)
        pv_address_space_free (dump->processes.data[i].space);
    pv_array_clear (&dump->processes);
    pv_array_clear (&dump->records);
    pv_array_clear (&dump->modules);
    pv_array_clear (&dump->samples);
    pv_array_clear (&dump->stacks);
    pv_id_map_clear (&dump->process_of_pid);
    g_hash_table_unref (dump->build_ids);
    pv_mapped_file_unref (dump->file);
}

int
main (int argc, char **argv)
{
    Dump dump = {.n_repeats = 1};
    unsigned n_workers = 0;
    const char *path = NULL;
    for (int i = 1; i < argc; i++) {
        if (g_str_has_prefix (argv[i], "--jobs="))
            n_workers = (unsigned)atoi (argv[i] + 7);
        else if (g_str_has_prefix (argv[i], "--repeat="))
            dump.n_repeats = (unsigned)atoi (argv[i] + 9);
        else if (strcmp (argv[i], "--quiet") == 0)
            dump.is_quiet = true;
        else
            path = argv[i];
    }
    dump.build_ids =
        g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_bytes_unref);
    if (path == NULL || !open_recording (&dump, path))
        return 1;
    PvModule none = {.path = "", .name = ""};
    pv_array_push (&dump.modules, none);
    PvSymbolOptions options = {0};
    g_autoptr (PvModuleFiles) files = pv_module_files_new (&options);
    dump.unwinder = pv_unwinder_new (files, n_workers);
    run (&dump);
    fprintf (stderr,
             "%" PRIu64 " samples, %" PRIu64 " frames, unwound in %.1f ms: %.1f Mframes/s\n",
             dump.n_samples, dump.n_frames, dump.seconds * 1e3 / dump.n_repeats,
             dump.n_frames * dump.n_repeats / dump.seconds / 1e6);
    fprintf (stderr,
             "root %" PRIu64 ", dump %" PRIu64 ", depth %" PRIu64 ", no binary %" PRIu64
             ", no rule %" PRIu64 ", bad frame %" PRIu64 "\n",
             dump.n_ends[PV_STACK_END_ROOT], dump.n_ends[PV_STACK_END_DUMP],
             dump.n_ends[PV_STACK_END_DEPTH], dump.n_ends[PV_STACK_END_NO_BINARY],
             dump.n_ends[PV_STACK_END_NO_RULE], dump.n_ends[PV_STACK_END_BAD_FRAME]);
    pv_unwinder_free (dump.unwinder);
    clear (&dump);
    return 0;
}
