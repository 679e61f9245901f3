/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Call stacks. A recorded chain is a list of addresses, leaf first, with markers that say whether
 * the next addresses are in the kernel or in user space. The first address after a marker is exact;
 * all others are return addresses. Chains repeat a lot, so a cache finds the stack by a hash of the
 * raw chain and of the address spaces' generations.
 *
 * Register and stack dumps are collected in a batch, together with the kernel part of the stack,
 * and unwound when the batch is full or before an address space changes that one of them needs.
 * Deferred chains ([6.19]) wait for the record with their cookie.
 */
#include "core/read/perf/perf-stacks.h"

#include "core/read/perf/perf-leaf.h"
#include "core/read/perf/perf-off-cpu.h"

#define PERF_CONTEXT_HV            ((uint64_t)-32)
#define PERF_CONTEXT_KERNEL        ((uint64_t)-128)
#define PERF_CONTEXT_USER          ((uint64_t)-512)
#define PERF_CONTEXT_USER_DEFERRED ((uint64_t)-640)
#define PERF_CONTEXT_GUEST         ((uint64_t)-2048)
#define PERF_CONTEXT_GUEST_KERNEL  ((uint64_t)-2176)
#define PERF_CONTEXT_GUEST_USER    ((uint64_t)-2560)
#define PERF_CONTEXT_MAX           ((uint64_t)-4095)

#define MAX_BATCH_SAMPLES 4096u
#define MAX_BATCH_BYTES   ((uint64_t)16 << 20)
#define MAX_DEFERRED      4096u
#define MAX_CACHE         (1u << 20)
#define FIRST_CACHE       1024u
#define DEFAULT_MAX_STACK 127u /* kernel.perf_event_max_stack */
#define OLD_MAX_STACK     254u /* kernels before 4.8 */

/* A sample whose stack is not known yet: a dump in the batch, or a deferred chain. */
typedef struct {
    PvNewSample sample;
    PerfThread *thread;
    uint32_t first_target, n_targets;
    uint32_t first_location, n_locations; /* kernel part, leaf first */
    uint64_t cookie;                      /* deferred chains */
    uint64_t user_ip;                     /* used if nothing can be unwound */
    bool has_user_ip;
} Pending;

/* The latest location of an address. */
typedef struct {
    uint64_t addr;
    uint64_t spaces; /* generations of both address spaces */
    uint32_t how;    /* mode and kind of location, + 1 */
    PvLocationId location;
} LocationSlot;

#define LOCATION_SLOTS 8192u

/* The latest chain, root first, and the stack of each of its frames. */
typedef struct {
    PV_ARRAY (PvLocationId) locations;
    PV_ARRAY (PvStackId) stacks;
} LastChain;

#define LAST_CHAINS 8u

/* 96 bits of a chain's hash and its value, in a quarter of a cache line. */
typedef struct {
    uint64_t a;
    uint32_t b;
    uint32_t value; /* 0: free */
} ChainSlot;

struct PerfStacks {
    ChainSlot *cache; /* raw chain, address spaces -> stack; NULL: empty */
    uint32_t cache_mask;
    uint32_t cache_len;
    LocationSlot *location_cache;
    PV_ARRAY (PvLocationId) locations;
    LastChain last_chains[LAST_CHAINS]; /* by thread */

    PV_ARRAY (PvRawStack) raw; /* the batch: parallel to pending */
    PV_ARRAY (PvRawResult) results;
    PV_ARRAY (Pending) pending;
    PV_ARRAY (PerfTarget) targets;
    PV_ARRAY (PvLocationId) kernel_locations;
    PV_ARRAY (PerfStackRef) resolved;
    PvArena *registers; /* converted copies, for the batch */
    uint64_t batch_bytes;
    uint32_t batch_serial; /* from 1 */

    PV_ARRAY (Pending) deferred;
};

PerfStacks *
perf_stacks_new (void)
{
    PerfStacks *stacks = g_new0 (PerfStacks, 1);
    stacks->batch_serial = 1;
    return stacks;
}

/* Caches */

