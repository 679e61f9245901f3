/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/model/profile/profile.h"
#include "core/symbolize/files/file-roots.h"
#include "core/symbolize/machine/code-image.h"
#include "core/symbolize/names/kernel-symbols.h"

/*
 * The memory of a kernel with its modules: /proc/kcore of the kernel that runs here, or a copy that
 * perf made. One thread at a time.
 */
typedef struct PvKernelCode PvKernelCode;

typedef enum {
    PV_KERNEL_CODE_FOUND,
    PV_KERNEL_CODE_NONE,       /* another kernel runs here, and there is no copy */
    PV_KERNEL_CODE_FORBIDDEN,  /* only root may read it */
    PV_KERNEL_CODE_UNREADABLE, /* this system has no kcore */
    PV_KERNEL_CODE_MOVED,      /* of modules: the kernel was started again since */
} PvKernelCodeResult;

/* Looks for the kcore beside a copy of kallsyms, see pv_kallsyms_open (). module is of kind KERNEL
 * or KERNEL_MODULE. */
PvKernelCodeResult pv_kernel_code_open (PvFileRoots *roots, const PvProfile *profile,
                                        const PvModule *module, PvKernelCode **ret_code);
void pv_kernel_code_free (PvKernelCode *code);
const char *pv_kernel_code_get_path (const PvKernelCode *code);
const PvCodeMachine *pv_kernel_code_get_machine (const PvKernelCode *code);
const PvKallsyms *pv_kernel_code_get_kallsyms (const PvKernelCode *code);

/* Reads bytes at a run-time address of the recording; returns how many there are. */
size_t pv_kernel_code_read (const PvKernelCode *code, uint64_t runtime_addr, uint8_t *bytes,
                            size_t size_bytes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvKernelCode, pv_kernel_code_free)
