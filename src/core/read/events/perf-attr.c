/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * struct perf_event_attr of any perf version: 64 bytes in the first, more in later ones, always
 * with its own size. Fields beyond that size are zero. On big-endian machines the flag word is a C
 * bit-field laid out from the other end of each byte, so it is not swapped as a whole: bit n is
 * bit 7 - n%8 of byte n/8.
 * Layout: include/uapi/linux/perf_event.h; order of sample fields: perf_output_sample ().
 */
#include "core/read/events/perf-attr.h"

#include <glib/gi18n-lib.h>

#include "core/read/events/perf-tracing.h"

#define PERF_ATTR_SIZE_VER0 64

PerfEvents *
perf_events_new (void)
{
    return g_new0 (PerfEvents, 1);
}

void
perf_events_free (PerfEvents *events)
{
    pv_array_clear (&events->attrs);
    pv_id_map_clear (&events->attr_of_id);
    g_free (events);
}

static uint64_t
read_flags (const uint8_t *p, bool swap)
{
    uint64_t flags = 0;
    for (unsigned i = 0; i < 8; i++) {
        uint8_t byte = p[i];
        if (swap) {
            uint8_t reversed = 0;
            for (unsigned bit = 0; bit < 8; bit++)
                reversed |= (byte >> bit & 1) << (7 - bit);
            byte = reversed;
        }
        /* Swapped or not, byte i of the file holds flags 8i to 8i + 7. */
        flags |= (uint64_t)byte << (8 * i);
    }
#if G_BYTE_ORDER == G_BIG_ENDIAN
#error "the flag word is decoded for little-endian hosts"
#endif
    return flags;
}

static bool
has (uint64_t sample_type, uint64_t bit)
{
    return (sample_type & bit) != 0;
}

/* Computes the offsets of fields that are needed before a record is parsed. */
static void
derive_offsets (PerfAttr *attr)
{
    uint64_t type = attr->sample_type;
    uint32_t offset = 8;
    if (has (type, PERF_SAMPLE_IDENTIFIER)) {
        attr->id_offset = offset;
        offset += 8;
    }
    offset += has (type, PERF_SAMPLE_IP) ? 8 : 0;
    offset += has (type, PERF_SAMPLE_TID) ? 8 : 0;
    if (has (type, PERF_SAMPLE_TIME)) {
        attr->time_offset = offset;
        offset += 8;
    }
    offset += has (type, PERF_SAMPLE_ADDR) ? 8 : 0;
    if (attr->id_offset == 0 && has (type, PERF_SAMPLE_ID))
        attr->id_offset = offset;

    if (!perf_attr_has_flag (attr, PERF_ATTR_SAMPLE_ID_ALL))
        return;
    uint32_t from_end = 0;
    if (has (type, PERF_SAMPLE_IDENTIFIER))
        attr->id_from_end = from_end += 8;
    from_end += has (type, PERF_SAMPLE_CPU) ? 8 : 0;
    from_end += has (type, PERF_SAMPLE_STREAM_ID) ? 8 : 0;
    if (has (type, PERF_SAMPLE_ID)) {
        from_end += 8;
        if (attr->id_from_end == 0)
            attr->id_from_end = from_end;
    }
    if (has (type, PERF_SAMPLE_TIME))
        attr->time_from_end = from_end += 8;
    from_end += has (type, PERF_SAMPLE_TID) ? 8 : 0;
    attr->trailer_size_bytes = from_end;
}

bool
perf_attr_parse (PerfAttr *ret_attr, const uint8_t *data, size_t size_bytes, bool swap)
{
    if (size_bytes < PERF_ATTR_SIZE_VER0)
        return false;

    uint8_t bytes[120] = {0};
    memcpy (bytes, data, MIN (size_bytes, sizeof bytes));
    *ret_attr = (PerfAttr){
        .type = perf_load_u32 (bytes, swap),
        .config = perf_load_u64 (bytes + 8, swap),
        .sample_period = perf_load_u64 (bytes + 16, swap),
        .sample_type = perf_load_u64 (bytes + 24, swap),
        .read_format = perf_load_u64 (bytes + 32, swap),
        .flags = read_flags (bytes + 40, swap),
        .branch_sample_type = perf_load_u64 (bytes + 72, swap),
        .sample_regs_user = perf_load_u64 (bytes + 80, swap),
        .sample_stack_user = perf_load_u32 (bytes + 88, swap),
        .clockid = perf_load_u32 (bytes + 92, swap),
        .sample_regs_intr = perf_load_u64 (bytes + 96, swap),
        .sample_max_stack = perf_load_u16 (bytes + 108, swap),
    };
    derive_offsets (ret_attr);
    return true;
}

