/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdint.h>

/* clang-format off */
/*
 * The format of packs (.profview): one file with a profile, the names of its locations, and source
 * code if requested. This is its specification; core/write/pack and core/read/pack keep it.
 *
 * A file is a header and sections. All numbers of fixed size are little-endian.
 *
 *     header   PV_PACK_MAGIC (8 bytes), version (u32), 0 (u32)
 *     section  CRC-32 (u32, zlib's) of what follows: tag (u32, four ASCII characters), packed size
 *              (u32), unpacked size (u32), and the packed bytes, which are one frame of zstd
 *
 * A section is PV_PACK_MAX_SECTION_BYTES at most before it is packed. Tables are cut into as many
 * sections as they need; ids count on through them. Each section refers only to rows of sections
 * before it, so a file that was cut off, or has a damaged section, gives all that comes before.
 * The last section is PV_PACK_END: without it the file is incomplete. A reader skips sections with
 * tags it does not know. Whatever a reader of this version would misunderstand needs a new version:
 * version 2 is of packs that have the history of a heap instead of samples; all others have 1.
 *
 * In a section: "n" is a number of 7 bits a byte, the lowest first, as in LEB128; "z" is such a
 * number after zigzag (0, -1, 1, -2, ...); "d" is a z that is to be added to the d before it in the
 * same column, 0 at first; "s" is an n that names a string, 0 for none; "f" is an IEEE 754 double
 * of 8 bytes. "For each" is a row after the other until the section ends, "rows" is an n: how many;
 * a letter with * is a column, which has the values of all these rows. Row 0 of all tables is
 * "none" and is not written.
 *
 * Rows of PROC, THRD, DUMP, WAIT, LOSS, DIST, SUPP and NOTE are the members that
 * core/model/profile/rows.c lists; these are read and written by one loop.
 *
 *     STRS  for each: n bytes, and the bytes. Strings count from 1 on
 *     HEAD  s format, command, recorded_with, host, kernel_release, arch, cpu, recorder,
 *           call_graph, events, period, doc_url, drop_frames, keep_frames; n lines of
 *           comment, for so many: s line; n n_cpus, memory_bytes; z recorded_at, modified_at,
 *           recorded_at_ns; n profiled_ns, n_skipped_records, n_lost of which the time is not
 *           known, flags (1: is of allocations, 2: dumps have times). Once
 *     MODS  for each: s path, name; n kind, address_kind, flags (1: kernel, 2: main program; from
 *           4 on PvSectionKind), build-id size; its bytes; n load_addr, end_addr; s
 *           reference_symbol; n reference_addr; z pid, container_pid
 *     PROC  for each: z pid; s name; n start_ns, end_ns + 1 (0: still runs)
 *     THRD  for each: z tid; n process; s name; n start_ns, end_ns + 1
 *     LOCS  rows; n* module, n* kind, d* address
 *     FUNC  for each: n module, kind; s name, short_name, label, raw_name, file; n line
 *     NAMS  for each location in turn: n frames; for so many, innermost first: d function, n line,
 *           s file, n flags (1: inlined)
 *     SYMS  for each module from 0 on: n state (PvModuleSymbols), s file with the names
 *     LINK  for each module from 0 on: n segments, for so many: n start, n end - start, n link_addr:
 *           see PvLinkMap. After SYMS; may be missing
 *     STAK  rows; n* id - parent, d* location
 *     LABL  for each set of labels: n labels, for so many: s key, text; without a text: z number,
 *           s unit
 *     DUMP  for each: s name; n time_ns; z recorded_at; n flags (1: main)
 *     SETS  for each set of samples: s name; n flags (PV_PACK_SET_*), measures, for so many: s
 *           name; n unit; s unit_name; n aggregation, flags (1: delay), part; if that is not 0: n
 *           side, pair. With PV_PACK_SET_FIELDS: n swap, fields, for so many: s name; n offset,
 *           size_bytes, origin, kind, place, element_size. Of a series without the measures that
 *           are made of others
 *     MAIN  n set and column of the default measure
 *     WAIT  for each: n waker, waker_stack, state, flags (1: open)
 *     SAMP  n set, rows; d* time_ns, d* stack, d* thread, n* cpu, n* stack_end; with
 *           PV_PACK_SET_DURATIONS n* duration_ns; with _LABELS n* label set; with _WAITS n* wait;
 *           for each measure: n 1 and n weight of all, or n 0 and n* weight; with _FIELDS, for each
 *           row: n bytes + 1 (0: none), and the bytes
 *     LOSS  for each: n time_ns, n_lost
 *     CALL  n set, columns; for each call: n caller, callee, n_calls, and of each column n weight
 *           + 1 (0: unknown)
 *     CTOT  n set, columns; for each function: n location, and of each column n total + 1
 *     DIST  for each: s name, key; n kind, buckets, for so many: z first, last, n count; n rows,
 *           for so many: s key; z value; n count
 *     CNTR  s name, category, description; n unit, kind, flags (1: relative, 2: more samples of the
 *           counter before), process; rows; d* time_ns, f* value: of relative ones their changes
 *     HEAP  n flags (PV_PACK_HEAP_*), bin_ms, duration_ms. Once; without SETS and DUMP
 *     SITE  rows; d* stack: of each site that allocates, from 0 on
 *     HBIN  bins; n* frees, n* milliseconds from the bin's start to its highest moment, d* RSS in
 *           bytes, n* rows. These follow in HROW, and in as many sections as needed, before the
 *           next HBIN. There is a bin for each bin_ms up to duration_ms, which is in the last one
 *     HROW  rows, each of a site in a bin; d* site, n* allocated bytes, n* allocations, n*
 *           temporary, z* bytes allocated minus freed, z* the same until the highest moment, z*
 *           bytes times the milliseconds held until the end of the bin. Sites go up in a bin
 *     HBSZ  rows; d* bin, n* site, n* class of sizes, n* allocations, n* bytes: of sites that
 *           allocate in several classes, of all but the class that they began with. Bins go up, in
 *           a bin sites, and of these classes. After all bins, before HSIZ, which needs them to be
 *           complete; only with PV_PACK_HEAP_TIMED
 *     HSIZ  rows; d* site, n* class of sizes, n* allocations, n* bytes. Sites go up, and so do the
 *           classes of each
 *     HAGE  rows; d* site, n* class of ages, n* blocks that lived that long. The same
 *     SUPP  for each: s line of the program's leak suppressions
 *     NOTE  for each: n severity, kind, module; s text
 *     NNOT  the same, of the names; before the stacks
 *     SRCE  s path; n bytes, and the bytes. One file with source code
 *     END!  nothing
 */
