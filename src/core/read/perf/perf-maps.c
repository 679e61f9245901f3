/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Processes, their threads and mappings. Unmapping is not recorded: a mapping lasts until another
 * one covers it, the process executes another program, or the recording ends. Rows in the profile
 * are created when the first sample needs them, which leaves out the hundreds of processes that a
 * system-wide recording lists but never samples.
 *
 * A file mapped in several processes (same path and same build-id or inode) is one module. All
 * mappings are stored so that (address - start + file_offset) is the module's address; for run-time
 * addresses, file_offset is start.
 */
#include "core/read/perf/perf-maps.h"

#include <glib/gi18n-lib.h>

#include "core/base/path.h"
#include "core/read/events/perf-attr.h"

#define PROT_EXECUTE      4u
#define MAP_IS_PRIVATE    2u
#define MAP_HUGE_TLB      0x40000u
#define MAX_MAPPINGS      (UINT64_C (4) << 20)
#define KEEP_ENDED_NS     UINT64_C (10000000000)
#define CLOCKID_MONOTONIC 1u
#define MAPPING_BYTES     64u /* of an address space, approximately */
#define MAX_JITDUMPS      64u /* of a process */
/* Limits the time for crafted files; other recordings take far fewer steps. */
#define MAX_STEPS (UINT64_C (1) << 27)
#define MAX_NAMES (UINT64_C (1) << 21)

uint64_t
perf_maps_count_bytes (const PerfMaps *maps)
{
    g_assert (maps != NULL);
    uint64_t n_slots = (uint64_t)maps->process_of_pid.mask + maps->thread_of_tid.mask + 2;
    return pv_arena_count_bytes (maps->arena) + n_slots * sizeof (PvIdSlot) +
           ((uint64_t)maps->row_of_name.mask + 1) * sizeof (PvHashSlot) +
           (maps->processes.cap + maps->threads.cap) * sizeof (void *) +
           maps->n_mappings * MAPPING_BYTES;
}

/* Address spaces */

static void
drop_space (PerfMaps *maps, PerfProcess *process)
{
    if (process->space != NULL && --process->space_use->n_sharers == 0) {
        maps->n_mappings -= process->space_use->n_mappings;
        pv_address_space_free (process->space);
    }
    process->space = NULL;
}

static void
take_space (PerfMaps *maps, PerfProcess *process, PvAddressSpace *space, uint32_t n_mappings)
{
    process->space = space;
    process->space_use = pv_arena_alloc (maps->arena, sizeof *process->space_use);
    *process->space_use = (PerfSpaceUse){1, n_mappings};
    maps->n_mappings += n_mappings;
}

/* A forked process starts with its parent's mappings, and usually replaces them at once. */
static void
share_space (PerfProcess *process, const PerfProcess *from)
{
    if (from->space == NULL)
        return;
    process->space = from->space;
    process->space_use = from->space_use;
    process->space_use->n_sharers++;
}

PvAddressSpace *
perf_maps_get_space (PerfSession *session, PerfProcess *process)
{
    if (process->space == NULL)
        take_space (session->maps, process, pv_address_space_new (), 0);
    return process->space;
}

/* The process's address space, made safe to change: not shared, and without stacks waiting to be
 * unwound in it. */
static PvAddressSpace *
own_space (PerfSession *session, PerfProcess *process)
{
    session->maps->before_change (session, process);
    PerfMaps *maps = session->maps;
    PvAddressSpace *space = perf_maps_get_space (session, process);
    if (process->space_use->n_sharers > 1) {
        /* Prevents many large copies in crafted files; no machine has that many mappings. */
        bool is_too_much = maps->n_mappings > MAX_MAPPINGS;
        uint32_t n_mappings = is_too_much ? 0 : process->space_use->n_mappings;
        space = is_too_much ? pv_address_space_new () : pv_address_space_copy (space);
        drop_space (maps, process);
        take_space (maps, process, space, n_mappings);
    }
    process->space_use->n_mappings++;
    process->has_mappings = true;
    maps->n_mappings++;
    return space;
}

PerfMaps *
perf_maps_new (PerfBeforeChange before_change)
{
    PerfMaps *maps = g_new0 (PerfMaps, 1);
    maps->before_change = before_change;
    maps->arena = pv_arena_new ();
    maps->kernel = pv_address_space_new ();
    maps->guest_kernel = pv_address_space_new ();
    maps->build_ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    maps->next_jit_ns = UINT64_MAX;
    return maps;
}

void
perf_maps_free (PerfMaps *maps)
{
    for (size_t i = 0; i < maps->processes.len; i++)
        drop_space (maps, maps->processes.data[i]);
    for (size_t i = 0; i < maps->jits.len; i++)
        pv_jit_code_free (maps->jits.data[i]->code);
    for (size_t i = 0; i < maps->methods.len; i++)
        pv_jit_code_free (maps->methods.data[i]);
    pv_jit_code_free (maps->bpf_code);
    pv_jit_code_free (maps->trampolines);
    pv_address_space_free (maps->kernel);
    pv_address_space_free (maps->guest_kernel);
    g_hash_table_unref (maps->build_ids);
    pv_array_clear (&maps->processes);
    pv_array_clear (&maps->threads);
    pv_array_clear (&maps->ended);
    pv_array_clear (&maps->jits);
    pv_array_clear (&maps->methods);
    pv_array_clear (&maps->jit_processes);
    pv_id_map_clear (&maps->is_dumped);
    pv_id_map_clear (&maps->is_replaced);
    pv_id_map_clear (&maps->process_of_pid);
    pv_id_map_clear (&maps->thread_of_tid);
    pv_hash_map_clear (&maps->module_of_key);
    pv_hash_map_clear (&maps->row_of_name);
    pv_arena_free (maps->arena);
    g_free (maps);
}

/* Processes and threads */

static PerfProcess *
new_process (PerfMaps *maps, int32_t pid, uint64_t time_ns)
{
    PerfProcess *process = pv_arena_alloc0 (maps->arena, sizeof *process);
    process->pid = pid;
    process->program = ++maps->n_programs;
    process->start_ns = time_ns;
    process->end_ns = UINT64_MAX;
    pv_array_push (&maps->processes, process);
    *pv_id_map_slot (&maps->process_of_pid, (uint32_t)pid) = (uint32_t)maps->processes.len;
    return process;
}

/* Returns the process with this id; creates it if it is new. */
static PerfProcess *
get_process (PerfSession *session, int32_t pid, uint64_t time_ns)
{
    PerfMaps *maps = session->maps;
    uint32_t index = pv_id_map_find (&maps->process_of_pid, (uint32_t)pid);
    return index != 0 ? maps->processes.data[index - 1] : new_process (maps, pid, time_ns);
}

static PerfThread *
new_thread (PerfMaps *maps, PerfProcess *process, int32_t tid, uint64_t time_ns)
{
    PerfThread *thread = pv_arena_alloc0 (maps->arena, sizeof *thread);
    thread->tid = tid;
    thread->process = process;
    thread->start_ns = time_ns;
    thread->end_ns = UINT64_MAX;
    process->n_threads++;
    pv_array_push (&maps->threads, thread);
    thread->number = (uint32_t)maps->threads.len;
    *pv_id_map_slot (&maps->thread_of_tid, (uint32_t)tid) = (uint32_t)maps->threads.len;
    maps->recent_threads[(uint32_t)tid % G_N_ELEMENTS (maps->recent_threads)] = thread;
    return thread;
}

PerfThread *
perf_maps_find_thread (PerfSession *session, int32_t tid)
{
    uint32_t index = pv_id_map_find (&session->maps->thread_of_tid, (uint32_t)tid);
    return index != 0 ? session->maps->threads.data[index - 1] : NULL;
}

PerfThread *
perf_maps_thread (PerfSession *session, int32_t pid, int32_t tid, uint64_t time_ns)
{
    PerfMaps *maps = session->maps;
    PerfThread **recent =
        &maps->recent_threads[(uint32_t)tid % G_N_ELEMENTS (maps->recent_threads)];
    if (*recent != NULL && (*recent)->tid == tid && (*recent)->process->pid == pid)
        return *recent;
    PerfThread *thread = perf_maps_find_thread (session, tid);
    if (thread != NULL && thread->process->pid == pid)
        return *recent = thread;
    PerfProcess *process = get_process (session, pid, time_ns);
    return new_thread (maps, process, tid, time_ns);
}

/* Rows. A process and a thread have a row for each of their names, of which samples have the one
 * that was valid at their time; an earlier name leads back to its row. */

static const char *
name_of (const char *comm, int32_t id, char *buffer, size_t size)
{
    if (comm != NULL)
        return comm;
    if (id == 0)
        return "swapper"; /* the idle task, which is never announced */
    g_snprintf (buffer, size, ":%d", id);
    return buffer;
}

/* The row of a program's process under a name, or of a thread under a name in such a row. */
static uint32_t *
row_slot (PerfMaps *maps, uint32_t owner, PvProcessId process_row, const char *name)
{
    uint64_t seed = pv_hash_mix ((uint64_t)owner << 32 | process_row);
    return pv_hash_map_slot (&maps->row_of_name, pv_hash_bytes (name, strlen (name), seed));
}

static PvProcessId
process_row (PerfSession *session, PerfProcess *process)
{
    if (process->row != 0)
        return process->row;
    char buffer[16];
    const char *name = name_of (process->comm, process->pid, buffer, sizeof buffer);
    uint32_t *slot = row_slot (session->maps, process->program, 0, name);
    if (*slot == 0)
        *slot = pv_profile_builder_add_process (session->builder, process->pid, name,
                                                process->start_ns);
    process->row = *slot;
    pv_profile_builder_end_process (session->builder, process->row, process->end_ns);
    return process->row;
}

PvThreadId
perf_maps_thread_row (PerfSession *session, PerfThread *thread)
{
    if (thread->row != 0 && thread->process_row == thread->process->row)
        return thread->row;
    if (thread->row != 0) /* its process has another name now */
        pv_profile_builder_end_thread (session->builder, thread->row, thread->process->start_ns);
    thread->process_row = process_row (session, thread->process);
    char buffer[16];
    const char *key = name_of (thread->comm, thread->tid, buffer, sizeof buffer);
    bool is_nameless = thread->comm == NULL && thread->process->comm != NULL;
    const char *name = is_nameless ? thread->process->comm : key;
    uint32_t *slot = row_slot (session->maps, thread->number, thread->process_row, key);
    if (*slot == 0)
        *slot =
            pv_profile_builder_add_thread (session->builder, thread->process_row, thread->tid, name,
                                           MAX (thread->start_ns, thread->process->start_ns));
    thread->row = *slot;
    pv_profile_builder_end_thread (session->builder, thread->row, thread->end_ns);
    return thread->row;
}

/* The process's samples are of another row from now on, as it has another name or program. */
static void
leave_process_row (PerfSession *session, PerfProcess *process, uint64_t time_ns)
{
    if (process->row == 0)
        return;
    pv_profile_builder_end_process (session->builder, process->row, time_ns);
    process->row = 0;
    process->start_ns = time_ns;
}

static void
leave_thread_row (PerfSession *session, PerfThread *thread, uint64_t time_ns)
{
    if (thread->row == 0)
        return;
    pv_profile_builder_end_thread (session->builder, thread->row, time_ns);
    thread->row = 0;
    thread->start_ns = time_ns;
}

/* A process has the name of its main thread. */
static void
name_process (PerfSession *session, PerfProcess *process, const char *comm, uint64_t time_ns)
{
    if (process->comm != NULL) {
        leave_process_row (session, process, time_ns);
    } else if (process->row != 0) {
        /* It was the same before, but not known yet. */
        pv_profile_builder_name_process (session->builder, process->row, comm);
        *row_slot (session->maps, process->program, 0, comm) = process->row;
    }
    process->comm = comm;
}