static void
grow_cache (PerfStacks *stacks)
{
    ChainSlot *old = stacks->cache;
    uint32_t n_old = old != NULL ? stacks->cache_mask + 1 : 0;
    uint32_t n_new = MAX (FIRST_CACHE, 2 * n_old);
    stacks->cache = g_new0 (ChainSlot, n_new);
    stacks->cache_mask = n_new - 1;
    for (uint32_t i = 0; i < n_old; i++) {
        if (old[i].value == 0)
            continue;
        uint32_t at = (uint32_t)old[i].a & stacks->cache_mask;
        while (stacks->cache[at].value != 0)
            at = (at + 1) & stacks->cache_mask;
        stacks->cache[at] = old[i];
    }
    g_free (old);
}

/* The value of a chain in the cache; 0 means it is new, and the caller must set it. */
static uint32_t *
cache_slot (PerfStacks *stacks, PvHash key)
{
    if (stacks->cache_len > MAX_CACHE) {
        g_clear_pointer (&stacks->cache, g_free);
        stacks->cache_len = 0;
    }
    if (stacks->cache == NULL || stacks->cache_len > stacks->cache_mask / 2)
        grow_cache (stacks);
    uint32_t at = (uint32_t)key.a & stacks->cache_mask;
    ChainSlot *slot;
    for (;; at = (at + 1) & stacks->cache_mask) {
        slot = &stacks->cache[at];
        if (slot->value == 0)
            break;
        if (slot->a == key.a && slot->b == (uint32_t)key.b)
            return &slot->value;
    }
    slot->a = key.a;
    slot->b = (uint32_t)key.b;
    stacks->cache_len++;
    return &slot->value;
}

static uint32_t
generation_of (const PvAddressSpace *space)
{
    return space != NULL ? pv_address_space_get_generation (space) : 0;
}

/* Identifies the address spaces; with the mode, they determine what an address means. */
static uint64_t
spaces_of (const PerfSession *session, const PerfProcess *process)
{
    uint64_t user = generation_of (process->space);
    uint64_t kernel = generation_of (session->maps->kernel);
    return user << 32 | kernel;
}

/* Like pv_profile_builder_chain (), but fast if the thread's previous chain has the same root. */
static PvStackId
make_chain (PerfSession *session, const PerfThread *thread)
{
    PerfStacks *stacks = session->stacks;
    LastChain *last = &stacks->last_chains[(uint32_t)thread->tid % LAST_CHAINS];
    const PvLocationId *leaf_first = stacks->locations.data;
    size_t n = stacks->locations.len;
    size_t n_same = 0;
    while (n_same < n && n_same < last->locations.len &&
           last->locations.data[n_same] == leaf_first[n - 1 - n_same])
        n_same++;
    last->locations.len = last->stacks.len = n_same;
    PvStackId stack = n_same > 0 ? last->stacks.data[n_same - 1] : 0;
    for (size_t i = n - n_same; i > 0; i--) {
        stack = pv_profile_builder_stack (session->builder, stack, leaf_first[i - 1]);
        pv_array_push (&last->locations, leaf_first[i - 1]);
        pv_array_push (&last->stacks, stack);
    }
    return stack;
}

/* Decoding a chain */

/* A walk over a chain, with the current mode. */
typedef struct {
    PerfSession *session;
    const PerfProcess *process;
    PerfMode mode;
    uint64_t spaces;
    uint64_t leaf_caller; /* still to be added; 0: none */
    bool is_exact;        /* the next address is no return address */
    uint32_t n_frames;    /* addresses seen */
    bool is_deferred;
    uint64_t cookie;
} ChainWalk;

static ChainWalk
begin_walk (PerfSession *session, const PerfProcess *process, uint8_t mode)
{
    return (ChainWalk){
        .session = session,
        .process = process,
        .mode = mode,
        .spaces = spaces_of (session, process),
        .is_exact = true,
    };
}

static void
add_address (ChainWalk *walk, uint64_t addr, PvLocationKind kind)
{
    PerfStacks *stacks = walk->session->stacks;
    if (stacks->location_cache == NULL)
        stacks->location_cache = g_new0 (LocationSlot, LOCATION_SLOTS);
    uint32_t how = (uint32_t)walk->mode << 2 | (uint32_t)kind;
    uint64_t mixed = (addr + how) * UINT64_C (0x9e3779b97f4a7c15);
    LocationSlot *slot = &stacks->location_cache[mixed >> 51];
    G_STATIC_ASSERT (LOCATION_SLOTS == 1u << (64 - 51));
    if (slot->addr != addr || slot->spaces != walk->spaces || slot->how != how + 1)
        *slot =
            (LocationSlot){addr, walk->spaces, how + 1,
                           perf_maps_locate (walk->session, walk->process, walk->mode, addr, kind)};
    pv_array_push (&stacks->locations, slot->location);
}

