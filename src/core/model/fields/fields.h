/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The arguments that a recorder keeps with each sample of an event: a tracepoint's fields. The
 * bytes are as recorded, in the byte order of the recording machine; a field says where it is.
 */
typedef enum {
    PV_FIELD_UNSIGNED,
    PV_FIELD_SIGNED,
    PV_FIELD_ADDRESS, /* a pointer: shown in hexadecimal */
    PV_FIELD_TEXT,    /* characters, up to the first that is zero */
    PV_FIELD_BYTES,   /* anything else: an array of numbers */
} PvFieldKind;

typedef enum {
    PV_FIELD_HERE,
    /* The field is 32 bits: where the value is, in the lower half, and its size, in the upper. */
    PV_FIELD_ELSEWHERE, /* counted from the start of the data ("__data_loc") */
    PV_FIELD_BEHIND,    /* counted from the end of the field ("__rel_loc") */
} PvFieldPlace;

typedef struct {
    const char *name;
    uint32_t offset;
    uint32_t size_bytes;
    uint8_t kind;  /* PvFieldKind */
    uint8_t place; /* PvFieldPlace */
} PvField;

/* The bytes of a field's value; NULL where the data is too short. Any data, of any size, will do.
 */
const uint8_t *pv_field_find (const PvField *field, const uint8_t *data, size_t size_bytes,
                              bool swap, size_t *ret_size_bytes);

/* The value of a number; false where the field is none, or its data is too short. A signed one is
 * sign-extended. */
bool pv_field_get_number (const PvField *field, const uint8_t *data, size_t size_bytes, bool swap,
                          uint64_t *ret_number);

/* The value as text: a number in decimal, an address in hexadecimal ("0x7f12"), characters as they
 * are, other bytes in hexadecimal ("01 ff"). Nothing where the data is too short. */
void pv_field_append (GString *out, const PvField *field, const uint8_t *data, size_t size_bytes,
                      bool swap);