static void
name_thread (PerfSession *session, PerfThread *thread, const char *comm, uint64_t time_ns)
{
    if (thread->comm != NULL && strcmp (thread->comm, comm) == 0)
        return;
    const char *copy = pv_arena_strndup (session->maps->arena, comm, strlen (comm));
    if (thread->comm != NULL) {
        leave_thread_row (session, thread, time_ns);
    } else if (thread->row != 0) {
        pv_profile_builder_name_thread (session->builder, thread->row, copy);
        *row_slot (session->maps, thread->number, thread->process_row, copy) = thread->row;
    }
    thread->comm = copy;
    if (thread->tid == thread->process->pid)
        name_process (session, thread->process, copy, time_ns);
}

void
perf_maps_fork (PerfSession *session, int32_t pid, int32_t tid, int32_t ppid, int32_t ptid,
                bool is_synthesized, uint64_t time_ns)
{
    PerfMaps *maps = session->maps;
    PerfThread *parent = perf_maps_find_thread (session, ptid);
    const char *comm = parent != NULL ? parent->comm : NULL;
    if (is_synthesized) {
        /* The task was already running; its own records follow. */
        perf_maps_thread (session, pid, tid, time_ns);
        return;
    }
    PerfProcess *process;
    if (pid == ppid) {
        process = get_process (session, pid, time_ns);
    } else {
        const PerfProcess *from = get_process (session, ppid, time_ns);
        process = new_process (maps, pid, time_ns);
        process->comm = comm != NULL ? comm : from->comm;
        process->has_main = from->has_main;
        process->has_mappings = from->has_mappings;
        share_space (process, from);
    }
    PerfThread *thread = new_thread (maps, process, tid, time_ns);
    thread->comm = comm;
}

/* Frees address spaces of processes that ended long ago; no sample comes that late. */
static void
free_ended (PerfSession *session, uint64_t time_ns)
{
    PerfMaps *maps = session->maps;
    while (maps->n_ended_done < maps->ended.len) {
        PerfProcess *process = maps->ended.data[maps->n_ended_done];
        if (process->end_ns == UINT64_MAX) { /* it executed another program instead */
            maps->n_ended_done++;
            continue;
        }
        if (time_ns < process->end_ns || time_ns - process->end_ns < KEEP_ENDED_NS)
            return;
        session->maps->before_change (session, process);
        drop_space (maps, process);
        maps->n_ended_done++;
    }
}

void
perf_maps_exit (PerfSession *session, int32_t pid, int32_t tid, uint64_t time_ns)
{
    PerfMaps *maps = session->maps;
    PerfThread *thread = perf_maps_find_thread (session, tid);
    if (thread == NULL || thread->process->pid != pid)
        return;
    PerfProcess *process = thread->process;
    process->n_threads -= thread->end_ns == UINT64_MAX && process->n_threads > 0;
    thread->end_ns = time_ns;
    if (thread->row != 0)
        pv_profile_builder_end_thread (session->builder, thread->row, time_ns);
    /* Other threads may go on after the main one. */
    bool has_ended = process->end_ns != UINT64_MAX;
    if (pid == tid ? has_ended : !has_ended)
        return;
    process->end_ns = time_ns;
    if (process->row != 0)
        pv_profile_builder_end_process (session->builder, process->row, time_ns);
    if (process->n_threads > 0)
        return;
    pv_array_push (&maps->ended, process);
    free_ended (session, time_ns);
}

/* All names from now on are of another program, even where they stay the same. */
static void
start_program (PerfSession *session, PerfThread *thread, uint64_t time_ns)
{
    PerfMaps *maps = session->maps;
    PerfProcess *process = thread->process;
    maps->before_change (session, process);
    drop_space (maps, process);
    process->has_main = false;
    process->jits = NULL;
    process->methods = NULL;
    process->has_names = false;
    process->jit_module = process->fresh_module = 0;
    process->link_bases = (PvLinkBases){0};
    process->end_ns = UINT64_MAX;
    process->n_threads = 1; /* the others end before */
    /* A task without a name was not seen before, so this is its first program. */
    if (process->comm != NULL)
        leave_process_row (session, process, time_ns);
    if (thread->comm != NULL)
        leave_thread_row (session, thread, time_ns);
    process->program = ++maps->n_programs;
    thread->last_stack = (PerfStackRef){0};
}

/* The helper by which we start what is recorded. Its few samples until then count as the program's,
 * which nobody wants to see as two threads. */
static bool
is_launcher (const PerfThread *thread)
{
    return thread->comm != NULL && strcmp (thread->comm, "profview-launch") == 0;
}

void
perf_maps_comm (PerfSession *session, int32_t pid, int32_t tid, const char *comm, bool is_exec,
                uint64_t time_ns)
{
    PerfThread *thread = perf_maps_thread (session, pid, tid, time_ns);
    if (is_exec) {
        /* The main thread ends when another one executes a program, and that gets its id. */
        if (thread->end_ns != UINT64_MAX)
            thread = new_thread (session->maps, thread->process, tid, time_ns);
        else if (is_launcher (thread))
            thread->comm = thread->process->comm = NULL; /* as if its name had not been known */
        start_program (session, thread, time_ns);
    }
    name_thread (session, thread, comm, time_ns);
}

/* Build-ids */

/* "/lib/modules/6.1/kernel/kvm-intel.ko.xz" and "[kvm_intel]" are the same module. */
static char *
name_of_kernel_module (const char *path)
{
    char *name = pv_path_name_kernel_module (path);
    return name != NULL ? name : g_strdup (path);
}

static bool
is_kernel_proper (const char *path)
{
    return g_str_has_prefix (path, "[kernel") || g_str_has_prefix (path, "[guest.kernel") ||
           (path[0] != '[' && strstr (path, ".ko") == NULL);
}

