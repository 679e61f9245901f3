/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/sysprof/sysprof-places.h"

#include <string.h>

#include "core/base/path.h"

#define MAX_MAPPINGS  (UINT64_C (4) << 20)
#define MAPPING_BYTES 64u /* of an address space, approximately */

enum { MAX_PARENTS = 16, MIN_BUILD_ID_DIGITS = 16 };

/* Origin of the addresses that follow it in a stack: the kernel's PERF_CONTEXT_*. */
typedef enum {
    CONTEXT_USER,
    CONTEXT_KERNEL,
    CONTEXT_GUEST_USER,
    CONTEXT_GUEST_KERNEL,
} Context;

#define CONTEXT_LIMIT ((uint64_t)-4095) /* no address is above it */

void
sysprof_places_init (SysprofPlaces *places, PvProfileBuilder *builder, SysprofSymbols *symbols)
{
    g_assert (places != NULL && builder != NULL && symbols != NULL);
    *places = (SysprofPlaces){.builder = builder, .symbols = symbols};
}

void
sysprof_places_clear (SysprofPlaces *places)
{
    g_assert (places != NULL);
    for (size_t i = 0; i < places->processes.len; i++) {
        g_free (places->processes.data[i].name);
        if (places->processes.data[i].now != NULL)
            pv_address_space_free (places->processes.data[i].now);
    }
    for (size_t i = 0; i < places->spaces.len; i++)
        pv_address_space_free (places->spaces.data[i]);
    pv_array_clear (&places->processes);
    pv_array_clear (&places->spaces);
    pv_array_clear (&places->chain);
    pv_id_map_clear (&places->process_of_pid);
    pv_id_map_clear (&places->space_of_pid);
    pv_id_map_clear (&places->threads);
    pv_hash_map_clear (&places->modules);
    pv_hash_map_clear (&places->known);
    pv_hash_map_clear (&places->named);
}

uint64_t
sysprof_places_count_bytes (const SysprofPlaces *places)
{
    g_assert (places != NULL);
    uint64_t n_hashed =
        (uint64_t)places->modules.mask + places->known.mask + places->named.mask + 3;
    uint64_t n_slots = (uint64_t)places->process_of_pid.mask + places->space_of_pid.mask +
                       places->threads.mask + 3;
    return n_hashed * sizeof (PvHashSlot) + n_slots * sizeof (PvIdSlot) +
           places->processes.cap * sizeof (SysprofProcess) + places->n_mappings * MAPPING_BYTES;
}

/* --- processes --- */

static SysprofProcess *
add_process (SysprofPlaces *places, int32_t pid, uint64_t start_ns)
{
    SysprofProcess process = {.pid = pid, .parent = -1, .start_ns = start_ns, .end_ns = UINT64_MAX};
    pv_array_push (&places->processes, process);
    *pv_id_map_slot (&places->process_of_pid, (uint32_t)pid) = (uint32_t)places->processes.len;
    return &places->processes.data[places->processes.len - 1];
}

static SysprofProcess *
find_process (SysprofPlaces *places, int32_t pid)
{
    uint32_t row = pv_id_map_find (&places->process_of_pid, (uint32_t)pid);
    return row != 0 ? &places->processes.data[row - 1] : NULL;
}

static SysprofProcess *
get_process (SysprofPlaces *places, int32_t pid)
{
    SysprofProcess *process = find_process (places, pid);
    return process != NULL ? process : add_process (places, pid, 0);
}

/* The program's name of a command line, without where it is and its arguments; kernel threads have
 * names like "kworker/2:1". NULL: none. */
static char *
find_program_name (PvText command)
{
    PvText name = pv_text_take_word (&command);
    if (name.at == name.end)
        return NULL;
    if (*name.at == '/' || *name.at == '.' || name.end < command.end)
        for (const char *at = name.at; at < name.end; at++)
            if (*at == '/' && at + 1 < name.end)
                name.at = at + 1;
    /* "sshd: somebody" */
    if (pv_text_len (name) > 1 && name.end[-1] == ':')
        name.end--;
    return pv_text_copy (name);
}

