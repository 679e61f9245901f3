/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/profile/profile.h"
#include "core/symbolize/files/file-roots.h"
#include "core/symbolize/names/elf-symbols.h"

/*
 * Names of kernel functions from copies of /proc/kallsyms, which list run-time addresses and
 * modules.
 */
typedef enum {
    PV_KALLSYMS_FOUND,
    PV_KALLSYMS_NONE,   /* no copy from the recorded kernel, and another kernel runs here */
    PV_KALLSYMS_HIDDEN, /* the recorded kernel runs here, but shows all addresses as zero */
} PvKallsymsResult;

/* A copy of kallsyms. */
typedef struct {
    char *path;    /* NULL: none was found */
    uint64_t bias; /* run-time address - address in the copy */
} PvKallsyms;

/* Looks for the copy of a kernel, for pv_kallsyms_clear (). kernel as below. */
PvKallsymsResult pv_kallsyms_open (PvFileRoots *roots, const PvModule *kernel,
                                   PvKallsyms *ret_kallsyms);
void pv_kallsyms_clear (PvKallsyms *kallsyms);
/* Fills in hits of kind NONE for sorted run-time addresses, with sizes as far as there is a next
 * symbol; false: none. Reads the file: pass all addresses at once. */
bool pv_kallsyms_read (const PvKallsyms *kallsyms, const uint64_t *runtime_addrs, size_t n,
                       PvSymbolHit *hits, PvArena *arena);

/* Fills in hits of kind NONE for sorted run-time addresses of the kernel and its modules. kernel is
 * the module of kind KERNEL or, if that was not recorded, any kernel module. *ret_path gets the
 * path of the file used, in the arena. Reads the file twice: pass all addresses at once. */
PvKallsymsResult pv_kallsyms_find (PvFileRoots *roots, const PvModule *kernel,
                                   const uint64_t *runtime_addrs, size_t n, PvSymbolHit *hits,
                                   PvArena *arena, const char **ret_path);

/* The difference between the kernel's run-time addresses and the link addresses of its vmlinux:
 * kernels are loaded at random addresses. */
uint64_t pv_kernel_get_bias (const PvModule *kernel, PvElfImage *vmlinux);
