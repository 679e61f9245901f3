/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SAMPLE records: the fields that the event's sample_type asks for, in the order in which
 * perf_output_sample () of the kernel writes them (which is not the order of the bits). Fields
 * after the user stack are of no use here and are not looked at.
 *
 * A sample with READ counts by the difference of the counter since its last reading; with GROUP it
 * is one sample for each member of the group that has counted something.
 */
#include "core/read/perf/perf-internal.h"

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

/* A count and so many elements. */
static const uint8_t *
take_array (PvCursor *cursor, size_t element_size, uint32_t *ret_count)
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
        pv_cursor_u64 (&cursor);
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
        sample.ips = take_array (&cursor, 8, &sample.n_ips);
        sample.has_chain = true;
    }
    if ((type & PERF_SAMPLE_RAW) != 0) {
        sample.raw_size_bytes = pv_cursor_u32 (&cursor);
        sample.raw = pv_cursor_take (&cursor, sample.raw_size_bytes);
    }
    if ((type & PERF_SAMPLE_BRANCH_STACK) != 0)
        take_branches (&sample, attr, &cursor);
    take_registers_and_stack (&sample, attr, &cursor);
    if (cursor.failed)
        return false;
    *ret_sample = sample;
    return true;
}

/* A sample of perf's own off-CPU tracking has its data in the raw field: u32 pid, tid; u64 period,
 * nr, ips[nr], cgroup. */
static void
take_off_cpu_payload (PerfSample *sample)
{
    PvCursor cursor = pv_cursor (sample->raw, sample->raw_size_bytes, sample->swap);
    uint32_t pid = pv_cursor_u32 (&cursor);
    uint32_t tid = pv_cursor_u32 (&cursor);
    uint64_t period = pv_cursor_u64 (&cursor);
    uint32_t n_ips = 0;
    const uint8_t *ips = take_array (&cursor, 8, &n_ips);
    if (cursor.failed)
        return;
    sample->pid = pid;
    sample->tid = tid;
    sample->period = period;
    sample->ips = ips;
    sample->n_ips = n_ips;
    sample->has_chain = true;
}

/* What a counter has gone up by since it was last read. */
static uint64_t
difference_since_last (PerfSession *session, const PerfAttr *attr, uint64_t id, uint32_t tid,
                       uint64_t value)
{
    /* Where inherited counters can be read in samples, each thread has its own. */
    uint64_t key = id;
    if (perf_attr_has_flag (attr, PERF_ATTR_INHERIT))
        key = pv_hash_mix (id) + tid;
    uint32_t *slot = pv_id_map_slot (&session->value_of_id, key);
    if (*slot == 0) {
        pv_array_push (&session->read_values, 0);
        *slot = (uint32_t)session->read_values.len;
    }
    uint64_t *last = &session->read_values.data[*slot - 1];
    uint64_t difference = value - *last;
    *last = value;
    return difference;
}

static void
add_target (PerfSession *session, const PerfAttr *attr, uint64_t weight)
{
    PerfTarget target = {attr->set, weight};
    pv_array_push (&session->targets, target);
}

static void
add_read_targets (PerfSession *session, const PerfAttr *attr, const PerfSample *sample)
{
    uint64_t format = attr->read_format;
    bool is_group = (format & PERF_FORMAT_GROUP) != 0;
    PvCursor cursor = pv_cursor (sample->read, sample->read_size_bytes, sample->swap);
    uint64_t n = is_group ? pv_cursor_u64 (&cursor) : 1;
    uint64_t single = is_group ? 0 : pv_cursor_u64 (&cursor);
    if ((format & PERF_FORMAT_TOTAL_TIME_ENABLED) != 0)
        pv_cursor_u64 (&cursor);
    if ((format & PERF_FORMAT_TOTAL_TIME_RUNNING) != 0)
        pv_cursor_u64 (&cursor);
    for (uint64_t i = 0; i < n && !cursor.failed; i++) {
        uint64_t value = is_group ? pv_cursor_u64 (&cursor) : single;
        uint64_t id = pv_cursor_u64 (&cursor);
        if ((format & PERF_FORMAT_LOST) != 0)
            pv_cursor_u64 (&cursor);
        const PerfAttr *member = perf_attr_of_id (session, id);
        if (member == NULL) {
            session->n_unknown_id++;
            continue;
        }
        uint64_t weight = difference_since_last (session, member, id, sample->tid, value);
        if (weight > 0)
            add_target (session, member, weight);
    }
}

static uint64_t
time_of_sample (const PerfAttr *attr, const PerfSample *sample)
{
    /* Aggregated waits are written at the end with times that were made up. */
    if (sample->time_ns >= PERF_FAKE_TIME_LOW)
        return 0;
    if (attr->is_offcpu_time)
        return sample->time_ns > sample->period ? sample->time_ns - sample->period : 0;
    return sample->time_ns;
}

void
perf_sample_deliver (PerfSession *session, const uint8_t *record, size_t size_bytes)
{
    PerfAttr *attr = perf_attr_of_record (session, record, PERF_RECORD_SAMPLE, size_bytes);
    if (attr == NULL) {
        session->n_unknown_id++;
        return;
    }
    PerfSample sample;
    if (!perf_sample_parse (&sample, attr, record, size_bytes, session->swap)) {
        session->n_bad_records++;
        return;
    }
    if (G_UNLIKELY (!session->has_sets)) {
        perf_attr_make_sets (session);
    }
    if (attr->is_offcpu_time && sample.raw_size_bytes > 0)
        take_off_cpu_payload (&sample);

    session->targets.len = 0;
    bool is_read =
        (attr->sample_type & PERF_SAMPLE_READ) != 0 && (attr->read_format & PERF_FORMAT_ID) != 0;
    if (is_read)
        add_read_targets (session, attr, &sample);
    else
        add_target (session, attr, sample.period);
    session->n_samples++;

    PvNewSample base = {
        .time_ns = time_of_sample (attr, &sample),
        .duration_ns =
            attr->is_offcpu_time && sample.time_ns < PERF_FAKE_TIME_LOW ? sample.period : 0,
        .cpu = sample.cpu < PV_CPU_UNKNOWN ? (uint16_t)sample.cpu : PV_CPU_UNKNOWN,
    };
    PerfThread *thread =
        perf_maps_thread (session, (int32_t)sample.pid, (int32_t)sample.tid, base.time_ns);
    base.thread = perf_maps_thread_row (session, thread);
    perf_stacks_add (session, attr, thread, &sample, &base);
    if (attr->sched_switch != 0)
        perf_off_cpu_sched_switch (session, &session->tracepoints.data[attr->sched_switch - 1],
                                   &sample, thread);
}