/* Later names are those of threads, and shorter. */
void
sysprof_places_name_process (SysprofPlaces *places, int32_t pid, PvText command)
{
    g_assert (places != NULL);
    SysprofProcess *process = get_process (places, pid);
    if (process->name == NULL)
        process->name = find_program_name (command);
}

void
sysprof_places_fork (SysprofPlaces *places, int32_t parent, int32_t child, uint64_t time_ns)
{
    g_assert (places != NULL);
    SysprofProcess *process = find_process (places, child);
    if (process == NULL || process->end_ns != UINT64_MAX)
        process = add_process (places, child, time_ns);
    if (parent != child)
        process->parent = parent;
}

void
sysprof_places_exit (SysprofPlaces *places, int32_t pid, uint64_t time_ns)
{
    g_assert (places != NULL);
    SysprofProcess *process = find_process (places, pid);
    if (process != NULL && process->end_ns == UINT64_MAX)
        process->end_ns = time_ns;
}

static const SysprofProcess *
get_shown_process (SysprofPlaces *places, int32_t pid)
{
    SysprofProcess *process = get_process (places, pid);
    if (process->row == 0)
        process->row =
            pv_profile_builder_add_process (places->builder, pid, NULL, process->start_ns);
    return process;
}

PvProcessId
sysprof_places_get_process (SysprofPlaces *places, int32_t pid)
{
    g_assert (places != NULL);
    return pid < 0 ? 0 : get_shown_process (places, pid)->row;
}

PvThreadId
sysprof_places_get_thread (SysprofPlaces *places, int32_t pid, int32_t tid)
{
    g_assert (places != NULL);
    if (pid < 0)
        return 0;
    if (tid <= 0)
        tid = pid;
    const SysprofProcess *process = get_shown_process (places, pid);
    uint64_t key = (uint64_t)process->row << 32 | (uint32_t)tid;
    uint32_t *slot = pv_id_map_slot (&places->threads, key);
    if (*slot == 0)
        *slot = pv_profile_builder_add_thread (places->builder, process->row, tid, NULL,
                                               process->start_ns);
    return *slot;
}

static const char *
find_name (SysprofPlaces *places, const SysprofProcess *process)
{
    if (process->name != NULL)
        return process->name;
    if (process->pid == 0)
        return "swapper"; /* the idle task, which is never announced */
    if (process->main_module != 0)
        return pv_profile_builder_module (places->builder, process->main_module)->name;
    return NULL;
}

void
sysprof_places_finish (SysprofPlaces *places)
{
    g_assert (places != NULL);
    PvProfileBuilder *builder = places->builder;
    PvIdMap names = {0}; /* by row of the profile: process + 1 */
    for (size_t i = 0; i < places->processes.len; i++) {
        SysprofProcess *process = &places->processes.data[i];
        if (process->row == 0)
            continue;
        const char *name = find_name (places, process);
        if (name != NULL)
            pv_profile_builder_name_process (builder, process->row, name);
        if (process->end_ns != UINT64_MAX)
            pv_profile_builder_end_process (builder, process->row, process->end_ns);
        *pv_id_map_slot (&names, process->row) = (uint32_t)i + 1;
    }
    for (size_t i = 0; places->threads.slots != NULL && i <= places->threads.mask; i++) {
        const PvIdSlot *slot = &places->threads.slots[i];
        if (slot->id == 0)
            continue;
        uint32_t row = pv_id_map_find (&names, slot->key >> 32);
        const SysprofProcess *process = &places->processes.data[row - 1];
        const char *name = find_name (places, process);
        if (name != NULL)
            pv_profile_builder_name_thread (builder, slot->id, name);
        if (process->end_ns != UINT64_MAX)
            pv_profile_builder_end_thread (builder, slot->id, process->end_ns);
    }
    pv_id_map_clear (&names);
}

/* --- modules --- */

static char *
copy_path (PvText path)
{
    char *copy = pv_text_copy (path);
    copy[pv_path_get_plain_len (copy)] = '\0';
    return copy;
}