static bool
enter_context (ChainWalk *walk, uint64_t marker)
{
    walk->is_exact = true;
    switch (marker) {
    case PERF_CONTEXT_HV:
        walk->mode = PERF_MODE_HYPERVISOR;
        return true;
    case PERF_CONTEXT_KERNEL:
        walk->mode = PERF_MODE_KERNEL;
        return true;
    case PERF_CONTEXT_USER:
        walk->mode = PERF_MODE_USER;
        return true;
    case PERF_CONTEXT_GUEST:
    case PERF_CONTEXT_GUEST_KERNEL:
        walk->mode = PERF_MODE_GUEST_KERNEL;
        return true;
    case PERF_CONTEXT_GUEST_USER:
        walk->mode = PERF_MODE_GUEST_USER;
        return true;
    default:
        return false;
    }
}

/* Appends the locations of a recorded chain. */
static void
walk_chain (ChainWalk *walk, const uint8_t *ips, uint32_t n_ips, bool swap)
{
    for (uint32_t i = 0; i < n_ips; i++) {
        uint64_t ip = perf_load_u64 (ips + 8 * (size_t)i, swap);
        if (ip == 0 || ip == UINT64_MAX)
            continue; /* garbage from the end of a frame-pointer chain */
        if (ip < PERF_CONTEXT_MAX) {
            bool is_exact = walk->is_exact || walk->session->has_call_addresses;
            add_address (walk, ip, is_exact ? PV_LOCATION_EXACT : PV_LOCATION_RETURN);
            walk->is_exact = false;
            walk->n_frames++;
            if (G_UNLIKELY (walk->leaf_caller != 0) && walk->mode == PERF_MODE_USER) {
                add_address (walk, walk->leaf_caller, PV_LOCATION_RETURN);
                walk->leaf_caller = 0;
            }
            continue;
        }
        if (ip == PERF_CONTEXT_USER_DEFERRED) {
            if (i + 1 < n_ips) {
                walk->is_deferred = true;
                walk->cookie = perf_load_u64 (ips + 8 * (size_t)(i + 1), swap);
            }
            return;
        }
        if (!enter_context (walk, ip)) {
            /* Nothing in a chain with an unknown marker can be trusted. */
            walk->session->stacks->locations.len = 0;
            return;
        }
    }
}

static bool
is_depth_limit (const PerfAttr *attr, uint32_t n_frames)
{
    if (attr->sample_max_stack != 0)
        return n_frames >= attr->sample_max_stack;
    return n_frames == DEFAULT_MAX_STACK || n_frames >= OLD_MAX_STACK;
}

/* Results */

static void
emit (PerfSession *session, const PvNewSample *sample, const PerfTarget *targets, size_t n_targets)
{
    for (size_t i = 0; i < n_targets; i++)
        pv_profile_builder_add_sample (session->builder, targets[i].set, sample,
                                       targets[i].weights);
}

static void
emit_pending (PerfSession *session, const PvNewSample *sample, const Pending *pending)
{
    if (pending->n_targets > 0)
        emit (session, sample, session->stacks->targets.data + pending->first_target,
              pending->n_targets);
}

static void
finish_sample (PerfSession *session, const PerfNewSample *new_sample, PvStackId stack,
               PvStackEnd end)
{
    PvNewSample sample = new_sample->base;
    sample.stack = stack;
    sample.stack_end = (uint8_t)end;
    emit (session, &sample, new_sample->targets, new_sample->n_targets);
    new_sample->thread->last_stack = (PerfStackRef){stack, (uint8_t)end, 0};
}

static void add_deferred (PerfSession *session, const PerfNewSample *new_sample, uint64_t cookie);

/* Values in the cache: a stack, with a bit for chains that reached the depth limit; or
 * CACHED_NONE, which means to walk the chain again: its stack is empty or its user part comes
 * later. */
#define CACHED_DEPTH ((uint32_t)1 << 31)
#define CACHED_NONE  UINT32_MAX