static void
set_build_id (PvModule *module, const PerfBuildId *build_id)
{
    if (module->build_id_size != 0 || build_id->size == 0 || build_id->is_ambiguous)
        return;
    memcpy (module->build_id, build_id->id, build_id->size);
    module->build_id_size = build_id->size;
}

static void
apply_build_id (PerfSession *session, PvModule *module, const char *path)
{
    PerfMaps *maps = session->maps;
    if (module->kind == PV_MODULE_KERNEL) {
        set_build_id (module, &maps->kernel_build_id);
        return;
    }
    if (module->kind != PV_MODULE_FILE && module->kind != PV_MODULE_VDSO &&
        module->kind != PV_MODULE_KERNEL_MODULE)
        return;
    g_autofree char *key =
        module->kind == PV_MODULE_KERNEL_MODULE ? name_of_kernel_module (path) : g_strdup (path);
    const PerfBuildId *build_id = g_hash_table_lookup (maps->build_ids, key);
    if (build_id != NULL)
        set_build_id (module, build_id);
}

void
perf_maps_build_id (PerfSession *session, const char *path, uint8_t mode, const uint8_t *id,
                    uint8_t size)
{
    PerfMaps *maps = session->maps;
    PerfBuildId build_id = {.size = size};
    memcpy (build_id.id, id, size);
    bool is_kernel = mode == PERF_MODE_KERNEL;
    if (is_kernel && is_kernel_proper (path)) {
        maps->kernel_build_id = build_id;
        return;
    }
    char *key =
        is_kernel ? name_of_kernel_module (path) : g_strndup (path, pv_path_get_plain_len (path));
    PerfBuildId *known = g_hash_table_lookup (maps->build_ids, key);
    if (known != NULL) {
        known->is_ambiguous |= known->size != size || memcmp (known->id, id, size) != 0;
        g_free (key);
        return;
    }
    g_hash_table_insert (maps->build_ids, key, g_memdup2 (&build_id, sizeof build_id));
}

/* Modules */

static void
widen (PvModule *module, uint64_t start, uint64_t end)
{
    if (module->end_addr == 0 || start < module->load_addr)
        module->load_addr = start;
    if (end > module->end_addr)
        module->end_addr = end;
}

static PvHash
hash_identity (const PerfMap *map)
{
    uint64_t words[] = {(uint64_t)map->device_major << 32 | map->device_minor, map->inode,
                        map->inode_generation};
    return pv_hash_bytes (words, sizeof words, 2);
}

/* Notes what a mapping says about its file. */
static void
take_identity (PvModule *module, const PerfMap *map)
{
    if (module->kind != PV_MODULE_FILE)
        return;
    pv_file_identity_add_mapping (&module->identity, map->file_offset, map->size_bytes);
    if (map->pid > 0)
        module->identity.pid = map->pid;
    if (!map->has_identity)
        return;
    module->identity.inode = map->inode;
    module->identity.generation = pv_path_is_jitted (map->path) ? 0 : map->inode_generation;
    module->identity.device_major = map->device_major;
    module->identity.device_minor = map->device_minor;
}

/* Finds a module by path and identity, or creates it. */
static PvModuleId
find_or_make_module (PerfSession *session, const PerfMap *map, const PvModule *template_)
{
    uint64_t seed = template_->kind;
    if (map->build_id_size > 0)
        seed += pv_hash_bytes (map->build_id, map->build_id_size, 1).a;
    else if (map->has_identity)
        seed += hash_identity (map).a;
    PvHash key = pv_hash_bytes (template_->path, strlen (template_->path), seed);
    uint32_t *slot = pv_hash_map_slot (&session->maps->module_of_key, key);
    if (*slot == 0) {
        PvModule module = *template_;
        module.build_id_size = map->build_id_size;
        memcpy (module.build_id, map->build_id, map->build_id_size);
        apply_build_id (session, &module, template_->path);
        const PvFacts *facts = pv_profile_builder_facts (session->builder);
        if (map->has_identity && pv_facts_are_of_this_machine (facts))
            module.identity.until_ns = facts->modified_at_ns;
        *slot = pv_profile_builder_add_module (session->builder, &module);
    }
    return *slot;
}

static uint64_t
end_of (const PerfMap *map)
{
    uint64_t end = map->start + map->size_bytes;
    return end < map->start ? UINT64_MAX : end;
}

/* Adds a mapping whose start has an address of the module. */
static void
add_mapping (PerfSession *session, PvAddressSpace *space, const PerfMap *map, PvModuleId module,
             uint64_t module_addr)
{
    uint64_t end = end_of (map);
    PvMapping mapping = {map->start, end, module_addr, module};
    pv_address_space_add (space, &mapping);
    PvModule *row = pv_profile_builder_module (session->builder, module);
    widen (row, map->start, end);
    take_identity (row, map);
}

/* The kernel */

static void
add_kernel_map (PerfSession *session, const PerfMap *map, bool is_guest)
{
    PerfMaps *maps = session->maps;
    PvAddressSpace *space = is_guest ? maps->guest_kernel : maps->kernel;
    PvModule template_ = {
        .path = map->path,
        .address_kind = PV_ADDRESS_RUNTIME,
        .is_kernel = true,
    };
    g_autofree char *path = NULL, *name = NULL;
    if (g_str_has_prefix (map->path, "[kernel") || g_str_has_prefix (map->path, "[guest.kernel")) {
        /* "[kernel.kallsyms]_text": the symbol whose run-time address is in pgoff. */
        const char *end = strchr (map->path, ']');
        if (end != NULL) {
            template_.path = path = g_strndup (map->path, (size_t)(end + 1 - map->path));
            if (end[1] != '\0') {
                template_.reference_symbol = end + 1;
                template_.reference_addr = map->file_offset;
            }
        }
        template_.kind = PV_MODULE_KERNEL;
    } else {
        template_.kind = PV_MODULE_KERNEL_MODULE;
        template_.name = name = name_of_kernel_module (map->path);
    }
    PvModuleId module = find_or_make_module (session, map, &template_);
    add_mapping (session, space, map, module, map->start);
}