/* 0: no file, such as a stack. */
static PvModuleId
get_file_module (SysprofPlaces *places, const SysprofMap *map)
{
    g_autofree char *path = copy_path (map->path);
    bool is_vdso = g_str_has_prefix (path, "[vdso");
    bool is_file = path[0] == '/' && path[1] != '/' && !g_str_has_prefix (path, "/memfd:") &&
                   !g_str_has_prefix (path, "/dev/") && !g_str_has_prefix (path, "/SYSV");
    if (!is_vdso && !is_file)
        return 0;
    PvHash identity = pv_text_hash (map->build_id, is_vdso ? 0 : map->inode);
    PvHash key = pv_hash_bytes (path, strlen (path), identity.a);
    uint32_t *slot = pv_hash_map_slot (&places->modules, key);
    if (*slot == 0) {
        PvModule module = {
            .path = path,
            .kind = is_vdso ? PV_MODULE_VDSO : PV_MODULE_FILE,
            .address_kind = PV_ADDRESS_FILE_OFFSET,
            .identity.inode = is_vdso ? 0 : map->inode,
        };
        if (pv_text_len (map->build_id) >= MIN_BUILD_ID_DIGITS)
            pv_text_set_build_id (map->build_id, &module);
        *slot = pv_profile_builder_add_module (places->builder, &module);
    }
    return *slot;
}

/* A module of which only the name is known, for addresses in memory. */
static PvModuleId
get_named_module (SysprofPlaces *places, PvText name, PvModuleKind kind)
{
    PvHash key = pv_text_hash (name, (uint64_t)1 << 32 | kind);
    uint32_t *slot = pv_hash_map_slot (&places->modules, key);
    if (*slot == 0) {
        g_autofree char *text = pv_text_copy (name);
        PvModule module = {
            .path = kind == PV_MODULE_UNKNOWN ? "" : text,
            .name = text,
            .kind = kind,
            .address_kind = PV_ADDRESS_RUNTIME,
            .is_kernel = kind == PV_MODULE_KERNEL || kind == PV_MODULE_KERNEL_MODULE,
        };
        *slot = pv_profile_builder_add_module (places->builder, &module);
    }
    return *slot;
}

static PvModuleId
get_jit_module (SysprofPlaces *places)
{
    if (places->jit_module == 0) {
        PvModule module = {
            .path = "", .name = "[JIT]", .kind = PV_MODULE_JIT, .address_kind = PV_ADDRESS_ORDINAL};
        places->jit_module = pv_profile_builder_add_module (places->builder, &module);
    }
    return places->jit_module;
}

/* --- mappings --- */

static PvModuleId
map_into (SysprofPlaces *places, PvAddressSpace *space, const SysprofMap *map)
{
    PvModuleId id = get_file_module (places, map);
    PvMapping mapping = {map->start, map->end, map->offset, id};
    if (places->n_mappings >= MAX_MAPPINGS)
        return id;
    places->n_mappings++;
    if (id == 0) {
        /* Memory without a file: it may be in the place of one. */
        mapping.module = pv_profile_builder_unknown_module (places->builder, false);
        mapping.file_offset = map->start;
    } else {
        PvModule *module = pv_profile_builder_module (places->builder, id);
        if (module->kind == PV_MODULE_VDSO)
            mapping.file_offset = 0;
        if (module->end_addr == 0 || map->start < module->load_addr)
            module->load_addr = map->start;
        module->end_addr = MAX (module->end_addr, map->end);
    }
    pv_address_space_add (space, &mapping);
    return id;
}

void
sysprof_places_expect_map (SysprofPlaces *places, int32_t pid, const SysprofMap *map)
{
    g_assert (places != NULL && map != NULL);
    uint32_t *slot = pv_id_map_slot (&places->space_of_pid, (uint32_t)pid);
    if (*slot == 0) {
        pv_array_push (&places->spaces, pv_address_space_new ());
        *slot = (uint32_t)places->spaces.len;
    }
    map_into (places, places->spaces.data[*slot - 1], map);
}