static uint32_t
make_stack (PerfSession *session, const PerfAttr *attr, const PerfThread *thread,
            const PerfSample *sample, ChainWalk *walk)
{
    PerfStacks *stacks = session->stacks;
    stacks->locations.len = 0;
    walk->leaf_caller = sample->leaf_caller;
    walk_chain (walk, sample->ips, sample->n_ips, sample->swap);
    if (walk->is_deferred)
        return CACHED_NONE;
    if (stacks->locations.len == 0 && sample->ip != 0) {
        walk->mode = sample->mode;
        add_address (walk, sample->ip, PV_LOCATION_EXACT);
    }
    PvStackId stack = make_chain (session, thread);
    if (stack == 0)
        return CACHED_NONE;
    return stack | (is_depth_limit (attr, walk->n_frames) ? CACHED_DEPTH : 0);
}

/* The key of a chain in a process's address spaces. Mixes all of spaces into the low bits, which
 * select the slot: thousands of processes may have the same chain. */
static inline PvHash
chain_key (PvHash chain, uint64_t spaces)
{
    return (PvHash){chain.a ^ pv_hash_mix (spaces), chain.b};
}

/* Adds a sample whose stack is in the cache. */
static void
add_cached (PerfSession *session, const PerfNewSample *new_sample, uint32_t cached, bool has_chain)
{
    PvStackEnd end = has_chain ? PV_STACK_END_UNKNOWN : PV_STACK_END_NOT_RECORDED;
    PvStackId stack = 0;
    if (cached != CACHED_NONE) {
        stack = cached & ~CACHED_DEPTH;
        if ((cached & CACHED_DEPTH) != 0)
            end = PV_STACK_END_DEPTH;
    }
    finish_sample (session, new_sample, stack, end);
}

/* Adds a sample whose stack is not in the cache. */
static void
add_new (PerfSession *session, const PerfAttr *attr, const PerfNewSample *new_sample,
         const PerfSample *sample, uint32_t *slot)
{
    const PerfThread *thread = new_sample->thread;
    ChainWalk walk = begin_walk (session, thread->process, sample->mode);
    *slot = make_stack (session, attr, thread, sample, &walk);
    if (walk.is_deferred)
        add_deferred (session, new_sample, walk.cookie);
    else
        add_cached (session, new_sample, *slot, sample->has_chain);
}

static void
add_chain (PerfSession *session, const PerfAttr *attr, const PerfNewSample *new_sample,
           PerfSample *sample)
{
    PerfThread *thread = new_sample->thread;
    PvHash chain = perf_sample_hash_chain (sample);
    if (perf_leaf_is_wanted (session, attr)) {
        sample->leaf_caller = perf_leaf_find_caller (session, attr, thread, sample);
        chain.a = pv_hash_mix (chain.a + sample->leaf_caller);
    }
    PvHash key = chain_key (chain, spaces_of (session, thread->process));
    for (size_t i = 0; i < new_sample->n_targets; i++) {
        PerfNewSample one = *new_sample;
        one.targets = &new_sample->targets[i];
        one.n_targets = 1;
        uint32_t *slot = cache_slot (session->stacks, key);
        if (*slot == 0 || *slot == CACHED_NONE)
            add_new (session, attr, &one, sample, slot);
        else
            add_cached (session, &one, *slot, sample->has_chain);
    }
}

bool
perf_stacks_add_decoded (PerfSession *session, const PerfAttr *attr,
                         const PerfNewSample *new_sample, const PerfDecoded *decoded,
                         const uint8_t *record, size_t size_bytes)
{
    PvHash key = chain_key (decoded->chain, spaces_of (session, new_sample->thread->process));
    uint32_t *slot = cache_slot (session->stacks, key);
    if (*slot != 0 && *slot != CACHED_NONE) {
        add_cached (session, new_sample, *slot, decoded->has_chain);
        return true;
    }
    PerfSample sample;
    if (!perf_sample_parse (&sample, attr, record, size_bytes, session->swap)) {
        *slot = CACHED_NONE; /* the file has changed since decoding */
        return false;
    }
    add_new (session, attr, new_sample, &sample, slot);
    return true;
}

void
perf_stacks_prefetch (PerfSession *session, const PerfDecoded *decoded)
{
    const PerfStacks *stacks = session->stacks;
    const PerfThread *thread = perf_maps_find_recent (session, (int32_t)decoded->tid);
    if (stacks->cache == NULL || thread == NULL)
        return;
    PvHash key = chain_key (decoded->chain, spaces_of (session, thread->process));
    __builtin_prefetch (&stacks->cache[key.a & stacks->cache_mask]);
}

