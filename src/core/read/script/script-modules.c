/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/script/script-modules.h"

#include <string.h>

#define LARGEST_OFFSET (UINT64_C (1) << 30)
#define COMM_BYTES     15 /* the kernel keeps so much of a program's name */

void
script_modules_clear (ScriptModules *modules)
{
    pv_hash_map_clear (&modules->module_of_text);
    pv_array_clear (&modules->files);
}

static PvText
base_name (PvText path)
{
    const char *slash = pv_text_find_last (path, '/');
    return (PvText){slash != NULL ? slash + 1 : path.at, path.end};
}

/* "nf_tables.ko", "nf_tables.ko.xz" */
static bool
is_kernel_object (PvText base)
{
    const char *suffix = pv_text_find (base, ".ko");
    return suffix != NULL && (suffix + strlen (".ko") == base.end || suffix[strlen (".ko")] == '.');
}

static bool
is_in_brackets (PvText text)
{
    return pv_text_len (text) > 2 && text.at[0] == '[' && text.end[-1] == ']';
}

/* "/tmp/perf-4711.map": perf's name for code that a process generated at run time. 0: not that. */
static int32_t
get_jit_pid (PvText base)
{
    static const char prefix[] = "perf-", suffix[] = ".map";
    if (!pv_text_begins (base, prefix) || !pv_text_ends (base, suffix))
        return 0;
    uint64_t pid;
    PvText digits = {base.at + strlen (prefix), base.end - strlen (suffix)};
    return pv_text_parse_number (digits, &pid) && pid <= INT32_MAX ? (int32_t)pid : 0;
}

/* Memory without a file. */
static bool
is_generated_code (PvText path)
{
    static const char *const prefixes[] = {"//anon",      "/anon_hugepage", "/dev/zero", "/SYSV",
                                           "anon_inode:", "[heap]",         "[stack",    "[anon"};
    for (size_t i = 0; i < G_N_ELEMENTS (prefixes); i++)
        if (pv_text_begins (path, prefixes[i]))
            return true;
    return false;
}

static PvModule
describe (PvText path, const char *path_string)
{
    PvText base = base_name (path);
    PvModule module = {.path = path_string, .address_kind = PV_ADDRESS_RUNTIME};
    int32_t pid = get_jit_pid (base);
    if (pv_text_begins (path, "[kernel") || pv_text_begins (path, "[guest.kernel") ||
        pv_text_begins (base, "vmlinux") || pv_text_begins (base, "[vmlinux")) {
        module.kind = PV_MODULE_KERNEL;
        module.is_kernel = true;
    } else if (pv_text_begins (base, "[vdso")) {
        module.kind = PV_MODULE_VDSO;
        module.address_kind = PV_ADDRESS_FILE_OFFSET;
    } else if (pid > 0 || is_generated_code (path)) {
        module.kind = PV_MODULE_JIT;
        module.name = "[JIT]";
        module.pid = module.container_pid = pid;
    } else if (pv_text_equals (path, "[vsyscall]") || pv_text_equals (path, "[uprobes]")) {
        module.kind = PV_MODULE_UNKNOWN;
    } else if (is_in_brackets (path) || is_kernel_object (base) ||
               pv_text_begins (base, "bpf_prog_")) {
        module.kind = PV_MODULE_KERNEL_MODULE;
        module.is_kernel = true;
    } else {
        module.kind = PV_MODULE_FILE;
        module.address_kind = PV_ADDRESS_FILE_OFFSET;
    }
    return module;
}

static PvModuleId
add_module (ScriptModules *modules, PvText path)
{
    PvModule module = describe (path, pv_text_keep (path, modules->builder));
    PvModuleId id = pv_profile_builder_add_module (modules->builder, &module);
    if (module.kind == PV_MODULE_FILE)
        pv_array_push (&modules->files, id);
    return id;
}

PvModuleId
script_modules_get (ScriptModules *modules, const ScriptFrame *frame)
{
    PvText path = frame->module;
    if (pv_text_len (path) == 0 || pv_text_equals (path, "[unknown]"))
        return pv_profile_builder_unknown_module (modules->builder,
                                                  pv_is_kernel_address (frame->address));
    uint32_t *slot = pv_hash_map_slot (&modules->module_of_text, pv_text_hash (path, 0));
    if (*slot == 0)
        *slot = add_module (modules, path);
    PvModuleKind kind = pv_profile_builder_module (modules->builder, *slot)->kind;
    modules->has_runtime_addresses |=
        kind == PV_MODULE_FILE && !frame->has_offset && frame->address > LARGEST_OFFSET;
    return *slot;
}

void
script_modules_finish (ScriptModules *modules, GHashTable *comms)
{
    for (size_t i = 0; i < modules->files.len; i++) {
        PvModule *module = pv_profile_builder_module (modules->builder, modules->files.data[i]);
        g_autofree char *comm = g_strndup (module->name, COMM_BYTES);
        module->is_main = g_hash_table_contains (comms, comm);
        if (modules->has_runtime_addresses)
            module->address_kind = PV_ADDRESS_RUNTIME;
    }
}