void
perf_maps_ksymbol (PerfSession *session, uint64_t addr, uint64_t size_bytes, uint16_t type,
                   bool is_removal, const char *name)
{
    /* Removed code stays mapped until other code replaces it; nothing runs in it. */
    if (is_removal || size_bytes == 0 || addr + size_bytes < addr)
        return;
    enum { KSYMBOL_TRAMPOLINE = 2 };
    PerfMaps *maps = session->maps;
    bool is_trampoline = type == KSYMBOL_TRAMPOLINE;
    PvJitCode **code = is_trampoline ? &maps->trampolines : &maps->bpf_code;
    if (*code == NULL)
        *code = pv_jit_code_new ();
    PvNamedRange range = {
        .start = addr,
        .size_bytes = size_bytes,
        .name = pv_arena_strndup (maps->arena, name, strlen (name)),
    };
    uint32_t layer = pv_jit_code_add (*code, &range);
    PvModule template_ = {
        .path = is_trampoline ? "[kernel trampolines]" : "[bpf]",
        .kind = PV_MODULE_KERNEL_MODULE,
        .address_kind = PV_ADDRESS_RUNTIME,
        .is_kernel = true,
    };
    PvModuleId module = pv_jit_code_module (*code, session->builder, layer, &template_);
    PerfMap map = {.start = addr, .size_bytes = size_bytes};
    add_mapping (session, maps->kernel, &map, module, map.start);
}

/* Generated code */

static PvModule
jit_template (const PerfProcess *process, char *path, size_t size)
{
    g_snprintf (path, size, "/tmp/perf-%d.map", process->pid);
    return (PvModule){
        .path = path,
        .name = "[JIT]",
        .kind = PV_MODULE_JIT,
        .address_kind = PV_ADDRESS_RUNTIME,
        .pid = process->pid,
        .container_pid = process->container_pid != 0 ? process->container_pid : process->pid,
    };
}

static PvModuleId
add_jit_module (PerfSession *session, const PerfProcess *process)
{
    char path[40];
    PvModule template_ = jit_template (process, path, sizeof path);
    return pv_profile_builder_add_module (session->builder, &template_);
}

static PvModuleId
jit_module (PerfSession *session, PerfProcess *process)
{
    if (process->jit_module == 0)
        process->jit_module = add_jit_module (session, process);
    return process->jit_module;
}

/* True if the process has a jitdump, and it is known when its code was loaded. */
static bool
has_load_times (const PerfProcess *process)
{
    const PerfJit *jit = process->jits;
    while (jit != NULL && jit->older != NULL)
        jit = jit->older; /* the one whose code is in jit_module */
    return jit != NULL && pv_jit_code_has_times (jit->code);
}

/* The module of anonymous memory that takes the place of a file: what the first jitdump had there
 * before is gone. */
static PvModuleId
fresh_module (PerfSession *session, PerfProcess *process)
{
    if (process->fresh_module == 0) {
        process->fresh_module = add_jit_module (session, process);
        *pv_id_map_slot (&session->maps->is_dumped, process->fresh_module) = 1;
    }
    return process->fresh_module;
}

/* True if perf and the JIT compiler use different clocks: without -k mono. */
static bool
has_other_clock (const PerfSession *session)
{
    const PerfEvents *events = session->events;
    return events->attrs.len == 0 ||
           !perf_attr_has_flag (&events->attrs.data[0], PERF_ATTR_USE_CLOCKID) ||
           events->attrs.data[0].clockid != CLOCKID_MONOTONIC;
}

static void
note_ambiguous (PerfSession *session, PvModuleId module, const char *path)
{
    pv_profile_builder_note (
        session->builder, PV_NOTE_WARNING, PV_NOTE_GENERAL, module,
        /* Translators: the path of a file */
        _ ("It is not known when the code of %s was loaded, as perf and the program had different "
           "clocks (perf record needs “-k mono”). Where several functions were at the same address "
           "one after the other, all samples there are shown as the last one."),
        path);
}

/* Adds a jitdump to a process. Code of its first layer has the module of the process's anonymous
 * memory, so most loads change nothing; the other jitdumps have modules of their own. */
static void
add_jitdump (PerfSession *session, PerfProcess *process, PvJitCode *code, const char *path,
             uint64_t size_bytes)
{
    PerfMaps *maps = session->maps;
    PvModuleId module = jit_module (session, process);
    if (process->jits == NULL) {
        pv_jit_code_set_base_module (code, session->builder, module);
        *pv_id_map_slot (&maps->is_dumped, module) = 1;
        pv_array_push (&maps->jit_processes, process);
    }
    if (pv_jit_code_is_ambiguous (code))
        note_ambiguous (session, module, path);
    PerfJit *jit = pv_arena_alloc (maps->arena, sizeof *jit);
    *jit = (PerfJit){
        .code = code,
        .path = pv_arena_strndup (maps->arena, path, strlen (path)),
        .size_bytes = size_bytes,
        .older = process->jits,
    };
    process->jits = jit;
    pv_array_push (&maps->jits, jit);
    maps->next_jit_ns = MIN (maps->next_jit_ns, pv_jit_code_get_next_time (code));
}

