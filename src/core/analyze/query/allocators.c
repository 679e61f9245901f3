/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions that only allocate, by short name: without parameters, template arguments and inline
 * namespaces of C++ libraries.
 */
#include "core/analyze/query/allocators.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

/* The C interface, which every allocator has, and prefixes used by allocators and by layers between
 * them and the program. */
static const char *const c_names[] = {
    "malloc", "calloc",         "realloc", "reallocarray", "aligned_alloc",
    "valloc", "posix_memalign", "pvalloc", "memalign",
};
static const char *const c_prefixes[] = {
    "",        "__",        "__libc_", "__rtld_", "__minimal_", "__interceptor_",
    "__wrap_", "__real_",   "_int_",   "je_",     "_rjem_",     "_rjem_je_",
    "tc_",     "scalable_", "mi_",     "rp",      "dl",         "x",
};

/* Everything with these prefixes. */
static const char *const prefixes[] = {
    "_Znw", /* operator new, not demangled */
    "_Zna",
    "__rdl_",
    "__rg_",
    "__rustc::__rdl_",
    "__rustc::__rg_",
    "alloc::alloc::",
    "alloc::raw_vec::",
    "<alloc::alloc::",
    "<alloc::raw_vec::",
    "tcmalloc::",
    "TCMalloc",
    "MallocHook::",
    "je_", /* jemalloc's prefix, and that of its Rust crate */
    "_rjem_",
    "_mi_",
};

/* Shared libraries that are allocators, without their version. The names of their functions do not
 * matter, and they are usually stripped. */
static const char *const libraries[] = {
    "libjemalloc",
    "libtcmalloc",
    "libmimalloc",
};

/* Allocators of Rust programs. */
static const char *const parts[] = {" as core::alloc::", "core::alloc::global::GlobalAlloc for "};

