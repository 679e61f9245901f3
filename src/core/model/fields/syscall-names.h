/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum {
    PV_SYSCALLS_X86_64,
    PV_SYSCALLS_GENERIC, /* AArch64, RISC-V */
} PvSyscalls;

/* "openat": the name of one of Linux's system calls; NULL: not known. */
const char *pv_syscall_get_name (PvSyscalls table, int64_t number);
