/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "eh-frame-maker.h"

#include <dwarf.h>
#include <string.h>

void
eh_frame_clear (EhFrame *frame)
{
    pv_array_clear (&frame->bytes);
}

static void
add_u32 (EhFrame *frame, uint32_t value)
{
    pv_array_append (&frame->bytes, (const uint8_t *)&value, sizeof value);
}

static void
add_u64 (EhFrame *frame, uint64_t value)
{
    pv_array_append (&frame->bytes, (const uint8_t *)&value, sizeof value);
}

static void
add_u8 (EhFrame *frame, uint8_t value)
{
    pv_array_push (&frame->bytes, value);
}

/* Pads the entry that began at offset and sets its length. */
static void
finish_entry (EhFrame *frame, size_t offset)
{
    while ((frame->bytes.len - offset) % 8 != 4)
        add_u8 (frame, DW_CFA_nop);
    uint32_t length = (uint32_t)(frame->bytes.len - offset - 4);
    memcpy (frame->bytes.data + offset, &length, sizeof length);
}

void
eh_frame_add_cie (EhFrame *frame, const char *letters, uint8_t ra, const uint8_t *instructions,
                  size_t n_instructions)
{
    frame->cie = frame->bytes.len;
    add_u32 (frame, 0);
    add_u32 (frame, frame->is_debug_frame ? UINT32_MAX : 0);
    add_u8 (frame, 1);
    if (!frame->is_debug_frame) {
        add_u8 (frame, 'z');
        add_u8 (frame, 'R');
        pv_array_append (&frame->bytes, (const uint8_t *)letters, strlen (letters));
    }
    add_u8 (frame, 0);
    add_u8 (frame, 1);
    add_u8 (frame, 0x78); /* -8 */
    add_u8 (frame, ra);
    if (!frame->is_debug_frame) {
        add_u8 (frame, 1);
        add_u8 (frame, DW_EH_PE_absptr);
    }
    pv_array_append (&frame->bytes, instructions, n_instructions);
    finish_entry (frame, frame->cie);
}

void
eh_frame_add_fde (EhFrame *frame, uint64_t start, uint64_t size, const uint8_t *instructions,
                  size_t n_instructions)
{
    size_t offset = frame->bytes.len;
    add_u32 (frame, 0);
    add_u32 (frame, (uint32_t)(frame->is_debug_frame ? frame->cie : offset + 4 - frame->cie));
    add_u64 (frame, start);
    add_u64 (frame, size);
    if (!frame->is_debug_frame)
        add_u8 (frame, 0);
    pv_array_append (&frame->bytes, instructions, n_instructions);
    finish_entry (frame, offset);
}

PvCfiSection
eh_frame_section (const EhFrame *frame)
{
    return (PvCfiSection){
        .data = frame->bytes.data,
        .size_bytes = frame->bytes.len,
        .link_addr = frame->link_addr,
        .is_debug_frame = frame->is_debug_frame,
    };
}

void
eh_frame_add_common_cie (EhFrame *frame)
{
    static const uint8_t instructions[] = {DW_CFA_def_cfa, 7, 8, DW_CFA_offset | 16, 1};
    eh_frame_add_cie (frame, "", 16, instructions, sizeof instructions);
}
