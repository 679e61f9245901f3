/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

#include "core/analyze/query/allocators.h"

static bool
is_of_allocator (const PvFunction *function, const PvModule *module)
{
    return pv_is_allocator (function, module->name != NULL ? module->name : "");
}

static const char *const names[] = {"free",
                                    "cfree",
                                    "__libc_free",
                                    "__free",
                                    "_int_free*",
                                    "malloc_consolidate",
                                    "munmap_chunk",
                                    "systrim*",
                                    "unlink_chunk*",
                                    "tcache_*",
                                    "g_free",
                                    "g_free_sized",
                                    "g_slice_free*",
                                    "operator delete",
                                    "operator delete[]",
                                    "_ZdlPv*",
                                    "_ZdaPv*",
                                    "je_*free*",
                                    "je_*dalloc*",
                                    "tc_free*",
                                    "tc_delete*",
                                    "mi_free*",
                                    "_mi_free*",
                                    "__rust_dealloc",
                                    "__rustc::__rust_dealloc",
                                    "__rdl_dealloc",
                                    "PyObject_Malloc",
                                    "PyObject_Free",
                                    "PyObject_Realloc",
                                    "PyObject_Calloc",
                                    "_PyObject_Malloc*",
                                    "_PyObject_Free*",
                                    "PyMem_*",
                                    "_PyMem_*",
                                    "pymalloc_*",
                                    "malloc_usable_size",
                                    NULL};

const PvFindingRule pv_rule_allocator = {
    .word = "allocator",
    .names = names,
    .matches = is_of_allocator,
    .least = 0.1,
    .is_never_blamed = true,
    .title = N_ ("Memory allocation (%s) takes %s of %s"),
    .detail = N_ ("Allocate less often: reuse buffers, reserve the size of containers, or"
                  " keep small objects in arrays. A heap profile tells which calls "
                  "allocate most."),
};
