/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/base/arena.h"
#include "core/base/array.h"
#include "core/base/name-source.h"

/*
 * Readable names from symbol names: C++ (Itanium ABI), Rust (legacy and v0), D, and, where their
 * source says so, those of languages.h. Other names stay unchanged.
 */
typedef struct {
    const char *name;       /* with parameters and template arguments, without return type */
    const char *short_name; /* without these; same pointer as name if nothing is left out */
} PvDemangled;

/* Caches names. One thread at a time; strings live in the arena. */
typedef struct PvDemangler PvDemangler;

/* is_off: only shorten names, never demangle them. */
PvDemangler *pv_demangler_new (PvArena *arena, bool is_off);
void pv_demangler_free (PvDemangler *demangler);
PvDemangled pv_demangler_get_from (PvDemangler *demangler, const char *symbol, PvNameSource source);
/* The same of a name that a tool wrote. */
PvDemangled pv_demangler_get (PvDemangler *demangler, const char *symbol);

/* The readable name in new memory, or NULL if the symbol is not mangled or its
 * name would exceed 64 KiB. */
char *pv_demangle_from (const char *symbol, PvNameSource source);
/* The same of C++, Rust and D only; without parameters if these are not wanted. */
char *pv_demangle (const char *symbol, bool with_parameters);

/* The short form, in new memory, of a symbol whose readable name with parameters is full. */
char *pv_demangle_short (const char *symbol, const char *full);

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

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvDemangler, pv_demangler_free)
