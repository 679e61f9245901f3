/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/mapped-file.h"
#include "core/model/build/builder.h"
#include "core/read/unpack/reader.h"

/* A new format adds its reader here and to the list in readers.c. */
extern const PvReader pv_elf_sizes_reader;
extern const PvReader pv_bpftrace_reader;
extern const PvReader pv_callgrind_reader;
extern const PvReader pv_gprof_reader;
extern const PvReader pv_dhat_reader;
extern const PvReader pv_firefox_reader;
extern const PvReader pv_folded_reader;
extern const PvReader pv_heaptrack_reader;
extern const PvReader pv_legacy_reader;
extern const PvReader pv_massif_reader;
extern const PvReader pv_pack_reader;
extern const PvReader pv_perf_data_reader;
extern const PvReader pv_perf_script_reader;
extern const PvReader pv_pprof_reader;
extern const PvReader pv_speedscope_reader;
extern const PvReader pv_sysprof_reader;
extern const PvReader pv_v8_reader;

/* Opens path (a file, or a perf.data directory), unpacks gzip, zstd, xz or bzip2, picks the reader
 * and runs it. Unpacks at most max_unpacked_bytes. If that is 0, the limit is 4 GiB for formats
 * that need everything in memory, for which more is an error, and 256 GiB for streams, which are
 * read up to the limit. Errors are of PV_READ_ERROR and PV_JOB_ERROR; messages do not name the
 * file. */
bool pv_read (const char *path, uint64_t max_unpacked_bytes, PvProfileBuilder *builder,
              const PvReadContext *context, GError **error);

/* The same for bytes in memory (tests, fuzzing); takes no ownership. */
bool pv_read_bytes (PvMappedFile *file, PvProfileBuilder *builder, const PvReadContext *context,
                    GError **error);

/* The reader for a file, chosen by its first unpacked bytes; NULL if there is none. */
const PvReader *pv_read_find_reader (PvMappedFile *file);
