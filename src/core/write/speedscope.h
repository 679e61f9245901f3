/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/output.h"

/*
 * Files of speedscope with sampled profiles: first all frames, then one profile after the other.
 * Writes as it is told; only keeps the weights of the current profile. Strings are not kept. Not
 * thread-safe.
 */
typedef struct PvSpeedscopeWriter PvSpeedscopeWriter;

/* Borrows out, which reports errors. */
PvSpeedscopeWriter *pv_speedscope_writer_new (PvWriter *out);
void pv_speedscope_writer_free (PvSpeedscopeWriter *writer);

/* The next frame, 0 first. module and file may be NULL, line 0. The format has no modules: our
 * reader knows them, others skip them. */
void pv_speedscope_writer_add_frame (PvSpeedscopeWriter *writer, const char *name,
                                     const char *module, const char *file, uint32_t line);

/* unit: "nanoseconds", "bytes" or "none". */
void pv_speedscope_writer_begin_profile (PvSpeedscopeWriter *writer, const char *name,
                                         const char *unit);
/* frames: numbers, leaf first. */
void pv_speedscope_writer_add_sample (PvSpeedscopeWriter *writer, const uint32_t *frames,
                                      size_t n_frames, uint64_t weight);
void pv_speedscope_writer_end_profile (PvSpeedscopeWriter *writer);

/* name: of it all. active: the number of the profile that is shown first. After this the writer can
 * only be freed. */
void pv_speedscope_writer_finish (PvSpeedscopeWriter *writer, const char *name, uint32_t active);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvSpeedscopeWriter, pv_speedscope_writer_free)