void
perf_attr_add (PerfSession *session, const PerfAttr *attr, const uint8_t *ids, size_t n_ids)
{
    pv_array_push (&session->events->attrs, *attr);
    uint32_t index = (uint32_t)session->events->attrs.len;
    for (size_t i = 0; i < n_ids; i++)
        *pv_id_map_slot (&session->events->attr_of_id, perf_load_u64 (ids + 8 * i, session->swap)) =
            index;

    const PerfAttr *first = &session->events->attrs.data[0];
    if (first->time_offset != attr->time_offset || first->time_from_end != attr->time_from_end)
        session->events->mixed_layouts = true;
    session->events->has_sets = false;
}

PerfAttr *
perf_attr_of_id (const PerfSession *session, uint64_t id)
{
    uint32_t index = pv_id_map_find (&session->events->attr_of_id, id);
    return index != 0 ? &session->events->attrs.data[index - 1] : NULL;
}

PerfAttr *
perf_attr_of_record (const PerfSession *session, const uint8_t *record, uint32_t type,
                     size_t size_bytes)
{
    if (session->events->attrs.len == 0)
        return NULL;
    PerfAttr *first = &session->events->attrs.data[0];
    if (session->events->attrs.len == 1)
        return first;

    const uint8_t *id_bytes = NULL;
    if (type == PERF_RECORD_SAMPLE) {
        if (first->id_offset == 0)
            return first;
        if (first->id_offset + 8 <= size_bytes)
            id_bytes = record + first->id_offset;
    } else {
        /* Records synthesised by perf have id 0. */
        if (first->id_from_end == 0)
            return first;
        if (first->id_from_end + 8 <= size_bytes)
            id_bytes = record + size_bytes - first->id_from_end;
    }
    if (id_bytes == NULL)
        return NULL;
    uint64_t id = perf_load_u64 (id_bytes, session->swap);
    if (id == 0)
        return first;
    PerfAttr *attr = perf_attr_of_id (session, id);
    if (attr == NULL && !perf_attr_has_flag (first, PERF_ATTR_SAMPLE_ID_ALL))
        return first;
    return attr;
}

static const char *
name_of_hw_cache (PerfSession *session, uint64_t config)
{
    static const char *const caches[] = {"L1-dcache", "L1-icache", "LLC", "dTLB",
                                         "iTLB",      "branch",    "node"};
    static const char *const ops[][2] = {
        {"load", "loads"}, {"store", "stores"}, {"prefetch", "prefetches"}};
    uint32_t cache = config & 0xff, op = config >> 8 & 0xff, result = config >> 16 & 0xff;
    if (cache >= G_N_ELEMENTS (caches) || op >= G_N_ELEMENTS (ops) || result > 1)
        return "invalid-cache";
    if (result == 1)
        return pv_arena_printf (session->arena, "%s-%s-misses", caches[cache], ops[op][0]);
    return pv_arena_printf (session->arena, "%s-%s", caches[cache], ops[op][1]);
}

