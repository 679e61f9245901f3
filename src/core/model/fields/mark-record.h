/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/fields/fields.h"

/*
 * The record of a mark, what a program noted with a name and a duration, for formats that have no
 * fields of their own. A value; initialise with zeros, and set duration_ns.
 */
enum { PV_MARK_MAX_TEXT_BYTES = 4096 };

typedef enum { PV_MARK_NAME, PV_MARK_CATEGORY, PV_MARK_DETAILS, PV_MARK_N_TEXTS } PvMarkText;

typedef struct {
    uint64_t duration_ns;
    uint32_t place_of_text[PV_MARK_N_TEXTS]; /* where it is, and its size, see PvFieldPlace */
    uint32_t n_bytes;                        /* of the texts */
    char texts[PV_MARK_N_TEXTS * PV_MARK_MAX_TEXT_BYTES];
} PvMarkRecord;

/* The fields of such records: name, duration_ns, category, details. */
extern const PvField pv_mark_fields[];
extern const uint32_t pv_mark_n_fields;

/* Adds a text; all but the first 4,096 bytes are left out. */
void pv_mark_record_set_text (PvMarkRecord *record, PvMarkText which, const char *text,
                              size_t size_bytes);
/* Size of the record's data, which begins where the record does. */
size_t pv_mark_record_get_size (const PvMarkRecord *record);
