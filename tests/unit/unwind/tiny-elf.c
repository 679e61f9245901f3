/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tiny-elf.h"

#include <elf.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

enum { EH_FRAME = 0x3000, SECTIONS = 0x400, NAMES = 0x800, N_SECTIONS = 6 };

static Elf64_Shdr
make_code_section (unsigned name, unsigned code_offset, unsigned size)
{
    return (Elf64_Shdr){
        .sh_name = name,
        .sh_type = SHT_PROGBITS,
        .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
        .sh_addr = TINY_ELF_BIAS + TINY_ELF_TEXT + code_offset,
        .sh_offset = TINY_ELF_TEXT + code_offset,
        .sh_size = size,
    };
}

char *
tiny_elf_write (uint16_t machine, const uint8_t *code, size_t code_size, const uint8_t *eh_frame,
                size_t eh_frame_size)
{
    static const char names[] = "\0.text\0.eh_frame\0.shstrtab\0.plt\0.init";
    g_autofree uint8_t *file = g_malloc0 (TINY_ELF_SIZE);
    g_assert_cmpuint (code_size, <=, EH_FRAME - TINY_ELF_TEXT);
    g_assert_cmpuint (eh_frame_size, <=, TINY_ELF_SIZE - EH_FRAME);
    Elf64_Ehdr header = {
        .e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
        .e_type = ET_DYN,
        .e_machine = machine,
        .e_version = EV_CURRENT,
        .e_phoff = sizeof header,
        .e_shoff = SECTIONS,
        .e_entry = TINY_ELF_BIAS + TINY_ELF_TEXT + TINY_ELF_ENTRY,
        .e_ehsize = sizeof header,
        .e_phentsize = sizeof (Elf64_Phdr),
        .e_phnum = 1,
        .e_shentsize = sizeof (Elf64_Shdr),
        .e_shnum = N_SECTIONS,
        .e_shstrndx = 3,
    };
    Elf64_Phdr segment = {
        .p_type = PT_LOAD,
        .p_flags = PF_R | PF_X,
        .p_vaddr = TINY_ELF_BIAS,
        .p_filesz = TINY_ELF_SIZE,
        .p_memsz = TINY_ELF_SIZE,
        .p_align = 0x1000,
    };
    Elf64_Shdr sections[N_SECTIONS] = {
        [1] = {.sh_name = 1,
               .sh_type = SHT_PROGBITS,
               .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
               .sh_addr = TINY_ELF_BIAS + TINY_ELF_TEXT,
               .sh_offset = TINY_ELF_TEXT,
               .sh_size = code_size},
        [2] = {.sh_name = 7,
               .sh_type = SHT_PROGBITS,
               .sh_flags = SHF_ALLOC,
               .sh_addr = TINY_ELF_BIAS + EH_FRAME,
               .sh_offset = EH_FRAME,
               .sh_size = eh_frame_size},
        [3] = {.sh_name = 17, .sh_type = SHT_STRTAB, .sh_offset = NAMES, .sh_size = sizeof names},
        [4] = make_code_section (27, TINY_ELF_PLT, 0x40),
        [5] = make_code_section (32, TINY_ELF_INIT, 0x10),
    };
    memcpy (file, &header, sizeof header);
    memcpy (file + header.e_phoff, &segment, sizeof segment);
    memcpy (file + SECTIONS, sections, sizeof sections);
    memcpy (file + NAMES, names, sizeof names);
    memcpy (file + TINY_ELF_TEXT, code, code_size);
    memcpy (file + EH_FRAME, eh_frame, eh_frame_size);

    char *path = NULL;
    int fd = g_file_open_tmp ("tiny-elf-XXXXXX", &path, NULL);
    g_assert_cmpint (fd, >=, 0);
    g_assert_cmpint (write (fd, file, TINY_ELF_SIZE), ==, TINY_ELF_SIZE);
    close (fd);
    return path;
}

void
tiny_elf_remove (char *path)
{
    unlink (path);
    g_free (path);
}
