/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/base/array.h"

/*
 * A readable name without template arguments, generics, parameters of enclosing functions and clone
 * suffixes, in new memory. Qualifiers stay: "<T as Trait>::f", "operator()", "(anonymous
 * namespace)", "main.(*T).M". Only empty if name is.
 */
char *pv_shorten_name (const char *name);

/* The same, and reports what was left out: template arguments and parameters with their brackets,
 * clone suffixes. Parts point into name, in its order; a PV_GO_GENERIC in the short name follows
 * the part it stands for. */
typedef struct {
    size_t at; /* offset in the short name where it was removed */
    const char *start;
    size_t len;
} PvNamePart;

typedef PV_ARRAY (PvNamePart) PvNameParts;

#define PV_GO_GENERIC "[...]"

char *pv_shorten_name_parts (const char *name, PvNameParts *ret_parts);

/* The position after the bracket that closes the one at open, one of "<([{"; NULL if it is never
 * closed. */
const char *pv_find_close_bracket (const char *open);

/* Other demanglers write the return type of template functions, ours does not: "void
 * std::sort<int*>(int*, int*)". The start of the name. */
const char *pv_skip_return_type (const char *name);

/* True if the name ends with its parameters: "f(int) const [clone .cold]". Names that have them in
 * any style, such as those of thunks, do not count. */
bool pv_has_parameters (const char *name);

/* A name without parameters and clone suffixes, in new memory, but with template arguments: as perf
 * script has it. The style of these is always the same: "A<B<int>>::f". */
char *pv_strip_parameters (const char *name);

/* The name of the same function in all builds and by all tools, in new memory: without return type,
 * hash of Rust, number of LLVM, version of a symbol, mark of the C library or of Go's assembler,
 * with dots where Go's linker has "%2e", and with clone suffixes in one style. NULL: it has none of
 * these. */
char *pv_unify_name (const char *name);

/* The length of a name without what a compiler adds to the symbol of a variant or part, such as
 * "f.constprop.0" or "f [clone .cold]"; 0: it has nothing of these. */
size_t pv_find_variant (const char *name);