void
sysprof_places_add_map (SysprofPlaces *places, int32_t pid, const SysprofMap *map)
{
    g_assert (places != NULL && map != NULL);
    SysprofProcess *process = get_process (places, pid);
    if (process->now == NULL)
        process->now = pv_address_space_new ();
    PvModuleId id = map_into (places, process->now, map);
    /* The program comes before the libraries. */
    if (id != 0 && process->main_module == 0 &&
        pv_profile_builder_module (places->builder, id)->kind == PV_MODULE_FILE) {
        const char *path = pv_profile_builder_module (places->builder, id)->path;
        if (strstr (pv_path_get_base (path), ".so") != NULL)
            return;
        process->main_module = id;
        pv_profile_builder_module (places->builder, id)->is_main = true;
    }
}

static const PvAddressSpace *
get_space (const SysprofPlaces *places, int32_t pid)
{
    uint32_t row = pv_id_map_find (&places->space_of_pid, (uint32_t)pid);
    return row != 0 ? places->spaces.data[row - 1] : NULL;
}

/* In the process, or what it has from the one that it was forked from. */
static const PvMapping *
find_mapping (SysprofPlaces *places, int32_t pid, uint64_t address)
{
    for (unsigned i = 0; i < MAX_PARENTS && pid >= 0; i++) {
        const SysprofProcess *process = find_process (places, pid);
        const PvAddressSpace *all = get_space (places, pid);
        const PvMapping *mapping = NULL;
        if (process != NULL && process->now != NULL)
            mapping = pv_address_space_find (process->now, address);
        if (mapping == NULL && all != NULL)
            mapping = pv_address_space_find (all, address);
        if (mapping != NULL || process == NULL)
            return mapping;
        pid = process->parent;
    }
    return NULL;
}

/* --- locations --- */

/* A location that the capture names. */
static PvLocationId
get_named_location (SysprofPlaces *places, PvModuleId module, uint64_t address, PvLocationKind kind,
                    PvText name)
{
    PvHash hash = pv_text_hash (name, 0);
    const uint64_t key[] = {hash.a, hash.b, module, address, kind};
    uint32_t *slot = pv_hash_map_slot (&places->named, pv_hash_bytes (key, sizeof key, 0));
    if (*slot == 0) {
        PvGivenFrame given = {.name = pv_text_keep (name, places->builder)};
        *slot = pv_profile_builder_add_location (places->builder, module, address, kind);
        pv_profile_builder_give_frames (places->builder, *slot, &given, 1);
    }
    return *slot;
}

static PvLocationId
locate_jit (SysprofPlaces *places, int32_t pid, uint64_t address)
{
    const SysprofJitCode *code = sysprof_symbols_find_jit (places->symbols, pid, address);
    if (code == NULL)
        return 0;
    PvHash hash = pv_text_hash (code->name, 1);
    uint32_t *slot = pv_hash_map_slot (&places->named, hash);
    if (*slot == 0) {
        PvGivenFrame given = {.name = pv_text_keep (code->name, places->builder)};
        *slot = pv_profile_builder_add_location (places->builder, get_jit_module (places),
                                                 places->n_jit++, PV_LOCATION_NAMED);
        pv_profile_builder_give_frames (places->builder, *slot, &given, 1);
    }
    return *slot;
}

static PvLocationId
locate_kernel (SysprofPlaces *places, int32_t pid, uint64_t address, PvLocationKind kind)
{
    const PvText kernel = pv_text_of ("[kernel.kallsyms]");
    uint64_t inside = kind == PV_LOCATION_RETURN && address > 0 ? address - 1 : address;
    const SysprofSymbol *symbol = sysprof_symbols_find (places->symbols, pid, address);
    if (symbol != NULL)
        return get_named_location (places, get_named_module (places, kernel, PV_MODULE_KERNEL),
                                   address, kind, symbol->name);
    const SysprofKernelSymbol *own = sysprof_symbols_find_kernel (places->symbols, inside);
    if (own == NULL)
        return pv_profile_builder_location (
            places->builder, pv_profile_builder_unknown_module (places->builder, true), address,
            kind);
    PvModuleId module = pv_text_len (own->module) > 0
                            ? get_named_module (places, own->module, PV_MODULE_KERNEL_MODULE)
                            : get_named_module (places, kernel, PV_MODULE_KERNEL);
    return get_named_location (places, module, address, kind, own->name);
}

