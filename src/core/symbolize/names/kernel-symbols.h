/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/profile/profile.h"
#include "core/symbolize/files/file-roots.h"
#include "core/symbolize/names/elf-symbols.h"

/*
 * Names of kernel functions from copies of /proc/kallsyms, which know run-time addresses and
 * modules.
 */
typedef enum {
    PV_KALLSYMS_FOUND,
    PV_KALLSYMS_NONE,   /* no copy of the recorded kernel's, and another kernel runs here */
    PV_KALLSYMS_HIDDEN, /* the recorded kernel runs here, but all its addresses are given as zero */
} PvKallsymsResult;

/* Fills in hits of kind NONE for sorted run-time addresses of the kernel and its modules. kernel is
 * the module of kind KERNEL (or, if that was not recorded, any other of the kernel). ret_path gets
 * where the names came from, in the arena. Reads the file twice: ask for all addresses at once. */
PvKallsymsResult pv_kallsyms_find (PvFileRoots *roots, const PvModule *kernel,
                                   const uint64_t *runtime_addrs, size_t n, PvSymbolHit *hits,
                                   PvArena *arena, const char **ret_path);

/* What to subtract from run-time addresses of the kernel to get link addresses of its vmlinux:
 * kernels are loaded at random places. */
uint64_t pv_kernel_get_bias (const PvModule *kernel, PvElfImage *vmlinux);
