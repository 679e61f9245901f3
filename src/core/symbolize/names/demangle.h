/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/base/arena.h"
#include "core/base/array.h"

/*
 * Readable names out of symbol names: C++ (Itanium ABI), Rust (legacy and v0) and D. Names that are
 * not mangled stay what they are.
 */
typedef struct {
    const char *name;       /* with parameters and template arguments, without return type */
    const char *short_name; /* without; the same pointer as name if there is nothing to leave out */
} PvDemangled;

/* Keeps what it has seen. One thread at a time; strings live in the arena. */
typedef struct PvDemangler PvDemangler;

/* is_off: names are only shortened, never demangled. */
PvDemangler *pv_demangler_new (PvArena *arena, bool is_off);
void pv_demangler_free (PvDemangler *demangler);
PvDemangled pv_demangler_get (PvDemangler *demangler, const char *symbol);

/* The readable name in new memory, or NULL if the symbol is not mangled. Of a hostile symbol that
 * would grow beyond 64 KiB: NULL. */
char *pv_demangle (const char *symbol, bool with_parameters);

/*
 * A readable name without template arguments, generics, parameters of enclosing functions and clone
 * suffixes, in new memory. Qualifiers stay: "<T as Trait>::f", "operator()", "(anonymous
 * namespace)", "main.(*T).M". Never empty unless name is.
 */
char *pv_shorten_name (const char *name);

/* The same, telling what is left out where: template arguments and parameters with their brackets,
 * suffixes of clones. Parts point into name and come in its order; those of Go generics stand
 * before a PV_GO_GENERIC of the short name. */
typedef struct {
    size_t at; /* byte of the short name before which it stood */
    const char *start;
    size_t len;
} PvNamePart;

typedef PV_ARRAY (PvNamePart) PvNameParts;

#define PV_GO_GENERIC "[...]"

char *pv_shorten_name_parts (const char *name, PvNameParts *ret_parts);

/* Behind the bracket that closes the one at open, one of "<([{"; NULL if none does. */
const char *pv_find_close_bracket (const char *open);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvDemangler, pv_demangler_free)