static void
open_jitdump (PerfSession *session, PerfProcess *process, const char *path, int32_t container_pid)
{
    unsigned n_jits = 0;
    for (const PerfJit *jit = process->jits; jit != NULL; jit = jit->older) {
        if (++n_jits == MAX_JITDUMPS || strcmp (jit->path, path) == 0)
            return;
    }
    if (session->context->open_side_file == NULL)
        return;
    process->container_pid = container_pid;
    if (process->jit_module != 0)
        pv_profile_builder_module (session->builder, process->jit_module)->container_pid =
            container_pid;
    g_autoptr (PvMappedFile) file = session->context->open_side_file (session->context->user, path);
    if (file == NULL) {
        /* Tells where the names are. */
        PvModuleId id = jit_module (session, process);
        PvModule *module = pv_profile_builder_module (session->builder, id);
        if (module->code_path == NULL)
            module->code_path = pv_profile_builder_string (session->builder, path);
        return;
    }
    PvJitCode *code = pv_jit_code_new ();
    if (pv_jit_code_read_dump (code, path, pv_mapped_file_get_data (file),
                               pv_mapped_file_get_size (file), &session->maps->time_conversion,
                               has_other_clock (session)))
        add_jitdump (session, process, code, path, pv_mapped_file_get_size (file));
    else
        pv_jit_code_free (code);
}

static void
load_code (PerfSession *session, PerfProcess *process, PvJitCode *code, const PvJitLoad *load)
{
    char path[40];
    PvModule template_ = jit_template (process, path, sizeof path);
    PvModuleId module = pv_jit_code_module (code, session->builder, load->layer, &template_);
    *pv_id_map_slot (&session->maps->is_dumped, module) = 1;
    const PvMapping *present =
        pv_address_space_find (perf_maps_get_space (session, process), load->start);
    if (present != NULL && present->module == module &&
        present->end - load->start >= load->size_bytes)
        return;
    PerfMap map = {.start = load->start, .size_bytes = load->size_bytes};
    add_mapping (session, own_space (session, process), &map, module, map.start);
}

/* The jitdump with the next load; of those at the same time, the oldest. */
static PerfJit *
find_next_jit (const PerfProcess *process)
{
    PerfJit *next = process->jits;
    for (PerfJit *jit = next; jit != NULL; jit = jit->older) {
        if (pv_jit_code_get_next_time (jit->code) <= pv_jit_code_get_next_time (next->code))
            next = jit;
    }
    return next;
}

void
perf_maps_advance_jit (PerfSession *session, uint64_t time_ns)
{
    PerfMaps *maps = session->maps;
    if (time_ns < maps->next_jit_ns)
        return;
    maps->next_jit_ns = UINT64_MAX;
    for (size_t i = 0; i < maps->jit_processes.len; i++) {
        PerfProcess *process = maps->jit_processes.data[i];
        const PvJitLoad *load;
        PerfJit *jit;
        while ((jit = find_next_jit (process)) != NULL &&
               (load = pv_jit_code_next (jit->code, time_ns)) != NULL)
            load_code (session, process, jit->code, load);
        if (jit != NULL)
            maps->next_jit_ns = MIN (maps->next_jit_ns, pv_jit_code_get_next_time (jit->code));
    }
}

/* User mappings */

/* Programs and libraries in a memfd are mapped privately, as from any file. Memory for generated
 * code that is in one is shared with a mapping through which it is written. */
static bool
is_code_in_memfd (const PerfMap *map, const PerfProcess *process)
{
    return pv_path_is_memfd (map->path) && map->build_id_size == 0 &&
           (map->flags & MAP_IS_PRIVATE) == 0 && process->has_main;
}

/* Executable memory without a file contains code generated at run time. */
static bool
is_generated_code (const PerfMap *map, const PerfProcess *process)
{
    const char *path = map->path;
    return strcmp (path, "//anon") == 0 || g_str_has_prefix (path, "/dev/zero") ||
           g_str_has_prefix (path, "/anon_hugepage") || g_str_has_prefix (path, "[stack") ||
           g_str_has_prefix (path, "[anon") || g_str_has_prefix (path, "/SYSV") ||
           g_str_has_prefix (path, "[heap]") || g_str_has_prefix (path, "anon_inode:") ||
           g_str_has_prefix (path, "/dev/ashmem/") || g_str_has_prefix (path, "/memfd:jit-") ||
           is_code_in_memfd (map, process) || (map->flags & MAP_HUGE_TLB) != 0 || path[0] == '\0';
}

/* Counts a step over the mappings of a process; false if there were too many. */
static bool
take_step (PerfSession *session)
{
    return session->maps->n_steps < MAX_STEPS && session->maps->n_steps++ < MAX_STEPS;
}

/* The file with code at all addresses of new anonymous memory, or 0. Programs move their code to
 * large pages in that way, and go on to run it. Memory for generated code that takes the place of
 * an unloaded library, which is not recorded, hardly ever lies within that library's code. */
static PvModuleId
find_replaced_file (PerfSession *session, const PerfProcess *process, const PerfMap *map)
{
    PvModuleId module = 0;
    uint64_t at = map->start;
    while (at < end_of (map)) {
        const PvMapping *mapping =
            process->space != NULL ? pv_address_space_find (process->space, at) : NULL;
        if (mapping == NULL || (module != 0 && mapping->module != module) || !take_step (session))
            return 0;
        module = mapping->module;
        if (pv_profile_builder_module (session->builder, module)->kind != PV_MODULE_FILE)
            return 0;
        at = mapping->end;
    }
    return module;
}

static void
note_replaced (PerfSession *session, PvModuleId module)
{
    uint32_t *is_noted = pv_id_map_slot (&session->maps->is_replaced, module);
    if (*is_noted != 0)
        return;
    *is_noted = 1;
    pv_profile_builder_note (
        session->builder, PV_NOTE_INFO, PV_NOTE_GENERAL, module,
        /* Translators: the path of a program or library */
        _ ("While it ran, memory without a file took the place of code of %s. Programs do so to "
           "have their code in large pages, so samples there have the names of the file. They are "
           "wrong if the file was unloaded before."),
        pv_profile_builder_module (session->builder, module)->path);
}

