/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Where a symbol belongs: the crate and modules of Rust, the namespaces and classes of C++, the
 * package of Go. Read from the mangled name, which is not demangled.
 */
enum { SYMBOL_PATH_MAX = 6 };

typedef struct {
    const char *text; /* in the symbol's name, or a constant; not terminated */
    size_t len;
    bool is_punycode; /* it has letters beyond ASCII, written as in RFC 3492 with "_" for "-" */
} SymbolPathPart;

typedef struct {
    unsigned n;
    SymbolPathPart parts[SYMBOL_PATH_MAX]; /* outermost first; deeper ones are left out */
    const char *separator;                 /* between parts, as the language writes it */
} SymbolPath;

/* Without the function or variable itself; n is 0 where nothing is known, as for C. is_go: in a
 * program of Go a dot means a package. */
void symbol_path_find (const char *symbol, bool is_go, SymbolPath *ret);
/* Appends a part as the source has it. */
void symbol_path_append (GString *out, const SymbolPathPart *part);
