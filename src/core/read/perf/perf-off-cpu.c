/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waiting times of threads, from context switches. A sched_switch sample has the stack of the
 * leaving thread and the id of the next one. SWITCH records only say that a thread left or came
 * back: the stack is that of a sched_switch or context-switches sample taken at the same switch.
 * Where there is none, the wait has one frame that says so; an earlier sample of the thread tells
 * nothing about where it waits. Each wait is a sample in the set "off-cpu", from when the thread
 * left until it came back.
 */
#include "core/read/perf/perf-off-cpu.h"

#include <glib/gi18n-lib.h>

#include "core/read/perf/perf-attr.h"

/* An off-CPU interval that waits for the stack of a batch entry. */
typedef struct {
    PerfThread *thread;
    uint32_t pending;
    uint16_t cpu;
    uint64_t start_ns, duration_ns;
} PendingInterval;

struct PerfOffCpu {
    uint32_t set;            /* sample set in the builder, + 1; 0: none yet */
    PvStackId missing_stack; /* for waits without a stack; 0: not made yet */
    uint64_t n_waits, n_without_stack;
    PV_ARRAY (PendingInterval) intervals;
};

PerfOffCpu *
perf_off_cpu_new (void)
{
    return g_new0 (PerfOffCpu, 1);
}

void
perf_off_cpu_free (PerfOffCpu *off_cpu)
{
    pv_array_clear (&off_cpu->intervals);
    g_free (off_cpu);
}

static uint32_t
off_cpu_set (PerfSession *session)
{
    if (session->off_cpu->set == 0) {
        uint32_t set = pv_profile_builder_add_set (session->builder, "off-cpu", true);
        pv_profile_builder_add_measure (session->builder, set, NULL, PV_UNIT_NS,
                                        PV_AGGREGATION_SUM);
        pv_profile_builder_set_derived (session->builder, set);
        session->off_cpu->set = set + 1;
        if (!session->events->has_cpu_time)
            pv_profile_builder_prefer_set (session->builder, set);
    }
    return session->off_cpu->set - 1;
}

/* One frame that says that no stack was recorded. */
static PvStackId
missing_stack (PerfSession *session)
{
    PerfOffCpu *off_cpu = session->off_cpu;
    if (off_cpu->missing_stack == 0) {
        PvProfileBuilder *builder = session->builder;
        PvModule module = {
            .path = "",
            .name = "[unknown]",
            .kind = PV_MODULE_UNKNOWN,
            .address_kind = PV_ADDRESS_ORDINAL,
        };
        PvModuleId id = pv_profile_builder_add_module (builder, &module);
        PvLocationId location = pv_profile_builder_location (builder, id, 0, PV_LOCATION_NAMED);
        PvGivenFrame frame = {
            .name = pv_profile_builder_string (builder, "[no stack recorded]"),
        };
        pv_profile_builder_give_frames (builder, location, &frame, 1);
        off_cpu->missing_stack = pv_profile_builder_stack (builder, 0, location);
    }
    return off_cpu->missing_stack;
}

static void
add_wait (PerfSession *session, PerfThread *thread, PvStackId stack, uint8_t end, uint16_t cpu,
          uint64_t start_ns, uint64_t duration_ns)
{
    session->off_cpu->n_waits++;
    if (stack == 0) {
        session->off_cpu->n_without_stack++;
        stack = missing_stack (session);
        end = PV_STACK_END_NOT_RECORDED;
    }
    PvNewSample sample = {
        .time_ns = start_ns,
        .duration_ns = duration_ns,
        .thread = perf_maps_thread_row (session, thread),
        .stack = stack,
        .cpu = cpu,
        .stack_end = end,
    };
    pv_profile_builder_add_sample (session->builder, off_cpu_set (session), &sample, &duration_ns);
}