/* LBR */

static bool
is_lbr_call_stack (const PerfAttr *attr, const PerfSample *sample)
{
    return sample->n_branches > 0 && sample->n_ips > 0 &&
           (attr->branch_sample_type & PERF_BRANCH_CALL_STACK) != 0;
}

/* The kernel part is the chain up to its USER marker. The user part comes from the branches: the
 * target of the innermost call, then the source of each call. */
static bool
add_lbr_stack (PerfSession *session, const PerfNewSample *new_sample, const PerfSample *sample)
{
    uint32_t n_before = 0;
    while (n_before < sample->n_ips &&
           perf_load_u64 (sample->ips + 8 * (size_t)n_before, sample->swap) != PERF_CONTEXT_USER)
        n_before++;
    if (n_before == sample->n_ips)
        return false;

    PerfStacks *stacks = session->stacks;
    stacks->locations.len = 0;
    ChainWalk walk = begin_walk (session, new_sample->thread->process, sample->mode);
    walk_chain (&walk, sample->ips, n_before, sample->swap);
    walk.mode = PERF_MODE_USER;
    for (uint32_t i = 0; i < sample->n_branches; i++) {
        const uint8_t *entry = sample->branches + 24 * (size_t)i;
        uint64_t from = perf_load_u64 (entry, sample->swap);
        uint64_t to = perf_load_u64 (entry + 8, sample->swap);
        if (i == 0 && to != 0)
            add_address (&walk, to, PV_LOCATION_EXACT);
        if (from != 0)
            add_address (&walk, from, PV_LOCATION_EXACT);
    }
    PvStackId stack = make_chain (session, new_sample->thread);
    finish_sample (session, new_sample, stack, PV_STACK_END_UNKNOWN);
    return true;
}

/* Dumps */

/* Stores the sample, with the locations found so far as its kernel part. */
static Pending
make_pending (PerfSession *session, const PerfNewSample *new_sample)
{
    PerfStacks *stacks = session->stacks;
    Pending pending = {
        .sample = new_sample->base,
        .thread = new_sample->thread,
        .first_target = (uint32_t)stacks->targets.len,
        .n_targets = (uint32_t)new_sample->n_targets,
        .first_location = (uint32_t)stacks->kernel_locations.len,
        .n_locations = (uint32_t)stacks->locations.len,
    };
    pv_array_append (&stacks->targets, new_sample->targets, new_sample->n_targets);
    pv_array_append (&stacks->kernel_locations, stacks->locations.data, stacks->locations.len);
    return pending;
}

static const uint64_t *
host_registers (PerfStacks *stacks, const PerfSample *sample)
{
    if (!sample->swap)
        return (const uint64_t *)sample->registers;
    if (stacks->registers == NULL)
        stacks->registers = pv_arena_new ();
    uint64_t *copy = pv_arena_alloc (stacks->registers, 8 * (size_t)sample->n_registers);
    for (uint32_t i = 0; i < sample->n_registers; i++)
        copy[i] = perf_load_u64 (sample->registers + 8 * (size_t)i, true);
    return copy;
}

static void
guess_arch (PerfSession *session, uint64_t register_mask)
{
    /* In a pipe the architecture may come late or not at all. */
    if (session->arch == PV_ARCH_UNKNOWN && register_mask == 0xff0fff)
        session->arch = PV_ARCH_X86_64;
    else if (session->arch == PV_ARCH_UNKNOWN && (register_mask & 0x1ffffffff) == 0x1ffffffff)
        session->arch = PV_ARCH_AARCH64;
}

