# SPDX-License-Identifier: GPL-3.0-or-later
# A program whose debug information our reader refuses and libdw reads: attribute 0x12345 has more than the 16 bits
# that it keeps (DWARF reserves 0x2000 to 0x3fff for vendors, but the encoding has no limit). One unit has it at its
# root, one at an inlined call only. There are no symbols, so every name comes from libdw.
#
#     gcc -c foreign.s && ld --build-id=none -z noseparate-code -o foreign foreign.o && rm foreign.o
        .text
        .file   0 "/src" "shop.c"
        .file   1 "tools.h"

.Lserve:                                # in unit 1
        .loc    0 10
        nop
.Lweigh:                                # inlined into serve
        .loc    1 3
        nop
        nop
.Lweigh_end:
        .loc    0 12
        ret
.Lserve_end:
.Lpack:                                 # in unit 2
        .loc    0 20
        nop
.Lfold:                                 # inlined into pack
        .loc    1 7
        nop
        nop
.Lfold_end:
        .loc    0 22
        ret
.Lpack_end:

        .macro  attr name, form
        .uleb128 \name
        .uleb128 \form
        .endm
        .macro  abbrev code, tag, has_children
        .uleb128 \code
        .uleb128 \tag
        .byte   \has_children
        .endm

        .section .debug_abbrev,"",@progbits
.Labbrev:
        abbrev  1, 0x11, 1              # DW_TAG_compile_unit
        attr    0x03, 0x08              # DW_AT_name, DW_FORM_string
        attr    0x12345, 0x0b           # nobody's, DW_FORM_data1
        attr    0x1b, 0x08              # DW_AT_comp_dir
        attr    0x13, 0x0b              # DW_AT_language, DW_FORM_data1
        attr    0x10, 0x17              # DW_AT_stmt_list, DW_FORM_sec_offset
        attr    0x11, 0x01              # DW_AT_low_pc, DW_FORM_addr
        attr    0x12, 0x07              # DW_AT_high_pc, DW_FORM_data8
        .byte   0, 0
        abbrev  2, 0x11, 1              # the same without it
        attr    0x03, 0x08
        attr    0x1b, 0x08
        attr    0x13, 0x0b
        attr    0x10, 0x17
        attr    0x11, 0x01
        attr    0x12, 0x07
        .byte   0, 0
        abbrev  3, 0x2e, 0              # DW_TAG_subprogram: what is inlined
        attr    0x03, 0x08
        attr    0x3a, 0x0b              # DW_AT_decl_file
        attr    0x3b, 0x0b              # DW_AT_decl_line
        .byte   0, 0
        abbrev  4, 0x2e, 1              # DW_TAG_subprogram with code
        attr    0x03, 0x08
        attr    0x3a, 0x0b
        attr    0x3b, 0x0b
        attr    0x11, 0x01
        attr    0x12, 0x07
        .byte   0, 0
        abbrev  5, 0x1d, 0              # DW_TAG_inlined_subroutine
        attr    0x31, 0x13              # DW_AT_abstract_origin, DW_FORM_ref4
        attr    0x11, 0x01
        attr    0x12, 0x07
        attr    0x58, 0x0b              # DW_AT_call_file
        attr    0x59, 0x0b              # DW_AT_call_line
        .byte   0, 0
        abbrev  6, 0x1d, 0              # the same with it
        attr    0x31, 0x13
        attr    0x12345, 0x0b
        attr    0x11, 0x01
        attr    0x12, 0x07
        attr    0x58, 0x0b
        attr    0x59, 0x0b
        .byte   0, 0
        abbrev  7, 0x39, 1              # DW_TAG_namespace
        attr    0x03, 0x08
        .byte   0, 0
        .byte   0

        .section .debug_info,"",@progbits
.Lunit1:
        .long   .Lunit1_end - . - 4
        .value  5                       # version
        .byte   1, 8                    # DW_UT_compile, size of addresses
        .long   .Labbrev
        .uleb128 1
        .string "shop.c"
        .byte   99
        .string "/src"
        .byte   0x04                    # DW_LANG_C_plus_plus
        .long   .Lline
        .quad   .Lserve
        .quad   .Lserve_end - .Lserve
        .uleb128 7
        .string "tools"
.Ldie_weigh:
        .uleb128 3
        .string "weigh"
        .byte   1, 2
        .byte   0                       # of tools
        .uleb128 4
        .string "serve"
        .byte   0, 9
        .quad   .Lserve
        .quad   .Lserve_end - .Lserve
        .uleb128 5
        .long   .Ldie_weigh - .Lunit1
        .quad   .Lweigh
        .quad   .Lweigh_end - .Lweigh
        .byte   0, 11
        .byte   0                       # of serve
        .byte   0                       # of the unit
.Lunit1_end:
.Lunit2:
        .long   .Lunit2_end - . - 4
        .value  5
        .byte   1, 8
        .long   .Labbrev
        .uleb128 2
        .string "shop.c"
        .string "/src"
        .byte   0x04
        .long   .Lline
        .quad   .Lpack
        .quad   .Lpack_end - .Lpack
        .uleb128 7
        .string "tools"
.Ldie_fold:
        .uleb128 3
        .string "fold"
        .byte   1, 6
        .byte   0
        .uleb128 4
        .string "pack"
        .byte   0, 19
        .quad   .Lpack
        .quad   .Lpack_end - .Lpack
        .uleb128 6
        .long   .Ldie_fold - .Lunit2
        .byte   99
        .quad   .Lfold
        .quad   .Lfold_end - .Lfold
        .byte   0, 21
        .byte   0
        .byte   0
.Lunit2_end:

        .section .debug_line,"",@progbits
.Lline:
