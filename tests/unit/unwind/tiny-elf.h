/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Writes a shared object of one executable segment into the temporary folder: its code is at file
 * offset TINY_ELF_TEXT and at link address TINY_ELF_BIAS + TINY_ELF_TEXT. Returns its path, to be
 * given to tiny_elf_remove (). */
enum { TINY_ELF_TEXT = 0x1000, TINY_ELF_BIAS = 0x200000, TINY_ELF_SIZE = 0x4000 };

/* Parts of the code that are sections of their own, by offset in the code: a procedure linkage
 * table of four entries, .init, and where the program begins. It calls itself a Go program. */
enum { TINY_ELF_PLT = 0x400, TINY_ELF_INIT = 0x480, TINY_ELF_ENTRY = 0x500 };

char *tiny_elf_write (uint16_t machine, const uint8_t *code, size_t code_size,
                      const uint8_t *eh_frame, size_t eh_frame_size);
void tiny_elf_remove (char *path);
