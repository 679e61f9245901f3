/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/model/build/builder.h"

/*
 * Additions of Android's simpleperf to perf.data: names of functions and facts in feature sections
 * from bit 128 on, or in records from type 32768 on, whose sizes have 32 bits. They are of
 * little-endian machines.
 */
#define PV_SIMPLEPERF_FIRST_FEATURE 128u
#define PV_SIMPLEPERF_FIRST_RECORD  32768u
#define PV_SIMPLEPERF_END_RECORD    33024u

enum {
    PV_SIMPLEPERF_FEATURE_FILES = 128,
    PV_SIMPLEPERF_FEATURE_INFO = 129,
    PV_SIMPLEPERF_FEATURE_FILES_2 = 132, /* in place of 128 */
    PV_SIMPLEPERF_FEATURE_FIRST_RECORDS = 134,
};

enum {
    PV_SIMPLEPERF_RECORD_KERNEL_SYMBOLS = 32769,
    PV_SIMPLEPERF_RECORD_PIECE = 32772, /* of a record that is larger than 64 KiB */
    PV_SIMPLEPERF_RECORD_LAST_PIECE = 32773,
    PV_SIMPLEPERF_RECORD_EVENT_IDS = 32774,
    PV_SIMPLEPERF_RECORD_TRACING_DATA = 32777,
    PV_SIMPLEPERF_RECORD_DEBUG = 32778, /* the last one we know */
};

typedef struct PvSimpleperf PvSimpleperf;

PvSimpleperf *pv_simpleperf_new (void);
void pv_simpleperf_free (PvSimpleperf *self);

/* Take what a section has, or a record without its header. Those that are damaged give what comes
 * before the damage. Nothing points into data later. True, once, for the section that has facts and
 * the names of events. */
bool pv_simpleperf_take_feature (PvSimpleperf *self, uint32_t feature, const uint8_t *data,
                                 size_t size_bytes);
void pv_simpleperf_take_record (PvSimpleperf *self, uint32_t type, const uint8_t *data,
                                size_t size_bytes);

/* Takes a piece of a record, with the piece's header. Returns the record after the last one, for as
 * long as self lives; else NULL. */
const uint8_t *pv_simpleperf_join (PvSimpleperf *self, const uint8_t *piece, size_t size_bytes,
                                   size_t *ret_size_bytes);

/* The size of one of simpleperf's records, with its header of eight bytes. */
size_t pv_simpleperf_get_size (const uint8_t *record);

/* True if anything has been taken. */
bool pv_simpleperf_is_used (const PvSimpleperf *self);

/* Fills in the recorder and the device, if they are known. */
void pv_simpleperf_set_facts (const PvSimpleperf *self, PvProfileBuilder *builder);
/* The name of an event, by the fields of its perf_event_attr, with suffix; g_free () it; NULL:
 * none.
 */
char *pv_simpleperf_make_event_name (const PvSimpleperf *self, uint32_t type, uint64_t config,
                                     const char *suffix);

/* True for a file that simpleperf made of one method that was compiled at run time. */
bool pv_simpleperf_is_jit_path (const char *path);

/* True for files whose methods may run from mappings that are not executable: those, and Java's
 * classes. */
bool pv_simpleperf_has_methods (const PvSimpleperf *self, const char *path);

/* True if functions of the file have names by their link addresses; these are then
 * runtime_addr - start + *ret_offset in a mapping from start on, at this offset in the file. */
bool pv_simpleperf_get_link_offset (const PvSimpleperf *self, const char *path,
                                    uint64_t file_offset, uint64_t *ret_offset);

/* The names of a file, in no order; 0: none. Valid as long as nothing more is taken. */
size_t pv_simpleperf_get_names (const PvSimpleperf *self, const char *path,
                                const PvNamedRange **ret_names);

/* Gives a module the names of its file, or of perf-PID.map, if there are any; those of kernel
 * modules by where it was loaded. A crafted file can have so many modules of a file that the
 * last get none. */
void pv_simpleperf_name_module (PvSimpleperf *self, PvProfileBuilder *builder, PvModuleId module);
