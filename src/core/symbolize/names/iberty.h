/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PV_IBERTY_H
#define PV_IBERTY_H

/*
 * Declares the functions of libiberty that we use. Debian has its header in a folder of its own,
 * RHEL in none, and Fedora has the library only, for which these declarations are enough. Where
 * there is a header, the compiler compares them with it.
 */
#include <stddef.h>

#if __has_include(<libiberty/demangle.h>)
#include <libiberty/demangle.h>
#elif __has_include(<demangle.h>)
#include <demangle.h>
#else
#define DMGL_PARAMS   (1 << 0)
#define DMGL_ANSI     (1 << 1)
#define DMGL_RET_DROP (1 << 6)
#define DMGL_DLANG    (1 << 16)

typedef void (*demangle_callbackref) (const char *part, size_t size, void *data);
#endif

int cplus_demangle_v3_callback (const char *symbol, int options, demangle_callbackref callback,
                                void *data);
int rust_demangle_callback (const char *symbol, int options, demangle_callbackref callback,
                            void *data);
char *dlang_demangle (const char *symbol, int options);
char *ada_demangle (const char *symbol, int options);

_Static_assert(DMGL_PARAMS == 1 << 0 && DMGL_ANSI == 1 << 1 && DMGL_RET_DROP == 1 << 6 &&
                   DMGL_DLANG == 1 << 16,
               "libiberty's options are the same everywhere");

#endif
