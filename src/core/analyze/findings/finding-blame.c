/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/finding-rule.h"

#include <string.h>

#include "core/analyze/query/allocators.h"
#include "core/analyze/query/my-code.h"

static bool
has_name_of (const char *name, const char *const *starts)
{
    for (size_t i = 0; starts[i] != NULL; i++)
        if (g_str_has_prefix (name, starts[i]))
            return true;
    return false;
}

/* Functions of the C library that do what they are asked for, where nothing else tells whose they
 * are. */
static bool
is_wrapper (const char *name)
{
    static const char *const names[] = {
        "write",     "read",      "writev", "readv",      "pread64",     "pwrite64",    "open",
        "openat",    "open64",    "close",  "poll",       "select",      "sendto",      "send",
        "sendmsg",   "recvfrom",  "recv",   "recvmsg",    "ioctl",       "mmap",        "munmap",
        "mprotect",  "brk",       "sbrk",   "fwrite",     "fread",       "fflush",      "fclose",
        "fopen",     "syscall",   "futex",  "connect",    "accept",      "accept4",     "fork",
        "execve",    "waitpid",   "clone",  "lseek",      "lseek64",     "getdents",    "fsync",
        "fdatasync", "nanosleep", "usleep", "epoll_wait", "epoll_pwait", "sched_yield", "swapper",
        NULL};
    static const char *const starts[] = {
        "_IO_",        "__GI_",        "__libc_",    "__write", "__read", "__open",
        "__poll",      "new_do_write", "__send",     "__recv",  "__lll_", "entry_SYSCALL",
        "system_call", "sys_",         "do_syscall", "[",       NULL};
    return g_strv_contains (names, name) || has_name_of (name, starts);
}

/* Packages of Go that lead to the kernel, wherever Go is installed. */
static const char *const go_starts[] = {"runtime.", "runtime/", "internal/", "syscall.", NULL};

/* "(root)", "(program)", "(idle)": no functions, but what recorders of scripts have in their place.
 */
static bool
is_made_up (const char *name)
{
    return name[0] == '(' && !g_str_has_prefix (name, "(anonymous");
}

static bool
is_own (const PvFunction *function, const PvModule *module)
{
    return function->kind == PV_FUNCTION_NAMED && !module->is_kernel &&
           !is_made_up (function->name) && pv_is_my_code (function, module) &&
           !has_name_of (function->name, go_starts) &&
           (module->kind != PV_MODULE_UNKNOWN || !is_wrapper (function->name));
}

/* "<T as core::clone::Clone>::clone" */
static bool
is_of_rust_library (const char *name)
{
    return name[0] == '<' &&
           (strstr (name, " as core::") != NULL || strstr (name, " as alloc::") != NULL ||
            strstr (name, " as std::") != NULL);
}

static bool
is_blamable (const PvFunction *function, const PvModule *module)
{
    static const char *const basic_modules[] = {"libc.so",   "libc-",      "ld-linux", "ld-2",
                                                "ld-musl",   "libpthread", "libm.so",  "libm-",
                                                "libstdc++", "libgcc_s",   "libc++",   NULL};
    static const char *const starts[] = {
        "_start",  "__libc_start", "start_thread", "clone",   "__clone",
        "_dl_",    "std::",        "core::",       "alloc::", "<alloc::",
        "<core::", "<std::",       "__gnu_cxx::",  "__rust_", "execute_native_thread_routine",
        NULL};
    return function->kind == PV_FUNCTION_NAMED && !module->is_kernel &&
           (module->name == NULL || !has_name_of (module->name, basic_modules)) &&
           !has_name_of (function->short_name, starts) &&
           !has_name_of (function->short_name, go_starts) && !is_wrapper (function->name) &&
           !is_of_rust_library (function->short_name) &&
           !pv_is_allocator (function, module->name != NULL ? module->name : "");
}

unsigned
pv_finding_get_traits (const PvFindingContext *context, PvFunctionId function)
{
    g_assert (context != NULL && function < context->symbols->n_functions);
    uint8_t *traits = &context->traits[function];
    if ((*traits & PV_TRAIT_IS_KNOWN) != 0)
        return *traits;
    const PvFunction *row = &context->symbols->functions[function];
    const PvModule *module = &pv_profile_get_named (context->profile)->modules[row->module];
    *traits |= PV_TRAIT_IS_KNOWN;
    if (function == 0)
        return *traits;
    if (is_own (row, module))
        *traits |= PV_TRAIT_IS_OWN;
    if (strcmp (row->name, "main") == 0)
        *traits |= PV_TRAIT_IS_MAIN;
    if (is_blamable (row, module))
        *traits |= PV_TRAIT_IS_BLAMABLE;
    if (module->is_kernel && pv_is_kernel_entry (row->name))
        *traits |= PV_TRAIT_IS_ENTRY;
    return *traits;
}

PvFunctionId
pv_finding_blame_stack (const PvFindingContext *context, PvStackId stack)
{
    g_assert (context != NULL && stack < context->profile->n_stacks);
    PvFunctionId fallback = 0;
    unsigned n_left = PV_BLAME_DEPTH;
    for (PvStackId s = stack; s != 0 && n_left > 0;
         s = context->profile->parent_of_stack[s], n_left--) {
        uint32_t n_frames;
        const PvFrame *chain = pv_symbol_table_frames (
            context->symbols, context->profile->location_of_stack[s], &n_frames);
        for (uint32_t i = 0; i < n_frames; i++) {
            const unsigned traits = pv_finding_get_traits (context, chain[i].function);
            if ((traits & PV_TRAIT_IS_OWN) != 0)
                return (traits & PV_TRAIT_IS_MAIN) == 0 || fallback == 0 ? chain[i].function
                                                                         : fallback;
            if (fallback == 0 && (traits & PV_TRAIT_IS_BLAMABLE) != 0)
                fallback = chain[i].function;
        }
    }
    return fallback;
}