static PvLocationId
locate_user (SysprofPlaces *places, int32_t pid, uint64_t address, PvLocationKind kind)
{
    uint64_t inside = kind == PV_LOCATION_RETURN && address > 0 ? address - 1 : address;
    PvLocationId jit = sysprof_is_jit_address (address) ? locate_jit (places, pid, address) : 0;
    if (jit != 0)
        return jit;
    const PvMapping *mapping = find_mapping (places, pid, inside);
    const SysprofSymbol *symbol = sysprof_symbols_find (places->symbols, pid, address);
    PvModuleId module = 0;
    if (mapping != NULL)
        module = mapping->module;
    else if (symbol != NULL && pv_text_len (symbol->tag) > 0)
        module = get_named_module (places, symbol->tag, PV_MODULE_UNKNOWN);
    else
        module = pv_profile_builder_unknown_module (places->builder, false);
    if (mapping != NULL)
        address = address - mapping->start + mapping->file_offset;
    if (symbol != NULL)
        return get_named_location (places, module, address, kind, symbol->name);
    return pv_profile_builder_location (places->builder, module, address, kind);
}

static PvLocationId
locate (SysprofPlaces *places, int32_t pid, Context context, uint64_t address, PvLocationKind kind)
{
    if (context == CONTEXT_USER)
        return locate_user (places, pid, address, kind);
    if (context == CONTEXT_KERNEL)
        return locate_kernel (places, pid, address, kind);
    PvModuleId module =
        pv_profile_builder_unknown_module (places->builder, context == CONTEXT_GUEST_KERNEL);
    return pv_profile_builder_location (places->builder, module, address, kind);
}

/* --- stacks --- */

static bool
find_context (uint64_t address, Context *ret_context)
{
    switch ((int64_t)address) {
    case -32: /* hypervisor */
    case -128:
        *ret_context = CONTEXT_KERNEL;
        return true;
    case -512:
        *ret_context = CONTEXT_USER;
        return true;
    case -2048:
    case -2176:
        *ret_context = CONTEXT_GUEST_KERNEL;
        return true;
    case -2560:
        *ret_context = CONTEXT_GUEST_USER;
        return true;
    default:
        return false;
    }
}

/* Changes whenever an address may mean another place. */
static uint64_t
get_generation (SysprofPlaces *places, int32_t pid)
{
    const SysprofProcess *process = find_process (places, pid);
    return process != NULL && process->now != NULL ? pv_address_space_get_generation (process->now)
                                                   : 0;
}

PvStackId
sysprof_places_get_stack (SysprofPlaces *places, int32_t pid, const SysprofStack *stack,
                          bool is_return)
{
    g_assert (places != NULL && stack != NULL);
    Context context = CONTEXT_USER;
    PvLocationKind kind = is_return ? PV_LOCATION_RETURN : PV_LOCATION_EXACT;
    uint64_t generation = get_generation (places, pid);
    places->chain.len = 0;
    for (uint32_t i = 0; i < stack->n_addresses; i++) {
        uint64_t address = sysprof_stack_get (stack, i);
        if (find_context (address, &context)) {
            kind = PV_LOCATION_EXACT;
            continue;
        }
        if (address == 0 || address >= CONTEXT_LIMIT)
            continue; /* garbage from the end of a chain of frame pointers */
        const uint64_t key[] = {address, generation, (uint32_t)pid, (uint64_t)context << 8 | kind};
        uint32_t *slot = pv_hash_map_slot (&places->known, pv_hash_bytes (key, sizeof key, 0));
        if (*slot == 0)
            *slot = locate (places, pid, context, address, kind);
        pv_array_push (&places->chain, *slot);
        kind = PV_LOCATION_RETURN;
    }
    return pv_profile_builder_chain (places->builder, places->chain.data, places->chain.len);
}
