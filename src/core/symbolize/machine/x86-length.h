/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The length of a 64-bit instruction that the disassembler does not know: with a VEX or EVEX
 * prefix, or of the maps 0F, 0F38 and 0F3A with a ModRM byte. Their layout is regular (Intel SDM,
 * volume 2, chapters 2.1 to 2.7 and appendix A). 0: no such instruction, or fewer bytes than it
 * takes. */
size_t pv_x86_find_length (const uint8_t *bytes, size_t size_bytes);
