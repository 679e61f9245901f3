/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/unpack/gunzip.h"

#include <libdeflate.h>
#include <stdbool.h>
#include <string.h>

#include "core/base/large.h"

#define MIN_GZIP_BYTES  18u   /* a header and a trailer */
#define MAX_RATIO       1032u /* the highest ratio of deflate */
#define MAX_WHOLE_BYTES ((size_t)256 << 20)
#define FLAGS_AT        3u
#define FLAG_HEADER_SUM 2u

/* The unpacked size that the trailer claims, if the data is one member; 0 if it is impossible. */
static size_t
find_claimed_size (const uint8_t *data, size_t size_bytes)
{
    uint32_t claimed;
    if (size_bytes < MIN_GZIP_BYTES)
        return 0;
    memcpy (&claimed, data + size_bytes - sizeof claimed, sizeof claimed);
    claimed = GUINT32_FROM_LE (claimed);
    return claimed / MAX_RATIO <= size_bytes ? claimed : 0;
}

/* The library ignores the header's checksum, so refuse members that have one. */
uint8_t *
pv_gunzip (const uint8_t *data, size_t size_bytes, uint64_t max_bytes, size_t *ret_used,
           size_t *ret_size)
{
    size_t claimed = find_claimed_size (data, size_bytes);
    if (claimed == 0 || claimed > MIN (max_bytes, MAX_WHOLE_BYTES) ||
        (data[FLAGS_AT] & FLAG_HEADER_SUM) != 0)
        return NULL;
    struct libdeflate_decompressor *unpacker = libdeflate_alloc_decompressor ();
    uint8_t *out = unpacker != NULL ? pv_large_try_alloc (claimed) : NULL;
    size_t used = 0, size = 0;
    bool is_good =
        out != NULL && libdeflate_gzip_decompress_ex (unpacker, data, size_bytes, out, claimed,
                                                      &used, &size) == LIBDEFLATE_SUCCESS;
    libdeflate_free_decompressor (unpacker);
    if (!is_good || size != claimed) {
        g_free (out);
        return NULL;
    }
    *ret_used = used;
    *ret_size = size;
    return out;
}
