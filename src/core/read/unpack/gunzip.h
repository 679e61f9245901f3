/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Unpacks gzip (RFC 1952) at once, more than twice as fast as in pieces. The data must be one
 * undamaged member that unpacks to at most max_bytes and fits in memory. Otherwise returns NULL
 * without an error; unpacking in pieces finds out the reason. ret_used is the end of the member in
 * the data. Free with g_free (). Any thread.
 */
uint8_t *pv_gunzip (const uint8_t *data, size_t size_bytes, uint64_t max_bytes, size_t *ret_used,
                    size_t *ret_size);
