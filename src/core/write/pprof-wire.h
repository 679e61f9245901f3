/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/array.h"

/*
 * The subset of Protocol Buffers that pprof profiles need.
 */
typedef struct {
    PV_ARRAY (uint8_t) bytes;
} PvWire;

void pv_wire_clear (PvWire *wire);
void pv_wire_append_varint (PvWire *wire, uint64_t value);
/* A number, two's complement if negative; omitted if 0, the default. */
void pv_wire_append_number (PvWire *wire, unsigned field, uint64_t value);
void pv_wire_append_bytes (PvWire *wire, unsigned field, const void *data, size_t size_bytes);
/* A packed repeated field; writes nothing if n is 0. */
void pv_wire_append_packed (PvWire *wire, unsigned field, const uint64_t *values, size_t n);
