/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../cases.h"
#include "core/analyze/query/allocators.h"
#include "core/symbolize/names/demangle.h"

static bool
is_allocator (const char *name)
{
    g_autofree char *short_name = pv_shorten_name (name);
    PvFunction function = {.name = name, .short_name = short_name, .kind = PV_FUNCTION_NAMED};
    return pv_is_allocator (&function, "program");
}

TEST (allocators)
{
    static const char *const names[] = {
        "malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign", "valloc", "reallocarray",
        "__libc_malloc", "_int_malloc", "je_malloc", "_rjem_malloc", "tc_malloc", "tc_newarray",
        "mi_malloc", "mi_heap_malloc", "malloc@plt", "xmalloc", "__interceptor_malloc",
        /* C++ */
        "operator new(unsigned long)", "operator new[](unsigned long)", "operator new",
        "operator new[]", "operator new(unsigned int)",
        "operator new(unsigned long, std::align_val_t)",
        "operator new[](unsigned long, std::align_val_t, std::nothrow_t const&)",
        "operator new@plt", "_Znwm", "_ZnamRKSt9nothrow_t",
        "__gnu_cxx::new_allocator<int>::allocate(unsigned long, void const*)",
        "std::__new_allocator<std::pair<int const, std::vector<int> > >::allocate(unsigned long, "
        "void const*)",
        "std::allocator<char>::allocate(unsigned long)",
        "std::allocator_traits<std::allocator<int> >::allocate(std::allocator<int>&, unsigned "
        "long)",
        "std::_Vector_base<int, std::allocator<int> >::_M_allocate(unsigned long)",
        "std::_Vector_base<int, std::allocator<int> >::_M_create_storage(unsigned long)",
        "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> "
        ">::_M_create(unsigned long&, unsigned long)",
        "std::__cxx11::_List_base<int, std::allocator<int> >::_M_get_node()",
        "std::_Rb_tree<int, int, std::_Identity<int>, std::less<int>, std::allocator<int> "
        ">::_M_get_node()",
        "std::__1::allocator<int>::allocate[abi:v160006](unsigned long)",
        "std::__1::allocator<int>::allocate(unsigned long)",
        "std::__1::__libcpp_allocate(unsigned long, unsigned long)",
        "std::__1::__split_buffer<int, std::__1::allocator<int>&>::__split_buffer(unsigned long, "
        "unsigned long, std::__1::allocator<int>&)",
        /* Rust */
        "__rust_alloc", "__rust_alloc_zeroed", "__rust_realloc", "__rdl_alloc", "__rdl_realloc",
        "__rg_alloc", "__rustc::__rust_alloc", "alloc::alloc::alloc",
        "alloc::alloc::exchange_malloc", "alloc::alloc::Global::alloc_impl",
        "<alloc::alloc::Global as core::alloc::Allocator>::allocate",
        "alloc::raw_vec::RawVec<T,A>::grow_one", "alloc::raw_vec::finish_grow",
        "alloc::raw_vec::RawVecInner<A>::reserve::do_reserve_and_handle",
        "<std::alloc::System as core::alloc::global::GlobalAlloc>::alloc",
        "<bumpalo::Bump as core::alloc::Allocator>::allocate",
        "<alloc::vec::Vec<u8>>::with_capacity_in", "alloc::boxed::box_new_uninit",
        "alloc::boxed::Box<T,A>::try_new_uninit_in", "hashbrown::raw::alloc::inner::do_alloc",
        /* jemalloc, with and without what it puts before its names; tcmalloc */
        "je_malloc_default", "je_prof_backtrace", "_rjem_je_prof_tctx_create",
        "prof_backtrace_impl", "prof_alloc_prep", "imalloc_body", "do_rallocx",
        "newImpl<false>(unsigned long)", "fallbackNewImpl", "fallback_impl<false>(unsigned long)",
        "mallocx", "tcmalloc::allocate_full_malloc_oom(unsigned long)",
        "(anonymous namespace)::do_malloc(unsigned long)", "MallocHook::InvokeNewHookSlow",
        "TCMallocInternalNew", "DoSampledAllocation",
        /* GLib, Qt */
        "g_malloc", "g_malloc0", "g_malloc_n", "g_realloc", "g_try_malloc", "g_try_realloc_n",
        "g_slice_alloc", "g_slice_alloc0", "g_aligned_alloc", "QArrayData::allocate",
        "QArrayData::allocate(QArrayData**, long long, long long, long long, "
        "QArrayData::AllocationOption)",
        "QTypedArrayData<char>::allocate(unsigned long, QFlags<QArrayData::AllocationOption>)"};

    for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
        g_test_message ("%s", names[i]);
        g_assert_true (is_allocator (names[i]));
    }
}

TEST (others)
{
    static const char *const names[] = {
        "main",
        "??",
        "",
        "strdup",
        "asprintf",
        "g_strdup",
        "g_memdup2",
        "g_strdup_printf",
        "g_object_new",
        "g_slice_free1",
        "free",
        "operator delete(void*)",
        "my_malloc",
        "malloc_trim_all",
        "premalloc",
        "mi_cmd_exec_run",
        "g_malloc_counters_print",
        "std::vector<int, std::allocator<int> >::push_back(int const&)",
        "std::vector<int, std::allocator<int> >::_M_realloc_insert<int>(int*, int&&)",
        "std::make_shared<int>()",
        "app::operator new_thing",
        "app::Pool::operator new",
        "app::allocator<int>::allocate(unsigned long)",
        "alloc::vec::Vec<T,A>::push",
        "<alloc::vec::Vec<T> as core::clone::Clone>::clone",
        "alloc::boxed::Box<T>::new",
        "app::alloc::alloc::f",
        "runtime.mallocgc",
        "main.alloc",
        "QString::append(QChar)"};

    for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
        g_test_message ("%s", names[i]);
        g_assert_false (is_allocator (names[i]));
    }
}

/* Functions of an allocator's library are the allocator, whatever they are called. */
TEST (libraries)
{
    static const char *const libraries[] = {"libjemalloc.so.2", "libtcmalloc.so.4",
                                            "libtcmalloc_minimal.so.4.5.9", "libmimalloc-2.so"};
    static const char *const others[] = {"libjemallocator.so", "libtcmalloc", "program", ""};
    PvFunction unnamed = {.name = "", .short_name = "", .kind = PV_FUNCTION_RANGE};
    PvFunction named = {.name = "f", .short_name = "f", .kind = PV_FUNCTION_NAMED};
    for (size_t i = 0; i < G_N_ELEMENTS (libraries); i++) {
        g_assert_true (pv_is_allocator (&unnamed, libraries[i]));
        g_assert_true (pv_is_allocator (&named, libraries[i]));
    }
    for (size_t i = 0; i < G_N_ELEMENTS (others); i++) {
        g_assert_false (pv_is_allocator (&unnamed, others[i]));
        g_assert_false (pv_is_allocator (&named, others[i]));
    }
    PvFunction range = {.name = "malloc", .short_name = "malloc", .kind = PV_FUNCTION_RANGE};
    g_assert_false (pv_is_allocator (&range, "program"));
}