/* Sorted. */
static const char *const names[] = {
    "(anonymous namespace)::DoSampledAllocation",
    "(anonymous namespace)::do_calloc",
    "(anonymous namespace)::do_malloc",
    "(anonymous namespace)::do_malloc_no_errno",
    "(anonymous namespace)::do_malloc_or_cpp_alloc",
    "(anonymous namespace)::do_malloc_pages",
    "(anonymous namespace)::do_memalign",
    "(anonymous namespace)::do_memalign_or_cpp_memalign",
    "(anonymous namespace)::do_realloc",
    "(anonymous namespace)::do_realloc_with_callback",
    "DoSampledAllocation",
    "QArrayData::allocate",
    "QArrayData::allocate1",
    "QArrayData::allocate2",
    "QArrayData::reallocate",
    "QArrayData::reallocateUnaligned",
    "QArrayDataPointer::allocateGrow",
    "QHashData::allocateNode",
    "QTypedArrayData::allocate",
    "QTypedArrayData::reallocate",
    "QTypedArrayData::reallocateUnaligned",
    "__cxa_allocate_dependent_exception",
    "__cxa_allocate_exception",
    "__default_morecore",
    "__gnu_cxx::__alloc_traits::allocate",
    "__gnu_cxx::__mt_alloc::allocate",
    "__gnu_cxx::__pool_alloc::allocate",
    "__gnu_cxx::__pool_alloc_base::_M_allocate_chunk",
    "__gnu_cxx::__pool_alloc_base::_M_refill",
    "__gnu_cxx::bitmap_allocator::allocate",
    "__gnu_cxx::malloc_allocator::allocate",
    "__gnu_cxx::new_allocator::allocate",
    "__rust_alloc",
    "__rust_alloc_zeroed",
    "__rust_realloc",
    "__rustc::__rust_alloc",
    "__rustc::__rust_alloc_zeroed",
    "__rustc::__rust_realloc",
    "alloc::boxed::Box::new_uninit",
    "alloc::boxed::Box::new_uninit_in",
    "alloc::boxed::Box::new_uninit_slice",
    "alloc::boxed::Box::new_uninit_slice_in",
    "alloc::boxed::Box::new_zeroed_in",
    "alloc::boxed::Box::try_new_uninit",
    "alloc::boxed::Box::try_new_uninit_in",
    "alloc::boxed::Box::try_new_uninit_slice",
    "alloc::boxed::Box::try_new_uninit_slice_in",
    "alloc::boxed::Box::try_new_zeroed_in",
    "alloc::boxed::box_new_uninit",
    "alloc::rc::Rc::allocate_for_layout",
    "alloc::string::String::reserve",
    "alloc::string::String::with_capacity",
    "alloc::sync::Arc::allocate_for_layout",
    "alloc::sync::Arc::try_allocate_for_layout",
    "alloc::vec::Vec::reserve",
    "alloc::vec::Vec::reserve_exact",
    "alloc::vec::Vec::try_reserve",
    "alloc::vec::Vec::try_with_capacity",
    "alloc::vec::Vec::try_with_capacity_in",
    "alloc::vec::Vec::with_capacity",
    "alloc::vec::Vec::with_capacity_in",
    "arena_malloc",
    "arena_malloc_hard",
    "arena_palloc",
    "arena_ralloc",
    "do_calloc",
    "do_malloc",
    "do_malloc_no_errno",
    "do_malloc_or_cpp_alloc",
    "do_malloc_pages",
    "do_memalign",
    "do_memalign_or_cpp_memalign",
    "do_rallocx",
    "do_realloc_with_callback",
    "do_xmalloc",
    "fallbackNewImpl",
    "fallback_impl",
    "g_aligned_alloc",
    "g_aligned_alloc0",
    "g_atomic_rc_box_alloc",
    "g_atomic_rc_box_alloc0",
    "g_malloc",
    "g_malloc0",
    "g_malloc0_n",
    "g_malloc_n",
    "g_rc_box_alloc",
    "g_rc_box_alloc0",
    "g_rc_box_alloc_full",
    "g_realloc",
    "g_realloc_n",
    "g_slice_alloc",
    "g_slice_alloc0",
    "g_try_malloc",
    "g_try_malloc0",
    "g_try_malloc0_n",
    "g_try_malloc_n",
    "g_try_realloc",
    "g_try_realloc_n",
    "handleOOM",
    "hashbrown::alloc::inner::do_alloc",
    "hashbrown::raw::RawTableInner::new_uninitialized",
    "hashbrown::raw::alloc::inner::do_alloc",
    "ialloc",
    "iallocztm",
    "imalloc",
    "imalloc_body",
    "imalloc_fastpath",
    "imalloc_no_sample",
    "imalloc_sample",
    "ipalloc",
    "ipallocztm",
    "iralloc",
    "iralloct",
    "irallocx_prof",
    "irallocx_prof_sample",
    "large_malloc",
    "large_palloc",
    "large_ralloc",
    "malloc_check",
    "malloc_default",
    "malloc_hook_ini",
    "malloc_init_hard",
    "malloc_zone_calloc",
    "malloc_zone_malloc",
    "malloc_zone_memalign",
    "malloc_zone_realloc",
    "malloc_zone_valloc",
    "mallocx",
    "memalign_check",
    "memalign_hook_ini",
    "mi_calloc_aligned",
    "mi_heap_calloc",
    "mi_heap_malloc",
    "mi_heap_malloc_aligned",
    "mi_heap_malloc_small",
    "mi_heap_mallocn",
    "mi_heap_new",
    "mi_heap_realloc",
    "mi_heap_zalloc",
    "mi_malloc_aligned",
    "mi_malloc_small",
    "mi_mallocn",
    "mi_new",
    "mi_new_aligned",
    "mi_new_n",
    "mi_new_nothrow",
    "mi_realloc_aligned",
    "mi_reallocf",
    "mi_recalloc",
    "mi_rezalloc",
    "mi_zalloc",
    "mi_zalloc_aligned",
    "mi_zalloc_small",
    "newImpl",
    "operator new",
    "operator new[]",
    "operator_new_impl",
    "prof_alloc_prep",
    "prof_backtrace",
    "prof_backtrace_impl",
    "prof_lookup",
    "prof_malloc",
    "prof_realloc",
    "prof_tctx_create",
    "prof_unwind_init",
    "qMallocAligned",
    "qReallocAligned",
    "rallocx",
    "realloc_check",
    "realloc_hook_ini",
    "smallocx",
    "standard_calloc",
    "standard_malloc",
    "standard_realloc",
    "standard_try_malloc",
    "standard_try_realloc",
    "std::_Bvector_base::_M_allocate",
    "std::_Deque_base::_Deque_base",
    "std::_Deque_base::_M_allocate_map",
    "std::_Deque_base::_M_allocate_node",
    "std::_Deque_base::_M_create_nodes",
    "std::_Deque_base::_M_initialize_map",
    "std::_Fwd_list_base::_M_get_node",
    "std::_Hashtable::_M_allocate_buckets",
    "std::_List_base::_M_get_node",
    "std::_Rb_tree::_M_get_node",
    "std::_Vector_base::_M_allocate",
    "std::_Vector_base::_M_create_storage",
    "std::_Vector_base::_Vector_base",
    "std::__allocate_at_least",
    "std::__allocate_guarded",
    "std::__allocate_guarded_obj",
    "std::__allocation_guard::__allocation_guard",
    "std::__builtin_new_allocator::__allocate_bytes",
    "std::__builtin_new_allocator::__allocate_type",
    "std::__detail::_Hashtable_alloc::_M_allocate_buckets",
    "std::__detail::__get_temporary_buffer",
    "std::__libcpp_aligned_alloc",
    "std::__libcpp_allocate",
    "std::__libcpp_operator_new",
    "std::__new_allocator::allocate",
    "std::__split_buffer::__split_buffer",
    "std::__vector_base::__vallocate",
    "std::allocator::allocate",
    "std::allocator::allocate_at_least",
    "std::allocator_traits::allocate",
    "std::allocator_traits::allocate_at_least",
    "std::basic_string::_M_create",
    "std::basic_string::_Rep::_S_create",
    "std::basic_string::_S_allocate",
    "std::deque::_M_reallocate_map",
    "std::deque::_M_reserve_map_at_back",
    "std::deque::_M_reserve_map_at_front",
    "std::get_temporary_buffer",
    "std::list::_M_get_node",
    "std::pmr::memory_resource::allocate",
    "std::pmr::monotonic_buffer_resource::_M_new_buffer",
    "std::pmr::monotonic_buffer_resource::do_allocate",
    "std::pmr::polymorphic_allocator::allocate",
    "std::pmr::polymorphic_allocator::allocate_bytes",
    "std::pmr::polymorphic_allocator::allocate_object",
    "std::pmr::synchronized_pool_resource::do_allocate",
    "std::pmr::unsynchronized_pool_resource::do_allocate",
    "std::string::_Rep::_S_create",
    "std::vector::_M_allocate",
    "std::vector::__vallocate",
    "sysmalloc",
    "sysmalloc_mmap",
    "sysmalloc_mmap_fallback",
    "tc_new",
    "tc_new_aligned",
    "tc_new_nothrow",
    "tc_newarray",
    "tc_newarray_aligned",
    "tc_newarray_nothrow",
    "xallocx",
    "xmallocarray",
    "xnmalloc",
    "xzalloc",
};

