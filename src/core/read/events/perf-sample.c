/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SAMPLE records: the fields in the event's sample_type, in the order in which the kernel's
 * perf_output_sample () writes them (which is not the order of the bits). Fields after the
 * physical address are not needed and not read.
 */
#include "core/read/events/perf-sample.h"

/* Size of the READ field, or 0 if it does not fit. */
static size_t
size_of_read (const PerfAttr *attr, const uint8_t *data, size_t left, bool swap)
{
    uint64_t format = attr->read_format;
    size_t n_times = ((format & PERF_FORMAT_TOTAL_TIME_ENABLED) != 0) +
                     ((format & PERF_FORMAT_TOTAL_TIME_RUNNING) != 0);
    size_t per_value = 1 + ((format & PERF_FORMAT_ID) != 0) + ((format & PERF_FORMAT_LOST) != 0);
    uint64_t n_values = 1;
    size_t n_words = n_times;
    if ((format & PERF_FORMAT_GROUP) != 0) {
        if (left < 8)
            return 0;
        n_values = perf_load_u64 (data, swap);
        n_words++;
    }
    if (n_values > left / 8)
        return 0;
    n_words += n_values * per_value;
    return n_words <= left / 8 ? n_words * 8 : 0;
}

static bool
take_read (PerfSample *sample, const PerfAttr *attr, PvCursor *cursor)
{
    size_t size = size_of_read (attr, cursor->pos, pv_cursor_left (cursor), cursor->swap);
    sample->read = cursor->pos;
    sample->read_size_bytes = (uint32_t)size;
    return size > 0 && pv_cursor_skip (cursor, size);
}

const uint8_t *
perf_take_array (PvCursor *cursor, size_t element_size, uint32_t *ret_count)
{
    uint64_t count = pv_cursor_u64 (cursor);
    if (count > pv_cursor_left (cursor) / element_size) {
        cursor->failed = true;
        return NULL;
    }
    *ret_count = (uint32_t)count;
    return pv_cursor_take (cursor, count * element_size);
}

static void
take_branches (PerfSample *sample, const PerfAttr *attr, PvCursor *cursor)
{
    uint64_t count = pv_cursor_u64 (cursor);
    if ((attr->branch_sample_type & PERF_BRANCH_HW_INDEX) != 0)
        pv_cursor_u64 (cursor);
    if (count > pv_cursor_left (cursor) / 24) {
        cursor->failed = true;
        return;
    }
    sample->n_branches = (uint32_t)count;
    sample->branches = pv_cursor_take (cursor, count * 24);
    if ((attr->branch_sample_type & PERF_BRANCH_COUNTERS) != 0)
        pv_cursor_skip (cursor, count * 8);
}

static void
take_registers_and_stack (PerfSample *sample, const PerfAttr *attr, PvCursor *cursor)
{
    uint64_t type = attr->sample_type;
    if ((type & PERF_SAMPLE_REGS_USER) != 0) {
        uint64_t abi = pv_cursor_u64 (cursor);
        if (abi != 0) {
            sample->n_registers = (uint32_t)__builtin_popcountll (attr->sample_regs_user);
            sample->registers = pv_cursor_take (cursor, 8 * (size_t)sample->n_registers);
            sample->is_32bit = abi == 1;
        }
    }
    if ((type & PERF_SAMPLE_STACK_USER) != 0) {
        uint64_t size = pv_cursor_u64 (cursor);
        if (size == 0)
            return;
        if (size > pv_cursor_left (cursor)) {
            cursor->failed = true;
            return;
        }
        sample->stack = pv_cursor_take (cursor, (size_t)size);
        uint64_t valid = pv_cursor_u64 (cursor);
        sample->stack_size_bytes = (uint32_t)MIN (valid, size);
    }
}

/* Takes the fields from the weight to the physical address. The first part of a weight of three
 * parts is how long the access took. */