static const char *
base_name (PerfSession *session, const PerfAttr *attr)
{
    static const char *const hardware[] = {"cycles",
                                           "instructions",
                                           "cache-references",
                                           "cache-misses",
                                           "branches",
                                           "branch-misses",
                                           "bus-cycles",
                                           "stalled-cycles-frontend",
                                           "stalled-cycles-backend",
                                           "ref-cycles"};
    static const char *const software[] = {
        "cpu-clock",        "task-clock",   "page-faults",  "context-switches",
        "cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
        "emulation-faults", "dummy",        "bpf-output",   "cgroup-switches",
    };
    /* On hybrid machines the upper half of config identifies the cores. */
    uint32_t config = (uint32_t)attr->config;

    switch (attr->type) {
    case PERF_TYPE_HARDWARE:
        return config < G_N_ELEMENTS (hardware) ? hardware[config] : "unknown-hardware";
    case PERF_TYPE_SOFTWARE:
        return config < G_N_ELEMENTS (software) ? software[config] : "unknown-software";
    case PERF_TYPE_TRACEPOINT: {
        const PerfTracing *tracing = session->tracing;
        uint32_t tracepoint = perf_tracing_find (tracing, attr->config);
        return tracepoint != 0 ? tracing->tracepoints.data[tracepoint - 1].name
                               : pv_arena_printf (session->arena, "tracepoint %" G_GUINT64_FORMAT,
                                                  attr->config);
    }
    case PERF_TYPE_HW_CACHE:
        return name_of_hw_cache (session, config);
    case PERF_TYPE_RAW:
        return pv_arena_printf (session->arena, "raw 0x%" G_GINT64_MODIFIER "x", attr->config);
    case PERF_TYPE_BREAKPOINT:
        return "breakpoint";
    default:
        return pv_arena_printf (session->arena, "event 0x%" G_GINT64_MODIFIER "x of PMU %u",
                                attr->config, attr->type);
    }
}

/* The modifiers that perf up to 6.12 appends: k, u, h for what is counted, p for precision, H and
 * G for host and guest. */
static size_t
modifiers (const PerfAttr *attr, char *text)
{
    size_t n = 0;
    bool no_user = perf_attr_has_flag (attr, PERF_ATTR_EXCLUDE_USER);
    bool no_kernel = perf_attr_has_flag (attr, PERF_ATTR_EXCLUDE_KERNEL);
    bool no_hv = perf_attr_has_flag (attr, PERF_ATTR_EXCLUDE_HV);
    if (no_user || no_kernel || no_hv) {
        if (!no_kernel)
            text[n++] = 'k';
        if (!no_user)
            text[n++] = 'u';
        if (!no_hv)
            text[n++] = 'h';
    }
    bool any = no_user || no_kernel || no_hv;
    unsigned precise = attr->flags >> PERF_ATTR_PRECISE_LOW & 3;
    for (unsigned i = 0; i < precise; i++)
        text[n++] = 'p';
    any = any || precise > 0;
    bool no_host = perf_attr_has_flag (attr, PERF_ATTR_EXCLUDE_HOST);
    bool no_guest = perf_attr_has_flag (attr, PERF_ATTR_EXCLUDE_GUEST);
    if (no_host || no_guest == any) {
        if (!no_host)
            text[n++] = 'H';
        if (!no_guest)
            text[n++] = 'G';
    }
    text[n] = '\0';
    return n;
}

/* The name that perf would make up, in the session's arena. */
static const char *
make_name (PerfSession *session, const PerfAttr *attr)
{
    const char *base = base_name (session, attr);
    if (attr->type != PERF_TYPE_HARDWARE && attr->type != PERF_TYPE_SOFTWARE &&
        attr->type != PERF_TYPE_HW_CACHE && attr->type != PERF_TYPE_RAW)
        return base;
    char suffix[16];
    if (modifiers (attr, suffix) == 0)
        return base;
    return pv_arena_printf (session->arena, "%s:%s", base, suffix);
}

void
perf_attr_set_name (PerfSession *session, PerfAttr *attr, const char *name)
{
    if (*name == '\0')
        return;
    attr->name = pv_arena_strndup (session->arena, name, strlen (name));
    if (attr->has_set)
        pv_profile_builder_name_set (session->builder, attr->set, attr->name);
}

