/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waiting times of threads, from context switches. A sched_switch sample has the stack of the
 * leaving thread and the id of the next one. SWITCH records only say that a thread left or came
 * back: the stack is that of a sched_switch or context-switches sample taken at the same switch.
 * Without such a sample, the wait has one frame that says so; an earlier one of the thread tells
 * nothing about where it waits. Each wait is a sample in the set "off-cpu", from when the thread
 * left until it came back, or until the end of the recording.
 *
 * Where only the recorded program's own switches are known, nothing tells of most returns: those
 * switches are of the threads that leave. A wait without a recorded end is over when the thread has
 * its next event.
 *
 * The measures are those of perf sched timehist. A thread that left its CPU while it could run was
 * preempted; any other is blocked. The run-queue delay is the last part of a wait, from the first
 * sched_waking since the thread left (sched_wakeup if that is not recorded), or sched_wakeup_new.
 *
 * System calls are intervals too, from their sys_enter to their sys_exit: samples in the set
 * "system-calls", labelled with the name and the error. Calls that do not end are left out, as
 * perf trace -s does.
 *
 * So are waits for locks, from contention_begin to contention_end: samples in the set "lock-wait",
 * with the stack of the begin, labelled with the lock and its type. A wait is of one thread and one
 * lock; of several begins the first counts, since a mutex has one more when it stops spinning.
 * Waits that do not end are left out, as perf lock contention does.
 */
#include "core/read/perf/perf-off-cpu.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <stdio.h>

#include "core/model/fields/syscall-names.h"
#include "core/model/profile/note-groups.h"
#include "core/read/events/perf-attr.h"

typedef enum { SPAN_CALL, SPAN_LOCK, N_SPAN_KINDS } SpanKind;

/* A system call or a wait for a lock that is over, as long as the batch has its stack. */
typedef struct {
    SpanKind kind;
    PvThreadId thread;
    PerfStackRef stack;
    uint32_t label_set;
    uint16_t cpu;
    uint64_t start_ns, duration_ns;
} Span;

/* A wait, as long as the batch has one of its stacks. */
typedef struct {
    PvThreadId thread, waker;
    PerfStackRef stack, waker_stack;
    char state; /* see PvWait */
    bool is_open;
    bool is_unseen; /* it is not known when the thread left: only the delay counts */
    uint16_t cpu;
    uint64_t start_ns, duration_ns, delay_ns;
} Wait;

/* The columns of the set. */
enum { MAX_COLUMNS = 4 };

enum { PERF_MAX_ERRNO = 4095 };

struct PerfOffCpu {
    uint32_t set;            /* sample set in the builder, + 1; 0: none yet */
    bool has_release;        /* is_old_kernel is valid */
    bool is_old_kernel;      /* before 4.17 */
    bool has_states;         /* with measures of time blocked and preempted */
    bool has_delays;         /* with a measure of the run-queue delay */
    PvStackId missing_stack; /* for waits without a stack; 0: not made yet */
    bool has_records;        /* there are SWITCH records, of all switches */
    uint64_t n_waits, n_without_stack;
    uint64_t n_without_end;
    unsigned n_open;
    PV_ARRAY (Wait) pending;          /* waits that are over */
    PV_ARRAY (PerfThread *) wakees;   /* whose waker_stack is pending */
    uint32_t span_sets[N_SPAN_KINDS]; /* + 1; 0: none yet */
    PV_ARRAY (Span) pending_spans;
    PvIdMap locks; /* addresses that are labels */
};

PerfOffCpu *
perf_off_cpu_new (void)
{
    return g_new0 (PerfOffCpu, 1);
}

void
perf_off_cpu_free (PerfOffCpu *off_cpu)
{
    pv_array_clear (&off_cpu->pending);
    pv_array_clear (&off_cpu->wakees);
    pv_array_clear (&off_cpu->pending_spans);
    pv_id_map_clear (&off_cpu->locks);
    g_free (off_cpu);
}

/* True if SWITCH records say that a thread was preempted, as they do since Linux 4.17. An unknown
 * kernel counts as newer: perf writes its release, except to pipes and while it still records. */
