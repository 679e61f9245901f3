/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/write/pprof-wire.h"

enum { WIRE_VARINT = 0, WIRE_BYTES = 2, VARINT_MAX_BYTES = 10 };

void
pv_wire_clear (PvWire *wire)
{
    pv_array_clear (&wire->bytes);
}

void
pv_wire_append_varint (PvWire *wire, uint64_t value)
{
    pv_array_reserve (&wire->bytes, wire->bytes.len + VARINT_MAX_BYTES);
    uint8_t *out = wire->bytes.data + wire->bytes.len;
    while (value >= 0x80) {
        *out++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *out++ = (uint8_t)value;
    wire->bytes.len = (size_t)(out - wire->bytes.data);
}

static void
append_tag (PvWire *wire, unsigned field, unsigned type)
{
    pv_wire_append_varint (wire, (uint64_t)field << 3 | type);
}

void
pv_wire_append_number (PvWire *wire, unsigned field, uint64_t value)
{
    if (value == 0)
        return;
    append_tag (wire, field, WIRE_VARINT);
    pv_wire_append_varint (wire, value);
}

void
pv_wire_append_bytes (PvWire *wire, unsigned field, const void *data, size_t size_bytes)
{
    append_tag (wire, field, WIRE_BYTES);
    pv_wire_append_varint (wire, size_bytes);
    pv_array_append (&wire->bytes, data, size_bytes);
}

static size_t
count_varint_bytes (uint64_t value)
{
    return value == 0 ? 1 : (70 - (size_t)__builtin_clzll (value)) / 7;
}

void
pv_wire_append_packed (PvWire *wire, unsigned field, const uint64_t *values, size_t n)
{
    size_t size_bytes = 0;
    if (n == 0)
        return;
    for (size_t i = 0; i < n; i++)
        size_bytes += count_varint_bytes (values[i]);
    append_tag (wire, field, WIRE_BYTES);
    pv_wire_append_varint (wire, size_bytes);
    for (size_t i = 0; i < n; i++)
        pv_wire_append_varint (wire, values[i]);
}
