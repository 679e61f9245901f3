/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/name-source.h"
#include "core/model/profile/profile.h"

/*
 * Names of languages whose manglings libiberty does not know, or not well enough. A name that a
 * tool wrote stays as it is. Where a mangling looks like names of C, only debug information tells
 * that it is one: the name has to be declared in a unit of the language.
 */

/* The readable name of a symbol in new memory; NULL: it has none of the manglings of its source. Of
 * symbols those are OCaml's, gfortran's and LLVM's of Fortran's modules, Free Pascal's, GNAT's of
 * operators and main programs. */
char *pv_demangle_language (const char *symbol, PvNameSource source);

/* The source of the names that a module's addresses have: symbols of a file, or what wrote the map
 * of generated code. */
PvNameSource pv_module_get_name_source (const PvModule *module);

/* Rust's legacy mangling: with letters beyond ASCII, which libiberty refuses. NULL: another one. */
char *pv_demangle_legacy_rust (const char *symbol);