static bool
is_clock (const PerfAttr *attr)
{
    return attr->type == PERF_TYPE_SOFTWARE &&
           (attr->config == PERF_COUNT_SW_CPU_CLOCK || attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

static bool
is_bpf_output (const PerfAttr *attr)
{
    return attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_BPF_OUTPUT;
}

static bool
is_offcpu_time (const PerfAttr *attr)
{
    return is_bpf_output (attr) && g_str_has_prefix (attr->name, "offcpu-time");
}

static uint32_t
find_tracepoint (const PerfSession *session, const PerfAttr *attr)
{
    return attr->type == PERF_TYPE_TRACEPOINT ? perf_tracing_find (session->tracing, attr->config)
                                              : 0;
}

/* Finds the event's tracepoint, and what it reports about waits. */
static void
take_role (PerfSession *session, PerfAttr *attr)
{
    attr->tracepoint = find_tracepoint (session, attr);
    if (attr->tracepoint == 0)
        return;
    PerfEvents *events = session->events;
    const PerfTracepoint *tracepoint = &session->tracing->tracepoints.data[attr->tracepoint - 1];
    if (tracepoint->role == PERF_ROLE_CALL) {
        events->has_all_enters |= tracepoint->call == NULL;
    } else if (tracepoint->role == PERF_ROLE_RETURN) {
        events->has_all_exits |= tracepoint->call == NULL;
    } else if (tracepoint->role == PERF_ROLE_SWITCH) {
        attr->is_at_switch = events->has_switches = true;
        events->is_sampling_switches |=
            perf_attr_has_flag (attr, PERF_ATTR_FREQ) || attr->sample_period > 1;
        events->has_states |= tracepoint->prev_state != NULL;
    } else if (tracepoint->role == PERF_ROLE_CONTENDED) {
        events->has_contention |= tracepoint->lock_name == NULL;
    } else if (tracepoint->role != PERF_ROLE_NONE && tracepoint->role != PERF_ROLE_ACQUIRED) {
        events->has_wakeups = true;
        events->has_waking |= tracepoint->role == PERF_ROLE_WAKING;
    }
}

/* Many events may be of one tracepoint: its fields are kept once. */
static void
set_fields (PerfSession *session, PerfAttr *attr)
{
    if (attr->tracepoint == 0 || (attr->sample_type & PERF_SAMPLE_RAW) == 0)
        return;
    PerfTracepoint *tracepoint = &session->tracing->tracepoints.data[attr->tracepoint - 1];
    if (tracepoint->fields_set != 0) {
        attr->has_fields = true;
        pv_profile_builder_share_fields (session->builder, attr->set, tracepoint->fields_set - 1);
        return;
    }
    g_autofree PvField *fields = g_new (PvField, tracepoint->n_fields + 1);
    uint32_t n_fields = perf_tracepoint_list_fields (tracepoint, fields);
    attr->has_fields = n_fields > 0;
    if (!attr->has_fields)
        return;
    pv_profile_builder_set_fields (session->builder, attr->set, fields, n_fields, session->swap);
    tracepoint->fields_set = attr->set + 1;
}

/* The weights of several events are told apart by their names. */
static void
add_weight (PerfSession *session, const PerfAttr *attr)
{
    size_t n_weighted = 0;
    for (size_t i = 0; i < session->events->attrs.len; i++)
        n_weighted += perf_attr_has_weight (&session->events->attrs.data[i]);
    const char *name =
        n_weighted == 1 ? "weight" : pv_arena_printf (session->arena, "weight of %s", attr->name);
    pv_profile_builder_add_measure (session->builder, attr->set, name, PV_UNIT_COUNT,
                                    PV_AGGREGATION_SUM);
    pv_profile_builder_name_unit (session->builder, attr->set, 1, "cycles");
}

static void
make_set (PerfSession *session, PerfAttr *attr)
{
    if (attr->name == NULL)
        attr->name = make_name (session, attr);
    attr->is_offcpu_time = is_offcpu_time (attr);
    attr->is_at_switch =
        attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_CONTEXT_SWITCHES;
    take_role (session, attr);
    /* simpleperf leaves out the formats where it needs none. */
    if (attr->tracepoint == 0 && strcmp (attr->name, "sched:sched_switch") == 0)
        attr->is_at_switch = true;

    PvProfileBuilder *builder = session->builder;
    attr->set = pv_profile_builder_add_set (builder, attr->name, attr->is_offcpu_time);
    attr->has_set = true;
    pv_profile_builder_add_measure (
        builder, attr->set, NULL,
        is_clock (attr) || attr->is_offcpu_time ? PV_UNIT_NS : PV_UNIT_COUNT, PV_AGGREGATION_SUM);
    if (perf_attr_has_weight (attr))
        add_weight (session, attr);
    set_fields (session, attr);
    bool is_dummy = attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_DUMMY;
    if (is_dummy || is_bpf_output (attr))
        pv_profile_builder_hide_empty_set (builder, attr->set);
}

/* Events that measure CPU time come first, whatever their order in the file. */
static bool
measures_cpu_time (const PerfAttr *attr)
{
    return is_clock (attr) || strstr (attr->name, "cycles") != NULL;
}

/* perf records its own dummy event beside those that it was told. */
static bool
begins_with_waits (const PerfEvents *events)
{
    for (size_t i = 0; i < events->attrs.len; i++) {
        const PerfAttr *attr = &events->attrs.data[i];
        if (attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_DUMMY)
            continue;
        return attr->type == PERF_TYPE_SOFTWARE && attr->is_at_switch && attr->sample_period == 1 &&
               !perf_attr_has_flag (attr, PERF_ATTR_FREQ);
    }
    return false;
}

uint64_t
perf_events_hash (const PerfSession *session)
{
    const PerfEvents *events = session->events;
    uint64_t hash = 0;
    for (size_t i = 0; i < events->attrs.len; i++) {
        const PerfAttr *attr = &events->attrs.data[i];
        uint64_t parts[] = {
            hash,
            attr->type,
            attr->config,
            attr->sample_type,
            attr->read_format,
            attr->flags,
            attr->branch_sample_type,
            attr->sample_regs_user,
            attr->sample_stack_user,
            attr->sample_regs_intr,
            attr->name != NULL && measures_cpu_time (attr),
            attr->name != NULL && is_offcpu_time (attr),
            find_tracepoint (session, attr),
        };
        hash = pv_hash_bytes (parts, sizeof parts, 0).a;
    }
    return hash;
}

void
perf_attr_make_sets (PerfSession *session)
{
    if (session->events->has_sets)
        return;
    session->events->has_sets = true;
    const PerfAttr *preferred = NULL;
    for (size_t i = 0; i < session->events->attrs.len; i++) {
        PerfAttr *attr = &session->events->attrs.data[i];
        bool is_new = !attr->has_set;
        if (is_new)
            make_set (session, attr);
        if (is_new && preferred == NULL && !session->events->has_cpu_time &&
            measures_cpu_time (attr))
            preferred = attr;
    }
    session->events->begins_with_waits = begins_with_waits (session->events);
    if (preferred == NULL)
        return;
    session->events->has_cpu_time = true;
    pv_profile_builder_prefer_set (session->builder, preferred->set);
}

static const char *
describe_call_graph (PerfSession *session)
{
    const char *best = "none";
    for (size_t i = 0; i < session->events->attrs.len; i++) {
        const PerfAttr *attr = &session->events->attrs.data[i];
        if (perf_attr_is_dwarf (attr))
            return pv_arena_printf (session->arena, "DWARF, %u bytes", attr->sample_stack_user);
        if ((attr->sample_type & PERF_SAMPLE_CALLCHAIN) == 0)
            continue;
        bool is_lbr = (attr->sample_type & PERF_SAMPLE_BRANCH_STACK) != 0 &&
                      (attr->branch_sample_type & PERF_BRANCH_CALL_STACK) != 0;
        best = is_lbr ? "LBR" : "frame pointers";
    }
    return best;
}

void
perf_attr_describe (PerfSession *session)
{
    PvFacts *facts = pv_profile_builder_facts (session->builder);
    const char *call_graph = describe_call_graph (session);
    facts->call_graph = pv_profile_builder_string (session->builder, call_graph);

    g_autoptr (GString) events = g_string_new (NULL);
    for (size_t i = 0; i < session->events->attrs.len && i < 100; i++) {
        const PerfAttr *attr = &session->events->attrs.data[i];
        if (attr->type == PERF_TYPE_SOFTWARE && attr->config == PERF_COUNT_SW_DUMMY)
            continue;
        if (events->len > 0)
            g_string_append (events, ", ");
        if (perf_attr_has_flag (attr, PERF_ATTR_FREQ))
            g_string_append_printf (events, "%s at %" G_GUINT64_FORMAT " Hz", attr->name,
                                    attr->sample_period);
        else if (attr->sample_period > 1)
            g_string_append_printf (events, "%s every %" G_GUINT64_FORMAT, attr->name,
                                    attr->sample_period);
        else
            g_string_append (events, attr->name);
    }
    facts->events = pv_profile_builder_string (session->builder, events->str);

    if (session->counts.n_samples > 0 && strcmp (call_graph, "none") == 0)
        pv_profile_builder_note (
            session->builder, PV_NOTE_INFO, PV_NOTE_NO_CALL_GRAPH, 0,
            _ ("Recorded without call stacks: each sample is one frame. To see callers, record "
               "with frame pointers or with copied stacks (DWARF)."));
}
