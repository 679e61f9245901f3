/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Where a name comes from, which tells the manglings that it may have, besides those of C++, Rust
 * and D, which are like no other names. */
typedef enum {
    PV_NAME_WRITTEN, /* by a tool, or in a unit of another language: it has none */
    PV_NAME_SYMBOL,  /* in the symbol table of a program: one that is not like names of C */
    PV_NAME_LINKER,  /* in that of Android's linker, where all have a prefix */
    PV_NAME_ADA,     /* in a unit of this language */
    PV_NAME_FORTRAN,
    PV_NAME_NIM, /* compiled by way of C */
    PV_NAME_PASCAL,
} PvNameSource;