/* Maps [start, end) as generated code. */
static void
fill (PerfSession *session, PerfProcess *process, PvModuleId module, uint64_t start, uint64_t end)
{
    if (start >= end)
        return;
    PerfMap map = {.start = start, .size_bytes = end - start};
    add_mapping (session, own_space (session, process), &map, module, start);
}

/* A runtime protects memory as code after it has written its jitdump, and again for each piece that
 * it adds to the same page. What is known to be there stays. Where a file took the place of code,
 * that is gone, which only times tell from code that was loaded there since. */
static void
add_generated_code (PerfSession *session, PerfProcess *process, const PerfMap *map)
{
    PvModuleId replaced = find_replaced_file (session, process, map);
    if (replaced != 0) {
        note_replaced (session, replaced);
        return;
    }
    PvModuleId module = jit_module (session, process);
    bool has_times = has_load_times (process);
    uint64_t end = end_of (map), done = map->start;
    for (uint64_t at = map->start; at < end && take_step (session);) {
        const PvMapping *next =
            pv_address_space_find_from (perf_maps_get_space (session, process), at);
        if (next == NULL || next->start >= end)
            break;
        const PvMapping mapping = *next;
        uint64_t start = MAX (mapping.start, map->start);
        at = MIN (mapping.end, end);
        bool is_known = mapping.module == module ||
                        pv_id_map_find (&session->maps->is_dumped, mapping.module) != 0;
        if (!is_known && !has_times)
            continue;
        fill (session, process, module, done, start);
        if (!is_known)
            fill (session, process, fresh_module (session, process), start, at);
        done = at;
    }
    fill (session, process, module, done, end);
}

/* Continues a file over memory that took the place of some of its code before the recording began:
 * code of the file before and after it, which leave out just that part. */
static void
reclaim_replaced (PerfSession *session, PerfProcess *process, const PerfMap *map, PvModuleId module,
                  uint64_t module_addr)
{
    if (process->space == NULL || process->jit_module == 0 || map->start == 0)
        return;
    const PvMapping *memory = pv_address_space_find (process->space, map->start - 1);
    if (memory == NULL || memory->module != process->jit_module || memory->start == 0)
        return;
    const PvMapping *before = pv_address_space_find (process->space, memory->start - 1);
    if (before == NULL || before->module != module ||
        map->start - before->start != module_addr - before->file_offset)
        return;
    uint64_t size_bytes = map->start - memory->start;
    PerfMap whole = {.start = memory->start,
                     .size_bytes = size_bytes,
                     .file_offset = map->file_offset - size_bytes};
    add_mapping (session, own_space (session, process), &whole, module, module_addr - size_bytes);
    note_replaced (session, module);
}

/* Counts a function that simpleperf named and that gets a mapping of its own; false if there were
 * too many. */
static bool
take_name (PerfSession *session)
{
    return session->maps->n_names < MAX_NAMES && session->maps->n_names++ < MAX_NAMES;
}

/* Maps the methods in a file that simpleperf made of code compiled at run time. */
static void
add_methods (PerfSession *session, PerfProcess *process, const PerfMap *map)
{
    PerfMaps *maps = session->maps;
    const PvNamedRange *names;
    size_t n_names = pv_simpleperf_get_names (session->simpleperf, map->path, &names);
    bool is_zygote = strstr (map->path, "_jit_zygote_cache:") != NULL;
    PvModule template_ = {
        .path = is_zygote ? "[JIT zygote cache]" : "[JIT app cache]",
        .kind = PV_MODULE_JIT,
        .address_kind = PV_ADDRESS_RUNTIME,
    };
    uint64_t end = end_of (map);
    fill (session, process, jit_module (session, process), map->start, end);
    if (process->methods == NULL) {
        process->methods = pv_jit_code_new ();
        pv_array_push (&maps->methods, process->methods);
    }
    for (size_t i = 0; i < n_names && take_step (session); i++) {
        PerfMap method = {.start = names[i].start, .size_bytes = names[i].size_bytes};
        if (method.start < map->start || method.start >= end ||
            method.size_bytes > end - method.start)
            continue;
        if (!take_name (session))
            return;
        uint32_t layer = pv_jit_code_add (process->methods, &names[i]);
        PvModuleId module =
            pv_jit_code_module (process->methods, session->builder, layer, &template_);
        *pv_id_map_slot (&maps->is_dumped, module) = 1;
        add_mapping (session, own_space (session, process), &method, module, method.start);
    }
}

/* Maps the code that has names of the process's perf-PID.map, of which there are no mappings. */
static void
add_map_names (PerfSession *session, PerfProcess *process)
{
    const PvNamedRange *names;
    g_autofree char *path = g_strdup_printf ("perf-%d.map", process->pid);
    size_t n_names = pv_simpleperf_get_names (session->simpleperf, path, &names);
    process->has_names = true;
    for (size_t i = 0; i < n_names && take_name (session); i++)
        fill (session, process, jit_module (session, process), names[i].start,
              names[i].start + MIN (names[i].size_bytes, UINT64_MAX - names[i].start));
}