static void
leave (PerfThread *thread, uint16_t cpu, uint64_t time_ns)
{
    thread->off_since_ns = time_ns;
    thread->off_stack = thread->is_at_switch ? thread->last_stack : (PerfStackRef){0};
    thread->off_cpu = cpu;
}

static void
come_back (PerfSession *session, PerfThread *thread, uint64_t time_ns)
{
    uint64_t since_ns = thread->off_since_ns;
    thread->off_since_ns = 0;
    thread->is_at_switch = false;
    if (since_ns == 0 || time_ns <= since_ns)
        return;
    uint64_t duration_ns = time_ns - since_ns;
    const PerfStackRef *stack = &thread->off_stack;
    if (stack->pending == 0) {
        add_wait (session, thread, stack->stack, stack->end, thread->off_cpu, since_ns,
                  duration_ns);
        return;
    }
    PendingInterval interval = {thread, stack->pending, thread->off_cpu, since_ns, duration_ns};
    pv_array_push (&session->off_cpu->intervals, interval);
}

void
perf_off_cpu_sched_switch (PerfSession *session, const PerfTracepoint *tracepoint,
                           const PerfSample *sample, PerfThread *thread)
{
    uint32_t last = MAX (tracepoint->prev_pid_offset, tracepoint->next_pid_offset);
    if (sample->raw == NULL || (uint64_t)last + 4 > sample->raw_size_bytes || sample->time_ns == 0)
        return;
    int32_t prev = (int32_t)perf_load_u32 (sample->raw + tracepoint->prev_pid_offset, sample->swap);
    int32_t next = (int32_t)perf_load_u32 (sample->raw + tracepoint->next_pid_offset, sample->swap);
    /* The idle task does not wait. */
    if (prev == thread->tid && prev != 0)
        leave (thread, sample->cpu < PV_CPU_UNKNOWN ? (uint16_t)sample->cpu : PV_CPU_UNKNOWN,
               sample->time_ns);
    PerfThread *waiting = next != 0 ? perf_maps_find_thread (session, next) : NULL;
    if (waiting != NULL)
        come_back (session, waiting, sample->time_ns);
}

void
perf_off_cpu_switch (PerfSession *session, PerfThread *thread, bool is_out, uint16_t cpu,
                     uint64_t time_ns)
{
    if (thread->tid == 0 || time_ns == 0)
        return;
    if (!is_out)
        come_back (session, thread, time_ns);
    else if (thread->off_since_ns == 0) /* else a sched_switch sample did this */
        leave (thread, cpu, time_ns);
}

void
perf_off_cpu_resolve (PerfThread *thread, uint32_t pending, PvStackId stack, uint8_t end)
{
    PerfStackRef known = {stack, end, 0};
    if (thread->last_stack.pending == pending)
        thread->last_stack = known;
    if (thread->off_stack.pending == pending)
        thread->off_stack = known;
}

void
perf_off_cpu_finish_batch (PerfSession *session, const PerfStackRef *stacks)
{
    PerfOffCpu *off_cpu = session->off_cpu;
    for (size_t i = 0; i < off_cpu->intervals.len; i++) {
        const PendingInterval *interval = &off_cpu->intervals.data[i];
        const PerfStackRef *stack = &stacks[interval->pending - 1];
        add_wait (session, interval->thread, stack->stack, stack->end, interval->cpu,
                  interval->start_ns, interval->duration_ns);
    }
    off_cpu->intervals.len = 0;
}

void
perf_off_cpu_finish (PerfSession *session)
{
    const PerfOffCpu *off_cpu = session->off_cpu;
    if (off_cpu->n_without_stack <= off_cpu->n_waits / 50)
        return;
    pv_profile_builder_note (
        session->builder, PV_NOTE_WARNING, PV_NOTE_GENERAL, 0,
        _ ("Waits were recorded without stacks, so it is unknown where threads waited. Record "
           "a stack at each wait: perf record --switch-events -e context-switches -c 1 -g"));
}
