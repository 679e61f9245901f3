/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../cases.h"
#include "core/model/profile/package.h"

static void
check (const char *name, const char *wanted)
{
    size_t len;
    const char *start = pv_package_find (name, &len);
    g_assert_true (start >= name && start + len <= name + strlen (name));
    assert_string (g_strndup (start, len), wanted);
}

TEST (names)
{
    check ("std::vector<int, std::allocator<int> >::push_back(int const&)", "std");
    check ("void std::sort<int*>(int*, int*)", "std");
    check ("core::fmt::Formatter::pad", "core");
    check ("<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop", "alloc");
    check ("<&mut serde::de::Reader as core::fmt::Debug>::fmt", "serde");
    check ("(anonymous namespace)::run()", "");
    check ("std::vector<int> ns::make<int>(int)", "ns");
    check ("run(std::string const&)", "");
    check ("run<std::string>(int)", "");
    check ("ns::run()::{lambda(int)#1}::operator()(int) const", "ns");
    check ("malloc", "");
    check ("main", "");
    check ("operator new(unsigned long)", "");
    check ("runtime.mallocgc", "runtime");
    check ("main.(*T).Run", "main");
    check ("net/http.(*conn).serve", "net/http");
    check ("example.org/worker/internal/table.Add[...].func1", "example.org/worker/internal/table");
    check ("java.util.HashMap.get", "java.util");
    check ("HashMap.get", "");
    check ("os.path.join", "os");
    check ("main.main.func1", "main");
    check ("fmt.Println", "fmt");
    check ("[no stack recorded]", "");
    check ("", "");
    check ("::", "");
    check (".", "");
    check ("/", "/");
    check ("a/b", "a/b");
    check ("inlining+0x145a", "");
    check ("__do_sys_poll.isra.0", "");
}
