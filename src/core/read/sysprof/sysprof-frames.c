/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/sysprof/sysprof-frames.h"

#include <string.h>

#include "core/model/profile/profile.h"

enum {
    ALIGNMENT = 8,
    ORDER_OFFSET = 5,
    PATH_BYTES = 256,
    MARK_GROUP_BYTES = 24,
    MARK_NAME_BYTES = 40,
    COUNTER_NAME_BYTES = 32,
    COUNTER_DESCRIPTION_BYTES = 52,
    LOG_DOMAIN_BYTES = 32,
    METADATA_ID_BYTES = 40,
};

static const uint8_t magic[] = {0x5e, 0x97, 0xca, 0xfd};

bool
sysprof_has_magic (const uint8_t *data, size_t size_bytes)
{
    return size_bytes >= sizeof magic && memcmp (data, magic, sizeof magic) == 0;
}

SysprofCapture
sysprof_capture (const uint8_t *data, size_t size_bytes)
{
    g_assert (sysprof_has_magic (data, size_bytes));
    bool is_big = size_bytes > ORDER_OFFSET && (data[ORDER_OFFSET] & 1) == 0;
    return (SysprofCapture){.data = data,
                            .size_bytes = size_bytes,
                            .is_big_endian = is_big,
                            .swap = is_big != (G_BYTE_ORDER == G_BIG_ENDIAN)};
}

bool
sysprof_next_frame (const SysprofCapture *capture, size_t *at, SysprofFrame *ret_frame)
{
    g_assert (capture != NULL && at != NULL && ret_frame != NULL);
    if (*at > capture->size_bytes || capture->size_bytes - *at < SYSPROF_FRAME_BYTES)
        return false;
    PvCursor cursor = pv_cursor (capture->data + *at, capture->size_bytes - *at, capture->swap);
    size_t len = pv_cursor_u16 (&cursor);
    if (len < SYSPROF_FRAME_BYTES || len % ALIGNMENT != 0 || len > capture->size_bytes - *at)
        return false;
    int16_t cpu = (int16_t)pv_cursor_u16 (&cursor);
    int32_t pid = (int32_t)pv_cursor_u32 (&cursor);
    int64_t time_ns = (int64_t)pv_cursor_u64 (&cursor);
    *ret_frame = (SysprofFrame){
        .type = pv_cursor_u8 (&cursor),
        .pid = pid,
        .cpu = cpu < 0 ? PV_CPU_UNKNOWN : (uint16_t)cpu,
        .time_ns = time_ns > 0 ? (uint64_t)time_ns : 0,
        .at = *at,
        .body = pv_cursor (capture->data + *at + SYSPROF_FRAME_BYTES, len - SYSPROF_FRAME_BYTES,
                           capture->swap),
    };
    *at += len;
    return true;
}

/* --- parts of frames --- */

/* A text that ends with NUL or with its field; what follows the NUL is not of the recording. */
static PvText
take_field (PvCursor *cursor, size_t size_bytes)
{
    const char *at = (const char *)pv_cursor_take (cursor, size_bytes);
    return pv_text (at, at != NULL ? strnlen (at, size_bytes) : 0);
}

static PvText
take_rest (PvCursor *cursor)
{
    return take_field (cursor, pv_cursor_left (cursor));
}

static bool
take_addresses (PvCursor *cursor, uint32_t n, SysprofStack *ret)
{
    ret->n_addresses = n;
    ret->addresses = pv_cursor_take (cursor, (size_t)n * sizeof (uint64_t));
    ret->swap = cursor->swap;
    return !cursor->failed;
}

uint64_t
sysprof_stack_get (const SysprofStack *stack, uint32_t i)
{
    g_assert (i < stack->n_addresses);
    uint64_t value;
    memcpy (&value, stack->addresses + (size_t)i * sizeof value, sizeof value);
    return stack->swap ? GUINT64_SWAP_LE_BE (value) : value;
}

bool
sysprof_take_sample (const SysprofFrame *frame, SysprofStack *ret)
{
    PvCursor cursor = frame->body;
    *ret = (SysprofStack){0};
    uint32_t n = pv_cursor_u16 (&cursor);
    pv_cursor_skip (&cursor, 2); /* whatever was in memory there */
    ret->tid = (int32_t)pv_cursor_u32 (&cursor);
    return take_addresses (&cursor, n, ret);
}

bool
sysprof_take_allocation (const SysprofFrame *frame, SysprofAllocation *ret)
{
    PvCursor cursor = frame->body;
    *ret = (SysprofAllocation){0};
    ret->address = pv_cursor_u64 (&cursor);
    ret->size_bytes = (int64_t)pv_cursor_u64 (&cursor);
    ret->stack.tid = (int32_t)pv_cursor_u32 (&cursor);
    uint32_t n = pv_cursor_u16 (&cursor);
    pv_cursor_skip (&cursor, 2);
    return take_addresses (&cursor, n, &ret->stack);
}

