/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Decompression of parts of ELF files, in memory. All functions are pure and may run in any
 * thread.
 */

/* Fill exactly out_size_bytes; false if the data is damaged or unpacks to another size. */
bool pv_unpack_zlib (const uint8_t *data, size_t size_bytes, uint8_t *out, size_t out_size_bytes);
bool pv_unpack_zstd (const uint8_t *data, size_t size_bytes, uint8_t *out, size_t out_size_bytes);

/* How many bytes may be unpacked from packed_bytes bytes of an ELF file. Debug information unpacks
 * to 3 to 10 times its size; far more is an attack. */
size_t pv_unpack_limit (size_t packed_bytes);

/* Unpacks a whole gzip, xz or zstd file, recognized by its magic number, of at most max_bytes and
 * pv_unpack_limit (). NULL if it is another format, damaged or larger; free with g_free (). */
uint8_t *pv_unpack_file (const uint8_t *data, size_t size_bytes, size_t max_bytes,
                         size_t *ret_size_bytes);

/* True if the bytes start like a file that pv_unpack_file () reads. */
bool pv_unpack_knows (const uint8_t *data, size_t size_bytes);
