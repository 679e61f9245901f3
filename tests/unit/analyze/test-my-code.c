/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../cases.h"
#include "core/analyze/query/my-code.h"
#include "core/symbolize/names/demangle.h"
#include "folded-profile.h"

TEST (functions)
{
    static const PvModule program = {
        .path = "/home/me/engine", .name = "engine", .kind = PV_MODULE_FILE, .is_main = true};
    static const PvModule in_usr = {
        .path = "/usr/bin/engine", .name = "engine", .kind = PV_MODULE_FILE, .is_main = true};
    static const PvModule plugin = {
        .path = "/opt/engine/plugin.so", .name = "plugin.so", .kind = PV_MODULE_FILE};
    static const PvModule libc = {
        .path = "/usr/lib/libc.so.6", .name = "libc.so.6", .kind = PV_MODULE_FILE};
    static const PvModule jit = {.path = "", .name = "[jit]", .kind = PV_MODULE_JIT};
    static const PvModule vdso = {.path = "[vdso]", .name = "[vdso]", .kind = PV_MODULE_VDSO};
    static const PvModule unknown = {.path = "", .name = "", .kind = PV_MODULE_UNKNOWN};
    static const struct {
        const PvModule *module;
        const char *name;
        const char *raw_name; /* NULL: the same */
        const char *file;
        bool is_mine;
    } cases[] = {
        {&program, "Query::run()", "_ZN5Query3runEv", "/home/me/query.cc", true},
        {&program, "Query::run()", "_ZN5Query3runEv", NULL, true},
        {&in_usr, "main", NULL, NULL, true},
        {&plugin, "plugin_init", NULL, NULL, true},
        {&jit, "LazyCompile:*render app.js:3", NULL, NULL, true},
        {NULL, "main.main", NULL, NULL, true},
        {&libc, "read", NULL, NULL, false},
        {&vdso, "clock_gettime", NULL, NULL, false},
        {&unknown, "??", NULL, NULL, false},
        {&unknown, "main.main", NULL, NULL, true},
        /* Functions that the linker and the compiler put into the program. */
        {&program, "_start", NULL, NULL, false},
        {&program, "start_things", NULL, NULL, true},
        {&program, "std::vector<int>::push_back(int const&)", NULL,
         "/usr/include/c++/12/bits/stl_vector.h", false},
        {&program, "std::vector<int>::push_back(int const&)", NULL, NULL, false},
        {&program, "void std::sort<int*>(int*, int*)", NULL, NULL, false},
        {&program, "core::Engine::run()", "_ZN4core6Engine3runEv", NULL, true},
        {&program, "log::write(char const*)", NULL, NULL, true},
        /* Rust */
        {&program, "core::ops::function::FnOnce::call_once",
         "_ZN4core3ops8function6FnOnce9call_once17h0123456789abcdefE", NULL, false},
        {&program, "<alloc::vec::Vec<T> as core::ops::Drop>::drop", "_RNvXs_5alloc4drop", NULL,
         false},
        {&program, "core::fmt::write", "_RNvNtCs_4core3fmt5write",
         "/rustc/90b35a623/library/core/src/fmt/mod.rs", false},
        {&program, "timely::worker::step", "_RNvNtCs_6timely6worker4step",
         "/home/me/.cargo/registry/src/index/timely-0.12/src/worker.rs", true},
        /* Go */
        {&program, "runtime.mallocgc", NULL, "/usr/local/go/src/runtime/malloc.go", false},
        {&program, "net/http.(*conn).serve", NULL, "/usr/lib/go-1.19/src/net/http/server.go",
         false},
        {&program, "encoding/json.Marshal", NULL, "encoding/json/encode.go", false},
        {&program, "github.com/me/db.Open", NULL, "/home/me/go/src/github.com/me/db/open.go", true},
        {&program, "example.org/db.Open", NULL, "example.org/db/open.go", true},
        {&program, "main.main", NULL, "/home/me/main.go", true},
        {NULL, "runtime.gcBgMarkWorker", NULL, NULL, false},
        {NULL, "net/http.Get", NULL, NULL, false},
        {NULL, "example.org/net/http.Get", NULL, NULL, true},
        /* Java */
        {NULL, "java.util.HashMap.put", NULL, NULL, false},
        {NULL, "io.netty.channel.Channel.read", NULL, NULL, true},
        /* Allocators */
        {&program, "_rjem_malloc", NULL, NULL, false},
    };
    for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autofree char *short_name = pv_shorten_name (cases[i].name);
        PvFunction function = {
            .name = cases[i].name,
            .short_name = short_name,
            .raw_name = cases[i].raw_name != NULL ? cases[i].raw_name : cases[i].name,
            .file = cases[i].file,
            .kind = strcmp (cases[i].name, "??") == 0 ? PV_FUNCTION_UNKNOWN : PV_FUNCTION_NAMED,
        };
        bool is_mine = pv_is_my_code (&function, cases[i].module);
        if (is_mine != cases[i].is_mine)
            g_error ("%s, %s: %d", cases[i].name, cases[i].file, is_mine);
    }
}

static void
assert_tree (const char *expression, const char *expected)
{
    g_auto (FoldedProfile) folded = folded_profile_new (
        "prog!main;libc.so.6!read;kernel!entry_SYSCALL_64_after_hwframe;kernel!do_syscall_64;"
        "kernel!__x64_sys_read;kernel!vfs_read 5\n"
        "prog!main;prog!work;libc.so.6!qsort;prog!compare 2\n"
        "prog!main;kernel!asm_exc_page_fault;kernel!exc_page_fault;kernel!handle_mm_fault 3\n"
        "libc.so.6!clone;libc.so.6!poll 4\n"
        "prog!main;kernel!do_syscall_64 1\n"
        "prog!main;prog!work;kernel!asm_sysvec_apic_timer_interrupt;"
        "kernel!sysvec_apic_timer_interrupt;kernel!irq_exit_rcu 7\n");
    for (PvModuleId m = 1; m < folded.profile->n_modules; m++) {
        PvModule *module = (PvModule *)&folded.profile->modules[m];
        module->is_kernel = strcmp (module->name, "kernel") == 0;
        module->kind = module->is_kernel ? PV_MODULE_KERNEL : PV_MODULE_FILE;
    }
    g_auto (PvQuery) query = new_query ();
    pv_query_add_transform (&query, PV_TRANSFORM_MY_CODE, expression);
    g_autoptr (PvCallTree) tree = query_tree (folded.profile, folded.symbols, &query);
    assert_string (folded_dump_tree (tree), expected);
}

/* One function of the kernel stays; interrupts are time of whoever they interrupt. A stack of the
 * system alone is dropped. */
TEST (stacks)
{
    assert_tree (NULL, "0 all 0 18\n1 main 1 18\n2 work 7 9\n3 compare 2 2\n"
                       "2 __x64_sys_read 5 5\n2 exc_page_fault 3 3\n");
    assert_tree ("module:^libc", "0 all 0 11\n1 read 0 5\n2 __x64_sys_read 5 5\n"
                                 "1 clone 0 4\n2 poll 4 4\n1 qsort 2 2\n");
}