/* clang-format on */
#define PV_PACK_MAGIC         "\x89PVPACK\n"
#define PV_PACK_MAGIC_BYTES   8u
#define PV_PACK_VERSION       2u
#define PV_PACK_VERSION_PLAIN 1u /* without a heap */
#define PV_PACK_HEADER_BYTES  16u
#define PV_PACK_SECTION_BYTES 16u /* what is before the packed bytes */

#define PV_PACK_MAX_SECTION_BYTES (16u << 20)
#define PV_PACK_MAX_ROWS          (1u << 16) /* of samples in one section */
#define PV_PACK_MAX_SOURCES       1000u

#define PV_PACK_TAG(a, b, c, d)                                                                    \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define PV_PACK_STRINGS        PV_PACK_TAG ('S', 'T', 'R', 'S')
#define PV_PACK_HEAD           PV_PACK_TAG ('H', 'E', 'A', 'D')
#define PV_PACK_MODULES        PV_PACK_TAG ('M', 'O', 'D', 'S')
#define PV_PACK_PROCESSES      PV_PACK_TAG ('P', 'R', 'O', 'C')
#define PV_PACK_THREADS        PV_PACK_TAG ('T', 'H', 'R', 'D')
#define PV_PACK_LOCATIONS      PV_PACK_TAG ('L', 'O', 'C', 'S')
#define PV_PACK_FUNCTIONS      PV_PACK_TAG ('F', 'U', 'N', 'C')
#define PV_PACK_NAMES          PV_PACK_TAG ('N', 'A', 'M', 'S')
#define PV_PACK_SYMBOLS        PV_PACK_TAG ('S', 'Y', 'M', 'S')
#define PV_PACK_LINKS          PV_PACK_TAG ('L', 'I', 'N', 'K')
#define PV_PACK_STACKS         PV_PACK_TAG ('S', 'T', 'A', 'K')
#define PV_PACK_LABELS         PV_PACK_TAG ('L', 'A', 'B', 'L')
#define PV_PACK_DUMPS          PV_PACK_TAG ('D', 'U', 'M', 'P')
#define PV_PACK_SETS           PV_PACK_TAG ('S', 'E', 'T', 'S')
#define PV_PACK_MAIN           PV_PACK_TAG ('M', 'A', 'I', 'N')
#define PV_PACK_WAITS          PV_PACK_TAG ('W', 'A', 'I', 'T')
#define PV_PACK_SAMPLES        PV_PACK_TAG ('S', 'A', 'M', 'P')
#define PV_PACK_LOSSES         PV_PACK_TAG ('L', 'O', 'S', 'S')
#define PV_PACK_CALLS          PV_PACK_TAG ('C', 'A', 'L', 'L')
#define PV_PACK_TOTALS         PV_PACK_TAG ('C', 'T', 'O', 'T')
#define PV_PACK_DISTRIBUTIONS  PV_PACK_TAG ('D', 'I', 'S', 'T')
#define PV_PACK_COUNTERS       PV_PACK_TAG ('C', 'N', 'T', 'R')
#define PV_PACK_HEAP           PV_PACK_TAG ('H', 'E', 'A', 'P')
#define PV_PACK_SITES          PV_PACK_TAG ('S', 'I', 'T', 'E')
#define PV_PACK_HEAP_BINS      PV_PACK_TAG ('H', 'B', 'I', 'N')
#define PV_PACK_HEAP_ROWS      PV_PACK_TAG ('H', 'R', 'O', 'W')
#define PV_PACK_HEAP_BIN_SIZES PV_PACK_TAG ('H', 'B', 'S', 'Z')
#define PV_PACK_HEAP_SIZES     PV_PACK_TAG ('H', 'S', 'I', 'Z')
#define PV_PACK_HEAP_AGES      PV_PACK_TAG ('H', 'A', 'G', 'E')
#define PV_PACK_SUPPRESSIONS   PV_PACK_TAG ('S', 'U', 'P', 'P')
#define PV_PACK_NOTES          PV_PACK_TAG ('N', 'O', 'T', 'E')
#define PV_PACK_NAME_NOTES     PV_PACK_TAG ('N', 'N', 'O', 'T')
#define PV_PACK_SOURCE         PV_PACK_TAG ('S', 'R', 'C', 'E')
#define PV_PACK_END            PV_PACK_TAG ('E', 'N', 'D', '!')

#define PV_PACK_SET_DERIVED   1u
#define PV_PACK_SET_EXACT     2u
#define PV_PACK_SET_DURATIONS 4u
#define PV_PACK_SET_LABELS    8u
#define PV_PACK_SET_WAITS     16u
#define PV_PACK_SET_FIELDS    32u

#define PV_PACK_HEAP_EXACT    1u
#define PV_PACK_HEAP_ATTACHED 2u
#define PV_PACK_HEAP_CUT      4u
#define PV_PACK_HEAP_TIMED    8u /* sizes are known by time, maybe without HBSZ */
