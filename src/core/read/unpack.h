#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/base/job.h"
#include "core/base/mapped-file.h"

/* Compression around a whole file. */
typedef enum {
    PV_PACKING_NONE,
    PV_PACKING_GZIP,
    PV_PACKING_ZSTD,
    PV_PACKING_XZ,
} PvPacking;

PvPacking pv_unpack_sniff (const uint8_t *data, size_t size_bytes);

/* The unpacked bytes. A stream that is cut off or damaged after some output gives what there is
 * and sets ret_is_truncated; one that gives nothing is PV_READ_ERROR_CORRUPT, one that would pass
 * max_bytes PV_READ_ERROR_TOO_LARGE. */
PvMappedFile *pv_unpack (PvMappedFile *file, PvPacking packing, uint64_t max_bytes, PvJob *job,
                         bool *ret_is_truncated, GError **error);
