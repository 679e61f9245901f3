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
    PV_FIELD_BYTES,   /* anything else: an array of numbers, or a structure */
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
    uint32_t origin;      /* the data begins so far behind where "elsewhere" is counted from */
    uint8_t kind;         /* PvFieldKind */
    uint8_t place;        /* PvFieldPlace */
    uint8_t element_size; /* of the numbers in an array; 0: not known, or no array */
} PvField;

/* The fields of an event, in the order of the recording. */
typedef struct {
    uint32_t n_fields;
    const PvField *fields;
    bool swap; /* the data has the other byte order */
} PvFields;

/* The field with this name, or NULL. */
const PvField *pv_fields_find (const PvFields *fields, const char *name);

/* True if the field's values are numbers, so that they can be summed up. */
static inline bool
pv_field_is_number (const PvField *field)
{
    return field->kind <= PV_FIELD_SIGNED && field->place == PV_FIELD_HERE;
}

/* The value of a number field, sign-extended if it is signed; false if the field is no number, or
 * its data is too short. */
bool pv_field_get_number (const PvField *field, const uint8_t *data, size_t size_bytes, bool swap,
                          uint64_t *ret_number);

/* The value as text: a number in decimal, an address in hexadecimal ("0x7f12"), characters as they
 * are, the numbers of an array in hexadecimal ("0x1,0x7f12"), other bytes too ("01 ff"). Nothing
 * where the data is too short. */
void pv_field_append (GString *out, const PvField *field, const uint8_t *data, size_t size_bytes,
                      bool swap);
