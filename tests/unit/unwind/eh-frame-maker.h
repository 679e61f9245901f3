/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/array.h"
#include "core/symbolize/cfi/cfi.h"

/* Makes .eh_frame or .debug_frame sections by hand. */
typedef struct {
    PV_ARRAY (uint8_t) bytes;
    uint64_t link_addr;
    bool is_debug_frame;
    size_t cie; /* the last one */
} EhFrame;

void eh_frame_clear (EhFrame *frame);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EhFrame, eh_frame_clear)

/* Adds a CIE: code alignment 1, data alignment -8, return register and instructions as told,
 * pointers absolute and 8 bytes long. letters go behind "zR" of the augmentation. */
void eh_frame_add_cie (EhFrame *frame, const char *letters, uint8_t ra, const uint8_t *instructions,
                       size_t n_instructions);

void eh_frame_add_fde (EhFrame *frame, uint64_t start, uint64_t size, const uint8_t *instructions,
                       size_t n_instructions);

PvCfiSection eh_frame_section (const EhFrame *frame);

/* The CIE of ordinary x86_64 code: CFA rsp+8, return address at CFA-8. */
void eh_frame_add_common_cie (EhFrame *frame);

/* For instructions written as lists. */
#define EH_FRAME_FDE(frame, start, size, ...)                                                      \
    eh_frame_add_fde ((frame), (start), (size), (const uint8_t[]){__VA_ARGS__},                    \
                      sizeof (const uint8_t[]){__VA_ARGS__})