static bool
is_c_name (const char *name)
{
    for (size_t n = 0; n < G_N_ELEMENTS (c_names); n++) {
        size_t length = strlen (name), part = strlen (c_names[n]);
        if (length < part || strcmp (name + length - part, c_names[n]) != 0)
            continue;
        for (size_t p = 0; p < G_N_ELEMENTS (c_prefixes); p++)
            if (strlen (c_prefixes[p]) == length - part &&
                strncmp (name, c_prefixes[p], length - part) == 0)
                return true;
    }
    return false;
}

static int
compare_name (const void *key, const void *element)
{
    return strcmp (key, *(const char *const *)element);
}

/* The name without suffixes from linker or compiler. */
static char *
cut_suffix (const char *name)
{
    static const char *const suffixes[] = {"@plt", "[abi:"};
    size_t length = strlen (name);
    for (size_t i = 0; i < G_N_ELEMENTS (suffixes); i++) {
        const char *suffix = strstr (name, suffixes[i]);
        if (suffix != NULL)
            length = MIN (length, (size_t)(suffix - name));
    }
    return g_strndup (name, length);
}

/* "libNAME.so.2", "libNAME_minimal.so.4", "libNAME-2.so" */
static bool
is_allocator_library (const char *module_name)
{
    for (size_t i = 0; i < G_N_ELEMENTS (libraries); i++) {
        size_t len = strlen (libraries[i]);
        if (strncmp (module_name, libraries[i], len) == 0 &&
            strchr (".-_", module_name[len]) != NULL && strstr (module_name, ".so") != NULL)
            return true;
    }
    return false;
}

bool
pv_is_allocator (const PvFunction *function, const char *module_name)
{
    g_assert (function != NULL);
    if (is_allocator_library (module_name))
        return true;
    if (function->kind != PV_FUNCTION_NAMED)
        return false;
    g_autofree char *name = cut_suffix (function->short_name);
    for (size_t i = 0; i < G_N_ELEMENTS (prefixes); i++)
        if (g_str_has_prefix (name, prefixes[i]))
            return true;
    for (size_t i = 0; i < G_N_ELEMENTS (parts); i++)
        if (strstr (name, parts[i]) != NULL)
            return true;
    return bsearch (name, names, G_N_ELEMENTS (names), sizeof *names, compare_name) != NULL ||
           is_c_name (name);
}