static void
add_dump (PerfSession *session, const PerfAttr *attr, const PerfNewSample *new_sample,
          const PerfSample *sample)
{
    PerfStacks *stacks = session->stacks;
    PerfThread *thread = new_sample->thread;
    PerfProcess *process = thread->process;
    stacks->locations.len = 0;
    ChainWalk walk = begin_walk (session, process, sample->mode);
    walk_chain (&walk, sample->ips, sample->n_ips, sample->swap);
    bool is_user_mode = sample->mode == PERF_MODE_USER;
    bool has_dump = sample->registers != NULL && session->context->unwind != NULL;
    if (stacks->locations.len == 0 && sample->ip != 0 && !(is_user_mode && has_dump)) {
        walk.mode = sample->mode;
        add_address (&walk, sample->ip, PV_LOCATION_EXACT);
    }
    if (!has_dump) {
        PvStackId stack = make_chain (session, thread);
        finish_sample (session, new_sample, stack, PV_STACK_END_UNKNOWN);
        return;
    }

    guess_arch (session, attr->sample_regs_user);
    Pending pending = make_pending (session, new_sample);
    pending.user_ip = sample->ip;
    pending.has_user_ip = is_user_mode && stacks->locations.len == 0;
    pv_array_push (&stacks->pending, pending);
    PvRawStack raw = {
        .space = perf_maps_get_space (session, process),
        .registers = host_registers (stacks, sample),
        .register_mask = attr->sample_regs_user,
        .stack = sample->stack,
        .stack_size_bytes = sample->stack_size_bytes,
        .stack_requested_bytes = attr->sample_stack_user,
        .is_32bit = sample->is_32bit,
    };
    pv_array_push (&stacks->raw, raw);
    process->in_batch = stacks->batch_serial;
    thread->last_stack = (PerfStackRef){.pending = (uint32_t)stacks->raw.len};
    stacks->batch_bytes += sample->stack_size_bytes;
    if (stacks->raw.len >= MAX_BATCH_SAMPLES || stacks->batch_bytes >= MAX_BATCH_BYTES)
        perf_stacks_flush (session);
}

/* The unwound frames and the kernel part. */
static PvStackId
stack_of_result (PerfSession *session, const Pending *pending, const PvRawResult *result)
{
    PerfStacks *stacks = session->stacks;
    stacks->locations.len = 0;
    if (pending->n_locations > 0)
        pv_array_append (&stacks->locations,
                         stacks->kernel_locations.data + pending->first_location,
                         pending->n_locations);
    for (uint32_t i = 0; i < result->n_frames; i++) {
        PvRawFrame frame = result->frames[i];
        PvModuleId module = frame.module != 0
                                ? frame.module
                                : pv_profile_builder_unknown_module (session->builder, false);
        PvLocationId location =
            pv_profile_builder_location (session->builder, module, frame.address, frame.kind);
        pv_array_push (&stacks->locations, location);
    }
    if (stacks->locations.len == 0 && pending->has_user_ip) {
        PvLocationId leaf = perf_maps_locate (session, pending->thread->process, PERF_MODE_USER,
                                              pending->user_ip, PV_LOCATION_EXACT);
        pv_array_push (&stacks->locations, leaf);
    }
    return make_chain (session, pending->thread);
}

static void
resolve_entry (PerfSession *session, uint32_t index)
{
    PerfStacks *stacks = session->stacks;
    Pending *pending = &stacks->pending.data[index];
    const PvRawResult *result = &stacks->results.data[index];
    PvStackId stack = stack_of_result (session, pending, result);
    pending->sample.stack = stack;
    pending->sample.stack_end = result->end;
    emit_pending (session, &pending->sample, pending);
    PerfStackRef resolved = {stack, result->end, 0};
    pv_array_push (&stacks->resolved, resolved);
    perf_off_cpu_resolve (pending->thread, index + 1, stack, result->end);
}

void
perf_stacks_flush (PerfSession *session)
{
    PerfStacks *stacks = session->stacks;
    size_t n = stacks->raw.len;
    if (n == 0)
        return;
    stacks->results.len = stacks->resolved.len = 0;
    pv_array_resize (&stacks->results, n);
    session->context->unwind (session->context->unwinder, session->arch,
                              pv_profile_builder_module (session->builder, 0), stacks->raw.data, n,
                              stacks->results.data, session->context->job);
    for (uint32_t i = 0; i < n; i++)
        resolve_entry (session, i);
    perf_off_cpu_finish_batch (session, stacks->resolved.data);

    stacks->raw.len = stacks->pending.len = 0;
    stacks->batch_bytes = 0;
    stacks->batch_serial++;
    g_clear_pointer (&stacks->registers, pv_arena_free);
    if (stacks->deferred.len == 0)
        stacks->targets.len = stacks->kernel_locations.len = 0;
}