static void
take_access (PerfSample *sample, const PerfAttr *attr, PvCursor *cursor)
{
    uint64_t type = attr->sample_type;
    if (perf_attr_has_weight (attr)) {
        uint64_t weight = pv_cursor_u64 (cursor);
        bool has_parts = (type & PERF_SAMPLE_WEIGHT_STRUCT) != 0;
        sample->weight = has_parts ? (uint32_t)weight : weight;
    }
    if ((type & PERF_SAMPLE_DATA_SRC) != 0)
        sample->access = pv_cursor_u64 (cursor);
    if ((type & PERF_SAMPLE_PHYS_ADDR) == 0)
        return;
    if ((type & PERF_SAMPLE_TRANSACTION) != 0)
        pv_cursor_u64 (cursor);
    if ((type & PERF_SAMPLE_REGS_INTR) != 0 && pv_cursor_u64 (cursor) != 0)
        pv_cursor_skip (cursor, 8 * (size_t)__builtin_popcountll (attr->sample_regs_intr));
    sample->physical_address = pv_cursor_u64 (cursor);
}

bool
perf_sample_parse (PerfSample *ret_sample, const PerfAttr *attr, const uint8_t *record,
                   size_t size_bytes, bool swap)
{
    uint64_t type = attr->sample_type;
    PvCursor cursor = pv_cursor (record + 8, size_bytes - 8, swap);
    PerfSample sample = {
        .pid = UINT32_MAX,
        .tid = UINT32_MAX,
        .cpu = UINT32_MAX,
        .period = attr->sample_period,
        .mode = perf_load_u16 (record + 4, swap) & PERF_MISC_CPUMODE_MASK,
        .swap = swap,
    };
    if ((type & PERF_SAMPLE_IDENTIFIER) != 0)
        sample.id = pv_cursor_u64 (&cursor);
    if ((type & PERF_SAMPLE_IP) != 0)
        sample.ip = pv_cursor_u64 (&cursor);
    if ((type & PERF_SAMPLE_TID) != 0) {
        sample.pid = pv_cursor_u32 (&cursor);
        sample.tid = pv_cursor_u32 (&cursor);
    }
    if ((type & PERF_SAMPLE_TIME) != 0)
        sample.time_ns = pv_cursor_u64 (&cursor);
    if ((type & PERF_SAMPLE_ADDR) != 0)
        sample.data_address = pv_cursor_u64 (&cursor);
    if ((type & PERF_SAMPLE_ID) != 0)
        sample.id = pv_cursor_u64 (&cursor);
    if ((type & PERF_SAMPLE_STREAM_ID) != 0)
        pv_cursor_u64 (&cursor);
    if ((type & PERF_SAMPLE_CPU) != 0) {
        sample.cpu = pv_cursor_u32 (&cursor);
        pv_cursor_u32 (&cursor);
    }
    if ((type & PERF_SAMPLE_PERIOD) != 0)
        sample.period = pv_cursor_u64 (&cursor);
    if ((type & PERF_SAMPLE_READ) != 0 && !take_read (&sample, attr, &cursor))
        return false;
    if ((type & PERF_SAMPLE_CALLCHAIN) != 0) {
        sample.ips = perf_take_array (&cursor, 8, &sample.n_ips);
        sample.has_chain = true;
    }
    if ((type & PERF_SAMPLE_RAW) != 0) {
        sample.raw_size_bytes = pv_cursor_u32 (&cursor);
        sample.raw = pv_cursor_take (&cursor, sample.raw_size_bytes);
    }
    if ((type & PERF_SAMPLE_BRANCH_STACK) != 0)
        take_branches (&sample, attr, &cursor);
    take_registers_and_stack (&sample, attr, &cursor);
    if ((type & PERF_SAMPLE_ACCESS) != 0)
        take_access (&sample, attr, &cursor);
    if (cursor.failed)
        return false;
    *ret_sample = sample;
    return true;
}

PvHash
perf_sample_hash_chain (const PerfSample *sample)
{
    if (sample->n_ips > 0)
        return pv_hash_bytes (sample->ips, 8 * (size_t)sample->n_ips, sample->mode);
    return pv_hash_bytes (&sample->ip, sizeof sample->ip, ~(uint64_t)sample->mode);
}