static bool
tells_preemption (PerfSession *session)
{
    PerfOffCpu *off_cpu = session->off_cpu;
    if (!off_cpu->has_release) {
        const char *release = pv_profile_builder_facts (session->builder)->kernel_release;
        unsigned major, minor;
        off_cpu->has_release = true;
        off_cpu->is_old_kernel = release != NULL &&
                                 sscanf (release, "%u.%u", &major, &minor) == 2 &&
                                 (major < 4 || (major == 4 && minor < 17));
    }
    return !off_cpu->is_old_kernel;
}

static void
add_measure (PerfSession *session, uint32_t set, const char *name)
{
    pv_profile_builder_add_measure (session->builder, set, name, PV_UNIT_NS, PV_AGGREGATION_SUM);
}

static uint32_t
off_cpu_set (PerfSession *session)
{
    PerfOffCpu *off_cpu = session->off_cpu;
    const PerfEvents *events = session->events;
    if (off_cpu->set == 0) {
        perf_attr_make_sets (session); /* which says what the events are */
        uint32_t set = pv_profile_builder_add_set (session->builder, "off-cpu", true);
        add_measure (session, set, NULL);
        off_cpu->has_states =
            events->has_switches ? events->has_states : tells_preemption (session);
        off_cpu->has_delays = events->has_wakeups;
        if (off_cpu->has_states) {
            add_measure (session, set, "blocked");
            add_measure (session, set, "preempted");
        }
        if (off_cpu->has_delays) {
            add_measure (session, set, "run-queue-delay");
            pv_profile_builder_set_delay (session->builder, set, off_cpu->has_states ? 3 : 1);
        }
        pv_profile_builder_set_derived (session->builder, set);
        off_cpu->set = set + 1;
        if (!events->has_cpu_time || events->begins_with_waits)
            pv_profile_builder_prefer_set (session->builder, set);
    }
    return off_cpu->set - 1;
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

/* Weighs the wait for each measure of the set. */
static void
weigh (const PerfOffCpu *off_cpu, const Wait *wait, uint64_t ret_weights[MAX_COLUMNS])
{
    uint64_t duration_ns = wait->is_unseen ? 0 : wait->duration_ns;
    unsigned n = 0;
    ret_weights[n++] = duration_ns;
    if (off_cpu->has_states) {
        ret_weights[n++] = wait->state != 0 && wait->state != 'R' ? duration_ns : 0;
        ret_weights[n++] = wait->state == 'R' ? duration_ns : 0;
    }
    if (off_cpu->has_delays)
        ret_weights[n] = wait->delay_ns;
}

/* The wait's row in the profile; all its stacks are known. */
static uint32_t
describe (PerfSession *session, const Wait *wait)
{
    PvWait row = {
        .waker = wait->waker,
        .waker_stack = wait->waker != 0 ? wait->waker_stack.stack : 0,
        .state = wait->state,
        .is_open = wait->is_open,
    };
    bool is_known = row.waker != 0 || row.state != 0 || row.is_open;
    return is_known ? pv_profile_builder_wait (session->builder, &row) : 0;
}

static void
add_wait (PerfSession *session, const Wait *wait)
{
    PerfOffCpu *off_cpu = session->off_cpu;
    uint32_t set = off_cpu_set (session);
    PvStackId stack = wait->stack.stack;
    uint8_t end = wait->stack.end;
    off_cpu->n_waits += !wait->is_unseen;
    if (stack == 0) {
        off_cpu->n_without_stack += !wait->is_unseen;
        stack = missing_stack (session);
        end = PV_STACK_END_NOT_RECORDED;
    }
    PvNewSample sample = {
        .time_ns = wait->start_ns,
        .duration_ns = wait->duration_ns,
        .thread = wait->thread,
        .stack = stack,
        .cpu = wait->cpu,
        .stack_end = end,
        .wait = describe (session, wait),
    };
    uint64_t weights[MAX_COLUMNS];
    weigh (off_cpu, wait, weights);
    pv_profile_builder_add_sample (session->builder, set, &sample, weights);
}

static void
leave (PerfSession *session, PerfThread *thread, uint16_t cpu, uint64_t time_ns, char state)
{
    thread->off_since_ns = time_ns;
    thread->off_row = perf_maps_thread_row (session, thread);
    thread->off_stack = thread->is_at_switch ? thread->last_stack : (PerfStackRef){0};
    thread->off_cpu = cpu;
    thread->off_state = state;
    thread->is_on_cpu = false;
    thread->woken_ns = thread->seen_ns = 0;
}

/* The wait of a thread until now; false if it did not wait, as far as is known. */
static bool
get_wait (PerfSession *session, PerfThread *thread, uint64_t time_ns, Wait *ret_wait)
{
    bool is_woken = thread->woken_ns != 0 && thread->woken_ns <= time_ns;
    bool is_unseen = thread->off_since_ns == 0;
    uint64_t start_ns = !is_unseen ? thread->off_since_ns : is_woken ? thread->woken_ns : time_ns;
    if (time_ns <= start_ns)
        return false;
    *ret_wait = (Wait){
        .thread = is_unseen ? perf_maps_thread_row (session, thread) : thread->off_row,
        .cpu = is_unseen ? PV_CPU_UNKNOWN : thread->off_cpu,
        .start_ns = start_ns,
        .duration_ns = time_ns - start_ns,
        .is_unseen = is_unseen,
    };
    if (!is_unseen) {
        ret_wait->stack = thread->off_stack;
        ret_wait->state = thread->off_state;
    }
    if (is_woken) {
        ret_wait->waker = thread->waker;
        ret_wait->waker_stack = thread->waker_stack;
        ret_wait->delay_ns = MIN (time_ns - thread->woken_ns, ret_wait->duration_ns);
    }
    return true;
}

/* Adds the wait, or keeps it until its stacks are known. */
static void
finish_wait (PerfSession *session, const Wait *wait)
{
    if (wait->stack.pending == 0 && wait->waker_stack.pending == 0)
        add_wait (session, wait);
    else
        pv_array_push (&session->off_cpu->pending, *wait);
}

static void
end_wait (PerfSession *session, PerfThread *thread, uint64_t time_ns)
{
    Wait wait;
    bool has_waited = get_wait (session, thread, time_ns, &wait);
    thread->off_since_ns = thread->woken_ns = thread->seen_ns = 0;
    thread->is_at_switch = false;
    thread->is_on_cpu = true;
    if (has_waited)
        finish_wait (session, &wait);
}

/* Ends a wait that is over at this time, without a record of its end: the thread came back before
 * it was seen. Where no event is frequent, the time when it was woken is nearer. How long it waited
 * for a CPU then is not known. */
static void
end_wait_by (PerfSession *session, PerfThread *thread, uint64_t time_ns)
{
    Wait wait;
    uint64_t end_ns = thread->seen_ns != 0 ? thread->seen_ns : time_ns;
    if (!session->events->has_cpu_time && thread->woken_ns != 0)
        end_ns = MIN (end_ns, thread->woken_ns);
    bool has_waited = get_wait (session, thread, end_ns, &wait);
    thread->off_since_ns = thread->woken_ns = thread->seen_ns = 0;
    if (!has_waited)
        return;
    wait.delay_ns = 0;
    session->off_cpu->n_without_end++;
    finish_wait (session, &wait);
}

/* Takes the number in a field; false, without a change: it is not there. */
static bool
take_field (const PerfSample *sample, const PvField *field, uint64_t *number)
{
    return pv_field_get_number (field, sample->raw, sample->raw_size_bytes, sample->swap, number);
}

/* The letter of the lowest bit that has one. The kernel prints only one bit, apart from the mark of
 * preempted threads, which has no letter. */
static char
state_of (const PerfTracepoint *tracepoint, uint64_t prev_state)
{
    for (unsigned i = 0; i < PERF_N_STATES; i++)
        if ((prev_state >> i & 1) != 0 && tracepoint->letter_of_state[i] != 0)
            return tracepoint->letter_of_state[i];
    return 'R';
}

static void
take_switch (PerfSession *session, const PerfTracepoint *tracepoint, const PerfSample *sample,
             PerfThread *thread)
{
    uint64_t prev, next, state = 0;
    if (!take_field (sample, tracepoint->prev_pid, &prev) ||
        !take_field (sample, tracepoint->pid, &next))
        return;
    bool has_state =
        tracepoint->prev_state != NULL && take_field (sample, tracepoint->prev_state, &state);
    /* The idle task does not wait. */
    bool leaves = (int32_t)prev == thread->tid && thread->tid != 0;
    if (leaves && thread->off_since_ns != 0)
        end_wait_by (session, thread, sample->time_ns);
    if (leaves)
        leave (session, thread, perf_sample_get_cpu (sample), sample->time_ns,
               has_state ? state_of (tracepoint, state) : 0);
    PerfThread *waiting =
        (int32_t)next != 0 ? perf_maps_find_thread (session, (int32_t)next) : NULL;
    if (waiting != NULL)
        end_wait (session, waiting, sample->time_ns);
}

static void
take_wakeup (PerfSession *session, const PerfTracepoint *tracepoint, const PerfSample *sample,
             PerfThread *waker)
{
    if (tracepoint->role == PERF_ROLE_WAKEUP && session->events->has_waking)
        return;
    uint64_t tid = 0;
    take_field (sample, tracepoint->pid, &tid);
    PerfThread *thread = (int32_t)tid != 0 ? perf_maps_find_thread (session, (int32_t)tid) : NULL;
    if (thread == NULL || thread->is_on_cpu || thread->woken_ns != 0 || thread->seen_ns != 0)
        return;
    thread->woken_ns = sample->time_ns;
    thread->waker = perf_maps_thread_row (session, waker);
    thread->waker_stack = waker->last_stack;
    if (thread->waker_stack.pending != 0)
        pv_array_push (&session->off_cpu->wakees, thread);
}

/* System calls and locks */

static uint32_t
span_set (PerfSession *session, SpanKind kind)
{
    static const char *const names[] = {"system-calls", "lock-wait"};
    G_STATIC_ASSERT (G_N_ELEMENTS (names) == N_SPAN_KINDS);
    PerfOffCpu *off_cpu = session->off_cpu;
    PvProfileBuilder *builder = session->builder;
    if (off_cpu->span_sets[kind] == 0) {
        uint32_t set = pv_profile_builder_add_set (builder, names[kind], true);
        add_measure (session, set, NULL);
        pv_profile_builder_set_derived (builder, set);
        off_cpu->span_sets[kind] = set + 1;
        if (kind == SPAN_LOCK && !session->events->has_cpu_time && off_cpu->set == 0)
            pv_profile_builder_prefer_set (builder, set);
    }
    return off_cpu->span_sets[kind] - 1;
}

static void
add_span (PerfSession *session, const Span *span)
{
    bool has_stack = span->stack.stack != 0;
    PvNewSample sample = {
        .time_ns = span->start_ns,
        .duration_ns = span->duration_ns,
        .thread = span->thread,
        .stack = has_stack ? span->stack.stack : missing_stack (session),
        .cpu = span->cpu,
        .stack_end = has_stack ? span->stack.end : (uint8_t)PV_STACK_END_NOT_RECORDED,
        .label_set = span->label_set,
    };
    pv_profile_builder_add_sample (session->builder, span_set (session, span->kind), &sample,
                                   &span->duration_ns);
}

/* Adds the span, or keeps it until its stack is known. */
static void
end_span (PerfSession *session, const Span *span)
{
    if (span->stack.pending == 0)
        add_span (session, span);
    else
        pv_array_push (&session->off_cpu->pending_spans, *span);
}

/* Labels: the name of the call, and the error if it failed. */
static uint32_t
label_call (PerfSession *session, const PerfTracepoint *tracepoint, int64_t number,
            const PerfSample *sample)
{
    PvProfileBuilder *builder = session->builder;
    const char *name = tracepoint->call;
    if (name == NULL && session->arch == PV_ARCH_X86_64)
        name = pv_syscall_get_name (PV_SYSCALLS_X86_64, number);
    else if (name == NULL && session->arch == PV_ARCH_AARCH64)
        name = pv_syscall_get_name (PV_SYSCALLS_GENERIC, number);
    g_autofree char *unnamed = g_strdup_printf ("%" G_GINT64_FORMAT, number);
    uint64_t returned = 0;
    if (tracepoint->result != NULL)
        take_field (sample, tracepoint->result, &returned);
    int64_t result = (int64_t)returned;
    bool has_failed = result < 0 && result >= -PERF_MAX_ERRNO;
    const PvLabel labels[] = {
        {.key = pv_profile_builder_string (builder, "syscall"),
         .text = pv_profile_builder_string (builder, name != NULL ? name : unnamed)},
        {.key = pv_profile_builder_string (builder, "errno"), .number = -result},
    };
    return pv_profile_builder_label_set (builder, labels, has_failed ? 2 : 1);
}

static void
take_return (PerfSession *session, const PerfTracepoint *tracepoint, int64_t number,
             const PerfSample *sample, PerfThread *thread)
{
    uint64_t start_ns = thread->call_ns;
    thread->call_ns = 0;
    if (start_ns == 0 || thread->call != number || sample->time_ns <= start_ns)
        return;
    Span call = {
        .kind = SPAN_CALL,
        .thread = thread->call_row,
        .stack = thread->call_stack,
        .label_set = label_call (session, tracepoint, number, sample),
        .cpu = thread->call_cpu,
        .start_ns = start_ns,
        .duration_ns = sample->time_ns - start_ns,
    };
    end_span (session, &call);
}

/* A call has the stack with which it was entered. */
static void
take_call (PerfSession *session, const PerfTracepoint *tracepoint, const PerfSample *sample,
           PerfThread *thread)
{
    uint64_t number;
    /* Each call is reported twice if there are events of single calls as well. */
    bool has_all = tracepoint->role == PERF_ROLE_CALL ? session->events->has_all_enters
                                                      : session->events->has_all_exits;
    bool is_told = tracepoint->call != NULL && has_all;
    if (is_told || thread->tid == 0 || !take_field (sample, tracepoint->pid, &number))
        return;
    if (tracepoint->role == PERF_ROLE_RETURN) {
        take_return (session, tracepoint, (int64_t)number, sample, thread);
        return;
    }
    thread->call_ns = sample->time_ns;
    thread->call_row = perf_maps_thread_row (session, thread);
    thread->call = (int64_t)number;
    thread->call_cpu = perf_sample_get_cpu (sample);
    thread->call_stack = thread->last_stack;
}

/* The name in perf lock contention. */
static const char *
type_of_lock (uint64_t flags)
{
    enum { SPIN = 1, READ = 2, WRITE = 4, REAL_TIME = 8, PER_CPU = 16, MUTEX = 32 };
    static const struct {
        uint32_t flags;
        const char *name;
    } types[] = {
        {0, "semaphore"},
        {SPIN, "spinlock"},
        {SPIN | READ, "rwlock:R"},
        {SPIN | WRITE, "rwlock:W"},
        {READ, "rwsem:R"},
        {WRITE, "rwsem:W"},
        {REAL_TIME, "rt-mutex"},
        {REAL_TIME | READ, "rwlock-rt:R"},
        {REAL_TIME | WRITE, "rwlock-rt:W"},
        {PER_CPU | READ, "pcpu-sem:R"},
        {PER_CPU | WRITE, "pcpu-sem:W"},
        {MUTEX, "mutex"},
        {MUTEX | SPIN, "mutex"}, /* spins before it sleeps */
    };
    for (size_t i = 0; i < G_N_ELEMENTS (types); i++)
        if (types[i].flags == flags)
            return types[i].name;
    return "unknown";
}

/* Labels: the lock, by its name or else its address, and its type, as far as they are known. */
static uint32_t
label_lock (PerfSession *session, const PerfTracepoint *tracepoint, const PerfSample *sample,
            const PerfLockWait *wait)
{
    PvProfileBuilder *builder = session->builder;
    PvLabel labels[2];
    uint32_t n_labels = 0;
    g_autoptr (GString) lock = g_string_new (NULL);
    if (tracepoint->lock_name != NULL)
        pv_field_append (lock, tracepoint->lock_name, sample->raw, sample->raw_size_bytes,
                         sample->swap);
    if (lock->len == 0)
        g_string_append_printf (lock, "0x%" G_GINT64_MODIFIER "x", wait->lock);
    if (perf_keep_address (&session->off_cpu->locks, wait->lock))
        labels[n_labels++] = (PvLabel){.key = pv_profile_builder_string (builder, "lock"),
                                       .text = pv_profile_builder_string (builder, lock->str)};
    else
        session->counts.n_addresses_left_out++;
    if (wait->flags != UINT64_MAX)
        labels[n_labels++] = (PvLabel){
            .key = pv_profile_builder_string (builder, "lock-type"),
            .text = pv_profile_builder_string (builder, type_of_lock (wait->flags)),
        };
    return pv_profile_builder_label_set (builder, labels, n_labels);
}

/* The thread's wait for this lock, or where a new one may be kept: in place of the oldest if there
 * are too many. */
static PerfLockWait *
find_lock_wait (PerfThread *thread, uint64_t lock)
{
    PerfLockWait *waits = thread->lock_waits, *oldest = &waits[0];
    for (unsigned i = 0; i < PERF_MAX_LOCK_WAITS; i++) {
        if (waits[i].since_ns != 0 && waits[i].lock == lock)
            return &waits[i];
        if (waits[i].since_ns < oldest->since_ns)
            oldest = &waits[i];
    }
    return oldest;
}

static void
take_contended (PerfSession *session, const PerfTracepoint *tracepoint, uint64_t lock,
                const PerfSample *sample, PerfThread *thread)
{
    if (thread->lock_waits == NULL)
        thread->lock_waits =
            pv_arena_alloc0 (session->maps->arena, PERF_MAX_LOCK_WAITS * sizeof (PerfLockWait));
    PerfLockWait *wait = find_lock_wait (thread, lock);
    if (wait->since_ns != 0 && wait->lock == lock)
        return;
    *wait = (PerfLockWait){
        .lock = lock,
        .since_ns = sample->time_ns,
        .row = perf_maps_thread_row (session, thread),
        .flags = UINT64_MAX,
        .stack = thread->last_stack,
        .cpu = perf_sample_get_cpu (sample),
    };
    if (tracepoint->lock_flags != NULL)
        take_field (sample, tracepoint->lock_flags, &wait->flags);
}

static void
take_acquired (PerfSession *session, const PerfTracepoint *tracepoint, uint64_t lock,
               const PerfSample *sample, PerfThread *thread)
{
    PerfLockWait *wait = thread->lock_waits != NULL ? find_lock_wait (thread, lock) : NULL;
    if (wait == NULL || wait->since_ns == 0 || wait->lock != lock)
        return;
    if (sample->time_ns > wait->since_ns) {
        Span span = {
            .kind = SPAN_LOCK,
            .thread = wait->row,
            .stack = wait->stack,
            .label_set = label_lock (session, tracepoint, sample, wait),
            .cpu = wait->cpu,
            .start_ns = wait->since_ns,
            .duration_ns = sample->time_ns - wait->since_ns,
        };
        end_span (session, &span);
    }
    wait->since_ns = 0;
}

static void
take_lock (PerfSession *session, const PerfTracepoint *tracepoint, const PerfSample *sample,
           PerfThread *thread)
{
    uint64_t lock;
    /* Each wait is reported twice where the kernel checks its locks as well. */
    bool is_told = tracepoint->lock_name != NULL && session->events->has_contention;
    if (is_told || !take_field (sample, tracepoint->pid, &lock))
        return;
    if (tracepoint->role == PERF_ROLE_CONTENDED)
        take_contended (session, tracepoint, lock, sample, thread);
    else
        take_acquired (session, tracepoint, lock, sample, thread);
}

void
perf_off_cpu_tracepoint (PerfSession *session, const PerfTracepoint *tracepoint,
                         const PerfSample *sample, PerfThread *thread)
{
    if (tracepoint->role == PERF_ROLE_NONE || sample->raw == NULL || sample->time_ns == 0 ||
        sample->time_ns >= PERF_FAKE_TIME_LOW)
        return;
    if (tracepoint->role == PERF_ROLE_SWITCH)
        take_switch (session, tracepoint, sample, thread);
    else if (tracepoint->role == PERF_ROLE_CALL || tracepoint->role == PERF_ROLE_RETURN)
        take_call (session, tracepoint, sample, thread);
    else if (tracepoint->role == PERF_ROLE_CONTENDED || tracepoint->role == PERF_ROLE_ACQUIRED)
        take_lock (session, tracepoint, sample, thread);
    else
        take_wakeup (session, tracepoint, sample, thread);
}

void
perf_off_cpu_switch (PerfSession *session, PerfThread *thread, uint16_t misc, uint16_t cpu,
                     uint64_t time_ns)
{
    if (thread->tid == 0 || time_ns == 0)
        return;
    bool is_preempted = (misc & PERF_MISC_SWITCH_PREEMPT) != 0;
    session->off_cpu->has_records = true;
    if ((misc & PERF_MISC_SWITCH_OUT) == 0) {
        end_wait (session, thread, time_ns);
        return;
    }
    if (thread->seen_ns != 0)
        end_wait_by (session, thread, time_ns); /* the record of its return was lost */
    char state = !tells_preemption (session) ? 0 : is_preempted ? 'R' : '?';
    if (thread->off_since_ns == 0) /* else a sched_switch sample did this */
        leave (session, thread, cpu, time_ns, state);
}

void
perf_off_cpu_exit (PerfSession *session, PerfThread *thread, uint64_t time_ns)
{
    if (thread->off_since_ns != 0 && time_ns != 0 && !session->off_cpu->has_records)
        end_wait_by (session, thread, time_ns);
}

void
perf_off_cpu_resolve (PerfThread *thread, uint32_t pending, PvStackId stack, uint8_t end)
{
    PerfStackRef known = {stack, end, 0};
    if (thread->last_stack.pending == pending)
        thread->last_stack = known;
    if (thread->off_stack.pending == pending)
        thread->off_stack = known;
    if (thread->call_stack.pending == pending)
        thread->call_stack = known;
    for (unsigned i = 0; thread->lock_waits != NULL && i < PERF_MAX_LOCK_WAITS; i++)
        if (thread->lock_waits[i].stack.pending == pending)
            thread->lock_waits[i].stack = known;
}

static void
resolve (PerfStackRef *ref, const PerfStackRef *stacks)
{
    if (ref->pending != 0)
        *ref = stacks[ref->pending - 1];
}

void
perf_off_cpu_finish_batch (PerfSession *session, const PerfStackRef *stacks)
{
    PerfOffCpu *off_cpu = session->off_cpu;
    for (size_t i = 0; i < off_cpu->wakees.len; i++)
        resolve (&off_cpu->wakees.data[i]->waker_stack, stacks);
    off_cpu->wakees.len = 0;
    for (size_t i = 0; i < off_cpu->pending.len; i++) {
        Wait *wait = &off_cpu->pending.data[i];
        resolve (&wait->stack, stacks);
        resolve (&wait->waker_stack, stacks);
        add_wait (session, wait);
    }
    off_cpu->pending.len = 0;
    for (size_t i = 0; i < off_cpu->pending_spans.len; i++) {
        Span *span = &off_cpu->pending_spans.data[i];
        resolve (&span->stack, stacks);
        add_span (session, span);
    }
    off_cpu->pending_spans.len = 0;
}

/* True if the thread is gone, rather than waiting: it has ended, or another has its id now. */
static bool
is_gone (PerfSession *session, const PerfThread *thread)
{
    return thread->end_ns != UINT64_MAX ||
           (thread->off_state != 0 && strchr ("XZx", thread->off_state) != NULL) ||
           perf_maps_find_thread (session, thread->tid) != thread;
}

static void
add_open_waits (PerfSession *session)
{
    const PerfMaps *maps = session->maps;
    for (size_t i = 0; i < maps->threads.len; i++) {
        PerfThread *thread = maps->threads.data[i];
        Wait wait;
        if (thread->off_since_ns == 0 || is_gone (session, thread))
            continue;
        if (thread->seen_ns != 0) {
            end_wait_by (session, thread, session->last_ns);
            continue;
        }
        if (!get_wait (session, thread, session->last_ns, &wait))
            continue;
        g_assert (wait.stack.pending == 0 && wait.waker_stack.pending == 0);
        wait.is_open = true;
        add_wait (session, &wait);
        session->off_cpu->n_open++;
    }
}

void
perf_off_cpu_finish (PerfSession *session)
{
    const PerfOffCpu *off_cpu = session->off_cpu;
    bool is_simpleperf = pv_facts_are_of_simpleperf (pv_profile_builder_facts (session->builder));
    add_open_waits (session);
    if (off_cpu->n_open > 0)
        pv_note_info (
            session->builder,
            g_dngettext (GETTEXT_PACKAGE,
                         "%u wait was not over when the recording ended: it counts until then.",
                         "%u waits were not over when the recording ended: they count until then.",
                         off_cpu->n_open),
            off_cpu->n_open);
    if (off_cpu->n_waits > 0 && !off_cpu->has_records && session->events->is_sampling_switches)
        pv_note_warning (session->builder,
                         is_simpleperf
                             ? _ ("Only some context switches were recorded (sched_switch was "
                                  "sampled), so waits are missing, and others look longer than "
                                  "they were. Record all of them: simpleperf record --trace-offcpu")
                             : _ ("Only some context switches were recorded (sched_switch was "
                                  "sampled), so waits are missing, and others look longer than "
                                  "they were. Record all of them: perf record --switch-events -e "
                                  "sched:sched_switch -c 1"));
    else if (off_cpu->n_without_end > 0 && !off_cpu->has_records)
        pv_note_warning (
            session->builder,
            is_simpleperf ? g_dngettext (GETTEXT_PACKAGE,
                                         "No end was recorded of %" PRIu64 " of %" PRIu64
                                         " wait: it counts until the thread was woken or had its "
                                         "next event, so its length is not exact. Record when "
                                         "threads return, too: simpleperf record --trace-offcpu",
                                         "No end was recorded of %" PRIu64 " of %" PRIu64
                                         " waits: they count until the thread was woken or had its "
                                         "next event, so their length is not exact. Record when "
                                         "threads return, too: simpleperf record --trace-offcpu",
                                         (gulong)off_cpu->n_waits)
                          : g_dngettext (GETTEXT_PACKAGE,
                                         "No end was recorded of %" PRIu64 " of %" PRIu64
                                         " wait: it counts until the thread was woken or had its "
                                         "next event, so its length is not exact. Record when "
                                         "threads return, too: perf record --switch-events",
                                         "No end was recorded of %" PRIu64 " of %" PRIu64
                                         " waits: they count until the thread was woken or had its "
                                         "next event, so their length is not exact. Record when "
                                         "threads return, too: perf record --switch-events",
                                         (gulong)off_cpu->n_waits),
            off_cpu->n_without_end, off_cpu->n_waits);
    /* A few percent are no reason to record again; nor is one, unless there are hardly others. */
    uint64_t n = off_cpu->n_without_stack, n_waits = off_cpu->n_waits;
    if (n <= n_waits / 50 || (n == 1 && n <= n_waits / 5))
        return;
    pv_note_warning (
        session->builder,
        is_simpleperf
            ? g_dngettext (GETTEXT_PACKAGE,
                           "No stack was recorded of %" PRIu64 " of %" PRIu64
                           " wait, so it is unknown where threads waited then. Record a stack at "
                           "each wait: simpleperf record --trace-offcpu -g",
                           "No stack was recorded of %" PRIu64 " of %" PRIu64
                           " waits, so it is unknown where threads waited then. Record a stack at "
                           "each wait: simpleperf record --trace-offcpu -g",
                           (gulong)n_waits)
            : g_dngettext (GETTEXT_PACKAGE,
                           "No stack was recorded of %" PRIu64 " of %" PRIu64
                           " wait, so it is unknown where threads waited then. Record a stack at "
                           "each wait: perf record --switch-events -e context-switches -c 1 -g",
                           "No stack was recorded of %" PRIu64 " of %" PRIu64
                           " waits, so it is unknown where threads waited then. Record a stack at "
                           "each wait: perf record --switch-events -e context-switches -c 1 -g",
                           (gulong)n_waits),
        n, n_waits);
}