void
perf_stacks_before_change (PerfSession *session, const PerfProcess *process)
{
    if (process->in_batch == session->stacks->batch_serial)
        perf_stacks_flush (session);
}

/* Deferred chains */

static void
finish_deferred (PerfSession *session, const Pending *pending, const uint8_t *ips, size_t n_ips)
{
    PerfStacks *stacks = session->stacks;
    stacks->locations.len = 0;
    ChainWalk walk = begin_walk (session, pending->thread->process, PERF_MODE_USER);
    walk_chain (&walk, ips, (uint32_t)n_ips, session->swap);
    size_t n_user = stacks->locations.len;
    size_t n_kernel = pending->n_locations;
    pv_array_resize (&stacks->locations, n_user + n_kernel);
    if (n_kernel > 0) {
        memmove (stacks->locations.data + n_kernel, stacks->locations.data,
                 n_user * sizeof (PvLocationId));
        memcpy (stacks->locations.data, stacks->kernel_locations.data + pending->first_location,
                n_kernel * sizeof (PvLocationId));
    }

    PvNewSample sample = pending->sample;
    sample.stack = make_chain (session, pending->thread);
    sample.stack_end = PV_STACK_END_UNKNOWN;
    emit_pending (session, &sample, pending);
}

static void
remove_deferred (PerfStacks *stacks, size_t index)
{
    stacks->deferred.len--;
    memmove (stacks->deferred.data + index, stacks->deferred.data + index + 1,
             (stacks->deferred.len - index) * sizeof (Pending));
    if (stacks->deferred.len == 0 && stacks->raw.len == 0)
        stacks->targets.len = stacks->kernel_locations.len = 0;
}

static void
add_deferred (PerfSession *session, const PerfNewSample *new_sample, uint64_t cookie)
{
    PerfStacks *stacks = session->stacks;
    if (stacks->deferred.len == MAX_DEFERRED) {
        finish_deferred (session, &stacks->deferred.data[0], NULL, 0);
        remove_deferred (stacks, 0);
    }
    Pending pending = make_pending (session, new_sample);
    pending.cookie = cookie;
    pv_array_push (&stacks->deferred, pending);
}

void
perf_stacks_resolve_deferred (PerfSession *session, PerfThread *thread, uint64_t cookie,
                              const uint8_t *ips, size_t n_ips)
{
    PerfStacks *stacks = session->stacks;
    for (size_t i = 0; i < stacks->deferred.len;) {
        const Pending *pending = &stacks->deferred.data[i];
        if (pending->thread == thread && pending->cookie == cookie) {
            finish_deferred (session, pending, ips, n_ips);
            remove_deferred (stacks, i);
        } else {
            i++;
        }
    }
}

void
perf_stacks_drop_deferred (PerfSession *session, const PerfThread *thread)
{
    PerfStacks *stacks = session->stacks;
    for (size_t i = 0; i < stacks->deferred.len;) {
        if (thread == NULL || stacks->deferred.data[i].thread == thread) {
            finish_deferred (session, &stacks->deferred.data[i], NULL, 0);
            remove_deferred (stacks, i);
        } else {
            i++;
        }
    }
}

/* Entry */

void
perf_stacks_add (PerfSession *session, const PerfAttr *attr, const PerfNewSample *new_sample,
                 PerfSample *sample)
{
    if (perf_attr_is_dwarf (attr)) {
        add_dump (session, attr, new_sample, sample);
        return;
    }
    if (is_lbr_call_stack (attr, sample) && add_lbr_stack (session, new_sample, sample))
        return;
    add_chain (session, attr, new_sample, sample);
}

void
perf_stacks_free (PerfStacks *stacks)
{
    g_free (stacks->cache);
    g_free (stacks->location_cache);
    for (unsigned i = 0; i < LAST_CHAINS; i++) {
        pv_array_clear (&stacks->last_chains[i].locations);
        pv_array_clear (&stacks->last_chains[i].stacks);
    }
    pv_array_clear (&stacks->locations);
    pv_array_clear (&stacks->raw);
    pv_array_clear (&stacks->results);
    pv_array_clear (&stacks->pending);
    pv_array_clear (&stacks->targets);
    pv_array_clear (&stacks->kernel_locations);
    pv_array_clear (&stacks->resolved);
    pv_array_clear (&stacks->deferred);
    pv_arena_free (stacks->registers);
    g_free (stacks);
}