bool
sysprof_take_map (const SysprofFrame *frame, SysprofMap *ret)
{
    PvCursor cursor = frame->body;
    *ret = (SysprofMap){.build_id = pv_text ("", 0)};
    ret->start = pv_cursor_u64 (&cursor);
    ret->end = pv_cursor_u64 (&cursor);
    ret->offset = pv_cursor_u64 (&cursor);
    ret->inode = pv_cursor_u64 (&cursor);
    if (cursor.failed)
        return false;
    ret->path = take_field (&cursor, pv_cursor_left (&cursor));
    PvCursor behind = frame->body;
    pv_cursor_skip (&behind, 4 * sizeof (uint64_t) + pv_text_len (ret->path));
    if (pv_cursor_left (&behind) > 2 && pv_cursor_u8 (&behind) == '\0' &&
        pv_cursor_u8 (&behind) == '@')
        ret->build_id = take_rest (&behind);
    return true;
}

PvText
sysprof_take_process (const SysprofFrame *frame)
{
    PvCursor cursor = frame->body;
    return take_rest (&cursor);
}

bool
sysprof_take_fork (const SysprofFrame *frame, int32_t *ret_child)
{
    PvCursor cursor = frame->body;
    *ret_child = (int32_t)pv_cursor_u32 (&cursor);
    return !cursor.failed;
}

uint32_t
sysprof_begin_jitmap (const SysprofFrame *frame, PvCursor *ret_cursor)
{
    *ret_cursor = frame->body;
    return pv_cursor_u32 (ret_cursor);
}

bool
sysprof_take_jit_name (PvCursor *cursor, SysprofJitName *ret)
{
    *ret = (SysprofJitName){.address = pv_cursor_u64 (cursor)};
    size_t len = 0;
    const char *name = pv_cursor_string (cursor, &len);
    ret->name = pv_text (name, len);
    return !cursor->failed;
}

bool
sysprof_take_mark (const SysprofFrame *frame, SysprofMark *ret)
{
    PvCursor cursor = frame->body;
    int64_t duration_ns = (int64_t)pv_cursor_u64 (&cursor);
    *ret = (SysprofMark){.duration_ns = duration_ns > 0 ? (uint64_t)duration_ns : 0};
    ret->group = take_field (&cursor, MARK_GROUP_BYTES);
    ret->name = take_field (&cursor, MARK_NAME_BYTES);
    if (cursor.failed)
        return false;
    ret->message = take_rest (&cursor);
    return true;
}

bool
sysprof_take_log (const SysprofFrame *frame, SysprofLog *ret)
{
    PvCursor cursor = frame->body;
    *ret = (SysprofLog){.severity = pv_cursor_u16 (&cursor)};
    pv_cursor_skip (&cursor, 6);
    ret->domain = take_field (&cursor, LOG_DOMAIN_BYTES);
    if (cursor.failed)
        return false;
    ret->message = take_rest (&cursor);
    return true;
}

uint32_t
sysprof_begin_counters (const SysprofFrame *frame, PvCursor *ret_cursor)
{
    *ret_cursor = frame->body;
    uint32_t n = pv_cursor_u16 (ret_cursor);
    pv_cursor_skip (ret_cursor, 6);
    return ret_cursor->failed ? 0 : n;
}

bool
sysprof_take_counter (const SysprofCapture *capture, PvCursor *cursor,
                      SysprofCounterDefinition *ret)
{
    *ret = (SysprofCounterDefinition){.category = take_field (cursor, COUNTER_NAME_BYTES)};
    ret->name = take_field (cursor, COUNTER_NAME_BYTES);
    ret->description = take_field (cursor, COUNTER_DESCRIPTION_BYTES);
    /* Bit-fields of 24 and of 8 bits, which begin at the other end on a big-endian machine. */
    uint32_t word = pv_cursor_u32 (cursor);
    ret->id = capture->is_big_endian ? word >> 8 : word & 0xffffff;
    ret->is_double = (capture->is_big_endian ? word & 0xff : word >> 24) == 1;
    pv_cursor_skip (cursor, sizeof (uint64_t)); /* a value at the start, by convention only */
    return !cursor->failed;
}

bool
sysprof_take_counter_values (PvCursor *cursor, SysprofCounterValues *ret)
{
    for (size_t i = 0; i < SYSPROF_COUNTERS_PER_GROUP; i++)
        ret->ids[i] = pv_cursor_u32 (cursor);
    for (size_t i = 0; i < SYSPROF_COUNTERS_PER_GROUP; i++)
        ret->values[i] = pv_cursor_u64 (cursor);
    return !cursor->failed;
}

bool
sysprof_take_metadata (const SysprofFrame *frame, SysprofMetadata *ret)
{
    PvCursor cursor = frame->body;
    *ret = (SysprofMetadata){.id = take_field (&cursor, METADATA_ID_BYTES)};
    if (cursor.failed)
        return false;
    ret->text = take_rest (&cursor);
    return true;
}

bool
sysprof_take_chunk (const SysprofCapture *capture, const SysprofFrame *frame, SysprofChunk *ret)
{
    PvCursor cursor = frame->body;
    *ret = (SysprofChunk){0};
    /* A bit-field of one bit, which begins at the other end on a big-endian machine. */
    uint8_t flags = pv_cursor_u8 (&cursor);
    ret->is_last = (flags & (capture->is_big_endian ? 0x80 : 1)) != 0;
    pv_cursor_skip (&cursor, 1);
    ret->size_bytes = pv_cursor_u16 (&cursor);
    ret->path = take_field (&cursor, PATH_BYTES);
    ret->data = pv_cursor_take (&cursor, ret->size_bytes);
    return !cursor.failed;
}
