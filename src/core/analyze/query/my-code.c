/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/query/my-code.h"

#include <string.h>

#include "core/analyze/query/allocators.h"
#include "core/model/profile/package.h"
#include "core/model/profile/system-modules.h"

static bool
is_one_of (const char *text, size_t len, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strncmp (text, list[i], len) == 0 && list[i][len] == '\0')
            return true;
    return false;
}

static bool
has_prefix_of (const char *text, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (g_str_has_prefix (text, list[i]))
            return true;
    return false;
}

/* The first part of the import path of a package in Go's standard library. */
static bool
is_go_standard (const char *path, size_t len)
{
    static const char *const names[] = {
        "archive", "bufio",    "builtin", "bytes",   "cmp",      "compress", "container", "context",
        "crypto",  "database", "debug",   "embed",   "encoding", "errors",   "expvar",    "flag",
        "fmt",     "go",       "hash",    "html",    "image",    "index",    "internal",  "io",
        "iter",    "log",      "maps",    "math",    "mime",     "net",      "os",        "path",
        "plugin",  "reflect",  "regexp",  "runtime", "slices",   "sort",     "strconv",   "strings",
        "structs", "sync",     "syscall", "testing", "text",     "time",     "unicode",   "unique",
        "unsafe",  "vendor",   "weak"};
    return is_one_of (path, len, names, G_N_ELEMENTS (names));
}

/* "/usr/local/go/src/runtime/proc.go", "/usr/lib/go-1.19/src/fmt/print.go"; with -trimpath
 * "runtime/proc.go". */
static bool
is_go_standard_file (const char *file)
{
    const char *root = strstr (file, "/go");
    const char *path = root != NULL ? strstr (root, "/src/") : NULL;
    if (path != NULL && memchr (root + 1, '/', (size_t)(path - root - 1)) == NULL)
        path += strlen ("/src/");
    else
        path = file;
    return g_str_has_suffix (file, ".go") && strchr (path, '/') != NULL &&
           is_go_standard (path, strcspn (path, "/"));
}

static bool
is_toolchain_file (const char *file)
{
    static const char *const prefixes[] = {"/usr/include/", "/usr/lib/",       "/rustc/",
                                           "/rust/deps/",   "/usr/src/rustc-", "library/std/",
                                           "library/core/", "library/alloc/"};
    return has_prefix_of (file, prefixes, G_N_ELEMENTS (prefixes)) ||
           strstr (file, "/include/c++/") != NULL ||
           strstr (file, "/rustlib/src/rust/library/") != NULL || is_go_standard_file (file);
}

/* By its symbol: "_R…", or "_ZN…17h0123456789abcdefE". */
static bool
is_rust (const char *symbol)
{
    size_t len = symbol != NULL ? strlen (symbol) : 0;
    return len > 2 && (g_str_has_prefix (symbol, "_R") ||
                       (g_str_has_prefix (symbol, "_ZN") && len > 20 && symbol[len - 1] == 'E' &&
                        strncmp (symbol + len - 20, "17h", 3) == 0));
}

/* Judges functions without a file by their package. */
static bool
is_toolchain_package (const PvFunction *function)
{
    static const char *const rust[] = {"std", "core", "alloc"};
    static const char *const cpp[] = {"std", "__gnu_cxx", "__cxxabiv1"};
    static const char *const java[] = {"java.", "javax.", "jdk.", "sun.", "com.sun."};
    size_t len;
    const char *package = pv_function_find_package (function, &len);
    if (len == 0)
        return false;
    if (is_rust (function->raw_name))
        return is_one_of (package, len, rust, G_N_ELEMENTS (rust));
    return is_one_of (package, len, cpp, G_N_ELEMENTS (cpp)) ||
           has_prefix_of (package, java, G_N_ELEMENTS (java)) ||
           (strstr (function->name, "::") == NULL && memchr (package, '.', len) == NULL &&
            is_go_standard (package, strcspn (package, "/.")));
}

/* True for functions that a linker puts into each program. */
static bool
is_start_code (const char *name)
{
    static const char *const names[] = {"_start",          "_init",
                                        "_fini",           "_dl_relocate_static_pie",
                                        "__libc_csu_init", "__do_global_dtors_aux"};
    return is_one_of (name, strlen (name), names, G_N_ELEMENTS (names));
}

bool
pv_is_kernel_code (const PvModule *module)
{
    return module != NULL && module->is_kernel;
}

/* Named functions of unknown modules count: some formats do not say where functions are. */
static bool
is_in_my_module (const PvFunction *function, const PvModule *module)
{
    if (module == NULL || module->kind == PV_MODULE_JIT)
        return true;
    if (module->kind == PV_MODULE_UNKNOWN)
        return !module->is_kernel && function->kind == PV_FUNCTION_NAMED;
    return module->kind == PV_MODULE_FILE && (module->is_main || !pv_module_is_system (module));
}

bool
pv_is_my_code (const PvFunction *function, const PvModule *module)
{
    g_assert (function != NULL);
    if (!is_in_my_module (function, module) || is_start_code (function->name))
        return false;
    if (function->file != NULL ? is_toolchain_file (function->file)
                               : is_toolchain_package (function))
        return false;
    return !pv_is_allocator (function, module != NULL ? module->name : "");
}

bool
pv_is_kernel_entry (const char *name)
{
    static const char *const prefixes[] = {"entry_SYSCALL",
                                           "do_syscall_",
                                           "x64_sys_call",
                                           "asm_",
                                           "el0",
                                           "el1",
                                           "do_el0_",
                                           "invoke_syscall",
                                           "entry_INT80",
                                           "syscall_enter_from_user_mode",
                                           "syscall_exit_to_user_mode",
                                           "ret_from_fork"};
    g_assert (name != NULL);
    return has_prefix_of (name, prefixes, G_N_ELEMENTS (prefixes));
}

bool
pv_is_kernel_interrupt (const char *name)
{
    static const char *const prefixes[] = {"asm_sysvec_",
                                           "sysvec_",
                                           "asm_common_interrupt",
                                           "common_interrupt",
                                           "hrtimer_interrupt",
                                           "apic_timer_interrupt",
                                           "smp_apic_timer_interrupt",
                                           "do_IRQ",
                                           "el0_interrupt",
                                           "el1_interrupt",
                                           "__el1_irq",
                                           "gic_handle_irq"};
    g_assert (name != NULL);
    return has_prefix_of (name, prefixes, G_N_ELEMENTS (prefixes));
}
