/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

/*
 * gzip (RFC 1952) in one go, more than twice as fast as piece by piece, for what is whole and good:
 * one member, not damaged, of max_bytes at most and not too large to be in memory. NULL for all
 * else, and when memory is short, without a word: who unpacks piece by piece finds out what it is.
 * ret_used is where in the data the member ends. Free with g_free (). Any thread.
 */
uint8_t *pv_gunzip (const uint8_t *data, size_t size_bytes, uint64_t max_bytes, size_t *ret_used,
                    size_t *ret_size);