static void
add_user_map (PerfSession *session, const PerfMap *map, PerfProcess *process)
{
    if (!process->has_names)
        add_map_names (session, process);
    if (pv_simpleperf_is_used (session->simpleperf) && pv_simpleperf_is_jit_path (map->path)) {
        add_methods (session, process, map);
        return;
    }
    if (is_generated_code (map, process)) {
        add_generated_code (session, process, map);
        return;
    }
    g_autofree char *path = g_strndup (map->path, pv_path_get_plain_len (map->path));
    PvModule template_ = {
        .path = path, .kind = PV_MODULE_FILE, .address_kind = PV_ADDRESS_FILE_OFFSET};
    PerfMap adjusted = *map;
    if (g_str_has_prefix (path, "[vdso")) {
        template_.kind = PV_MODULE_VDSO;
        adjusted.file_offset = 0;
        adjusted.has_identity = false;
    } else if (path[0] == '[') {
        template_.kind = PV_MODULE_UNKNOWN; /* "[vsyscall]", "[uprobes]" */
        template_.address_kind = PV_ADDRESS_RUNTIME;
        adjusted.has_identity = false;
    }
    uint64_t module_addr =
        template_.address_kind == PV_ADDRESS_RUNTIME ? map->start : adjusted.file_offset;
    g_autofree char *name = pv_path_is_memfd (path) ? pv_path_name_memfd (path) : NULL;
    template_.name = name;
    if (template_.address_kind == PV_ADDRESS_FILE_OFFSET &&
        pv_simpleperf_get_link_offset (session->simpleperf, path, module_addr, &module_addr))
        template_.address_kind = PV_ADDRESS_LINK;
    PvModuleId module = find_or_make_module (session, &adjusted, &template_);
    bool is_program = template_.kind == PV_MODULE_FILE && (map->prot & PROT_EXECUTE) != 0;
    if (is_program && !process->has_main) {
        /* The kernel maps the program before its interpreter. */
        process->has_main = true;
        pv_profile_builder_module (session->builder, module)->is_main = true;
    }
    if (template_.kind == PV_MODULE_FILE)
        reclaim_replaced (session, process, &adjusted, module, module_addr);
    add_mapping (session, own_space (session, process), &adjusted, module, module_addr);
    pv_link_bases_take_code (&process->link_bases, session->builder, adjusted.start,
                             adjusted.file_offset, path, module);
}

void
perf_maps_add (PerfSession *session, const PerfMap *map, uint64_t time_ns)
{
    if (map->size_bytes == 0)
        return;
    if (map->mode == PERF_MODE_KERNEL || map->mode == PERF_MODE_GUEST_KERNEL || map->pid == -1) {
        add_kernel_map (session, map, map->mode == PERF_MODE_GUEST_KERNEL);
        return;
    }
    PerfProcess *process = get_process (session, map->pid, time_ns);
    int32_t container_pid;
    if (pv_jit_code_is_dump_path (map->path, &container_pid)) {
        open_jitdump (session, process, map->path, container_pid);
        return;
    }
    if ((map->prot & PROT_EXECUTE) == 0 &&
        !pv_simpleperf_has_methods (session->simpleperf, map->path)) {
        pv_link_bases_take_data (&process->link_bases, map->start, map->file_offset, map->path);
        return;
    }
    add_user_map (session, map, process);
}

/* Lookup */

PvLocationId
perf_maps_locate (PerfSession *session, const PerfProcess *process, PerfMode mode,
                  uint64_t runtime_addr, PvLocationKind kind)
{
    const PerfMaps *maps = session->maps;
    /* A call can be the last instruction of a mapping. */
    uint64_t inside =
        kind == PV_LOCATION_RETURN && runtime_addr > 0 ? runtime_addr - 1 : runtime_addr;
    const PvMapping *mapping = NULL;
    bool is_kernel =
        mode == PERF_MODE_KERNEL || mode == PERF_MODE_HYPERVISOR || mode == PERF_MODE_GUEST_KERNEL;
    if (mode == PERF_MODE_KERNEL)
        mapping = pv_address_space_find (maps->kernel, inside);
    else if (mode == PERF_MODE_GUEST_KERNEL)
        mapping = pv_address_space_find (maps->guest_kernel, inside);
    else if ((mode == PERF_MODE_USER || mode == PERF_MODE_UNKNOWN) && process->space != NULL)
        mapping = pv_address_space_find (process->space, inside);
    if (mapping == NULL && mode == PERF_MODE_UNKNOWN)
        mapping = pv_address_space_find (maps->kernel, inside);
    if (mapping == NULL)
        return pv_profile_builder_location (
            session->builder, pv_profile_builder_unknown_module (session->builder, is_kernel),
            runtime_addr, kind);
    return pv_profile_builder_location (session->builder, mapping->module,
                                        runtime_addr - mapping->start + mapping->file_offset, kind);
}

void
perf_maps_finish (PerfSession *session)
{
    PerfMaps *maps = session->maps;
    for (size_t i = 0; i < maps->jits.len; i++)
        pv_jit_code_publish (maps->jits.data[i]->code, session->builder);
    for (size_t i = 0; i < maps->methods.len; i++)
        pv_jit_code_publish (maps->methods.data[i], session->builder);
    if (maps->bpf_code != NULL)
        pv_jit_code_publish (maps->bpf_code, session->builder);
    if (maps->trampolines != NULL)
        pv_jit_code_publish (maps->trampolines, session->builder);
    for (size_t i = 0; i < maps->processes.len; i++) {
        const PerfProcess *process = maps->processes.data[i];
        if (process->row != 0)
            pv_profile_builder_set_unmapped (session->builder, process->row,
                                             !process->has_mappings);
    }
    for (uint32_t slot = 0; maps->module_of_key.slots != NULL && slot <= maps->module_of_key.mask;
         slot++) {
        PvModuleId id = maps->module_of_key.slots[slot].id;
        if (id == 0)
            continue;
        PvModule *module = pv_profile_builder_module (session->builder, id);
        apply_build_id (session, module, module->path);
        pv_simpleperf_name_module (session->simpleperf, session->builder, id);
    }
    for (size_t i = 0; i < maps->processes.len; i++)
        if (maps->processes.data[i]->jit_module != 0)
            pv_simpleperf_name_module (session->simpleperf, session->builder,
                                       maps->processes.data[i]->jit_module);
}

bool
perf_maps_have_grown (PerfSession *session)
{
    const PerfMaps *maps = session->maps;
    for (size_t i = 0; i < maps->jits.len; i++) {
        const PerfJit *read = maps->jits.data[i];
        g_autoptr (PvMappedFile) file =
            session->context->open_side_file (session->context->user, read->path);
        if (file != NULL && pv_mapped_file_get_size (file) != read->size_bytes)
            return true;
    }
    return false;
}
