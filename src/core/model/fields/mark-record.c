/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/fields/mark-record.h"

#include <string.h>

#define TEXT_FIELD(title, which)                                                                   \
    {                                                                                              \
        .name = title, .offset = offsetof (PvMarkRecord, place_of_text[which]),                    \
        .size_bytes = sizeof (uint32_t), .kind = PV_FIELD_TEXT, .place = PV_FIELD_ELSEWHERE        \
    }

const PvField pv_mark_fields[] = {
    TEXT_FIELD ("name", PV_MARK_NAME),
    {.name = "duration_ns",
     .offset = offsetof (PvMarkRecord, duration_ns),
     .size_bytes = sizeof (uint64_t),
     .kind = PV_FIELD_UNSIGNED},
    TEXT_FIELD ("category", PV_MARK_CATEGORY),
    TEXT_FIELD ("details", PV_MARK_DETAILS),
};
const uint32_t pv_mark_n_fields = G_N_ELEMENTS (pv_mark_fields);

void
pv_mark_record_set_text (PvMarkRecord *record, PvMarkText which, const char *text,
                         size_t size_bytes)
{
    g_assert (record != NULL && which < PV_MARK_N_TEXTS && (text != NULL || size_bytes == 0));
    const size_t len = MIN (size_bytes, PV_MARK_MAX_TEXT_BYTES);
    const size_t at = pv_mark_record_get_size (record);
    g_assert (at + len <= sizeof *record);
    if (len > 0)
        memcpy ((char *)record + at, text, len);
    record->place_of_text[which] = (uint32_t)at | (uint32_t)len << 16;
    record->n_bytes += (uint32_t)len;
}

size_t
pv_mark_record_get_size (const PvMarkRecord *record)
{
    return offsetof (PvMarkRecord, texts) + record->n_bytes;
}
