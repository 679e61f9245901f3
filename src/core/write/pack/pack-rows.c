/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of tables, one member after the other.
 */
#include "core/write/pack/pack-rows.h"

#include "core/model/pack/pack-format.h"

/* Sections are about as large: a file that was cut off loses no more. */
enum { SECTION_BYTES = 1 << 20 };

void
pv_pack_end_row (PvPackFile *file, uint32_t tag)
{
    if (pv_pack_file_get_size (file) >= SECTION_BYTES)
        pv_pack_file_end_section (file, tag);
}

void
pv_pack_end_rows (PvPackFile *file, uint32_t tag)
{
    if (pv_pack_file_get_size (file) > 0)
        pv_pack_file_end_section (file, tag);
}

static void
put_row (PvPackFile *file, const PvRowMember *members, const void *row)
{
    for (const PvRowMember *member = members; member->type != PV_MEMBER_NONE; member++) {
        const void *value = pv_row_member (member, row);
        uint32_t n;
        switch (member->type) {
        case PV_MEMBER_TEXT:
        case PV_MEMBER_NAME:
            pv_pack_file_put_string (file, *(const char *const *)value);
            break;
        case PV_MEMBER_BOOL:
            pv_pack_file_put (file, *(const bool *)value ? 1 : 0);
            break;
        case PV_MEMBER_CHAR:
            pv_pack_file_put (file, *(const uint8_t *)value);
            break;
        case PV_MEMBER_INT32:
            pv_pack_file_put_signed (file, *(const int32_t *)value);
            break;
        case PV_MEMBER_INT64:
            pv_pack_file_put_signed (file, *(const int64_t *)value);
            break;
        case PV_MEMBER_UINT64:
            pv_pack_file_put (file, *(const uint64_t *)value);
            break;
        case PV_MEMBER_END_NS:
            pv_pack_file_put (file, *(const uint64_t *)value + 1);
            break;
        case PV_MEMBER_ROWS:
            n = *pv_row_count (member, row);
            pv_pack_file_put (file, n);
            for (uint32_t i = 0; i < n; i++)
                put_row (file, member->rows, *(const char *const *)value + i * member->size_bytes);
            break;
        default: /* enums and ids */
            pv_pack_file_put (file, *(const uint32_t *)value);
            break;
        }
    }
}

void
pv_pack_write_rows (PvPackFile *file, uint32_t tag, PvProfileTable table, const void *rows,
                    uint32_t first, uint32_t n)
{
    const PvRowType *type = &pv_row_types[table];
    for (uint32_t r = first; r < n; r++) {
        put_row (file, type->members, (const char *)rows + r * type->size_bytes);
        /* A section of waits has so many. */
        if (table == PV_PROFILE_WAITS && r % PV_PACK_MAX_ROWS == 0)
            pv_pack_file_end_section (file, tag);
        else
            pv_pack_end_row (file, tag);
    }
    pv_pack_end_rows (file, tag);
}

void
pv_pack_write_table (PvPackFile *file, uint32_t tag, const PvProfile *profile, PvProfileTable table,
                     uint32_t first)
{
    const PvRows *rows = &profile->tables[table];
    pv_pack_write_rows (file, tag, table, rows->rows, first, rows->n_rows);
}
