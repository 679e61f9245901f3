/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/*
 * A packed pprof file as text, by the numbers of profile.proto alone: a line for each type of
 * sample, sample, mapping and comment, and one for the facts. A sample is its values, its labels
 * and its frames, leaf first, one word for each location:
 *
 *     types cycles/count faults/count default cycles
 *     sample 3 0 thread=main tid=7 | 0x10f4@prog{inner a.c:3 1;main(_main) a.c:9 5} 0x20@libc.so
 *     mapping prog 0x1000-0x3000 0ab3 functions filenames lines inlined
 *
 * Aborts the test if the file is not valid.
 */
char *pprof_text (const char *data, size_t size_bytes);

/* The file's bytes before they were packed. */
GByteArray *pprof_unpack (const char *data, size_t size_bytes);
