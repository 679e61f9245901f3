/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

#include "core/model/profile/symbols.h"

/*
 * Private to renames/: how much two names look like those of one function. Any thread.
 */

/* The end of the function's name that says something, by which it is known under other namespaces,
 * classes, packages, template arguments, parameters, numbers of closures and variants of a
 * compiler. is_long: with one part more. NULL: it has none; g_free () it. */
char *pv_alike_make_end (const PvFunction *function, bool is_long);

/* The part of the longer name that both have at their start or end, from 0 to 1. */
double pv_alike_get_common (const PvFunction *a, const PvFunction *b);

/* True if the names differ only in that one has no parameters, as inlined functions have not where
 * debug information tells no symbol for them. */
bool pv_alike_but_parameters (const PvFunction *a, const PvFunction *b);

/* 1: both are declared in files of that name, 0: in others, -1: it is not known. */
int pv_alike_files (const PvFunction *a, const PvFunction *b);
