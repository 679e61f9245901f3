/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of tables, one member after the other.
 */
#include "core/model/profile/rows.h"
#include "core/read/pack/pack-reading.h"

static uint32_t
take_enum (PvCursor *cursor, const PvRowMember *member)
{
    if (member->type == PV_MEMBER_ENUM)
        return pv_pack_below (cursor, member->n_values);
    uint64_t number = pv_cursor_varint (cursor);
    return number < member->n_values ? (uint32_t)number : 0;
}

static uint32_t
take_id (PvPackReading *self, PvCursor *cursor, PvMemberType type)
{
    return pv_pack_below (cursor, type == PV_MEMBER_MODULE    ? self->n_modules
                                  : type == PV_MEMBER_PROCESS ? self->n_processes
                                  : type == PV_MEMBER_THREAD  ? self->n_threads
                                                              : self->n_stacks);
}

static void take_members (PvPackReading *self, PvCursor *cursor, const PvRowMember *members,
                          void *row);

static void
take_rows (PvPackReading *self, PvCursor *cursor, const PvRowMember *member, void *row)
{
    uint64_t n = pv_cursor_varint (cursor), n_members = 0;
    while (member->rows[n_members].type != PV_MEMBER_NONE)
        n_members++;
    if (n > pv_cursor_left (cursor) / n_members) {
        cursor->failed = true;
        return;
    }
    char *rows = pv_arena_alloc0 (self->section_arena, n * member->size_bytes);
    for (uint64_t i = 0; i < n && pv_pack_step (self, cursor); i++)
        take_members (self, cursor, member->rows, rows + i * member->size_bytes);
    *pv_row_count (member, row) = (uint32_t)n;
    *(void **)pv_row_member (member, row) = rows;
}

static void
take_members (PvPackReading *self, PvCursor *cursor, const PvRowMember *members, void *row)
{
    for (const PvRowMember *member = members; member->type != PV_MEMBER_NONE; member++) {
        void *value = pv_row_member (member, row);
        const char *text;
        switch (member->type) {
        case PV_MEMBER_TEXT:
        case PV_MEMBER_NAME:
            text = pv_pack_string (self, cursor);
            *(const char **)value = text == NULL && member->type == PV_MEMBER_NAME ? "" : text;
            break;
        case PV_MEMBER_BOOL:
            *(bool *)value = (pv_cursor_varint (cursor) & 1) != 0;
            break;
        case PV_MEMBER_CHAR:
            *(char *)value = (char)pv_pack_below (cursor, 0x7f);
            break;
        case PV_MEMBER_INT32:
            *(int32_t *)value = pv_pack_int32 (cursor);
            break;
        case PV_MEMBER_INT64:
            *(int64_t *)value = pv_pack_signed (cursor);
            break;
        case PV_MEMBER_UINT64:
            *(uint64_t *)value = pv_cursor_varint (cursor);
            break;
        case PV_MEMBER_END_NS:
            *(uint64_t *)value = pv_cursor_varint (cursor) - 1;
            break;
        case PV_MEMBER_ENUM:
        case PV_MEMBER_OPEN_ENUM:
            *(uint32_t *)value = take_enum (cursor, member);
            break;
        case PV_MEMBER_ROWS:
            take_rows (self, cursor, member, row);
            break;
        default:
            *(uint32_t *)value = take_id (self, cursor, member->type);
            break;
        }
    }
}

bool
pv_pack_take_row (PvPackReading *self, PvCursor *cursor, PvProfileTable table, void *ret_row)
{
    const PvRowType *type = &pv_row_types[table];
    if (pv_cursor_left (cursor) == 0)
        return false;
    memset (ret_row, 0, type->size_bytes);
    take_members (self, cursor, type->members, ret_row);
    return pv_pack_step (self, cursor);
}
