/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/cursor.h"
#include "core/read/text/text.h"

/*
 * The frames of a capture: after a header of 256 bytes they follow one another, each with its
 * length, in the byte order of the machine that recorded. Offsets below count from a frame's start.
 * Nothing here allocates; texts and addresses lie in the capture's bytes.
 */
enum {
    SYSPROF_HEADER_BYTES = 256,
    SYSPROF_FRAME_BYTES = 24, /* of a frame's header */
    SYSPROF_VERSION = 1,
};

typedef enum {
    SYSPROF_TIMESTAMP = 1,
    SYSPROF_SAMPLE,
    SYSPROF_MAP,
    SYSPROF_PROCESS,
    SYSPROF_FORK,
    SYSPROF_EXIT,
    SYSPROF_JITMAP,
    SYSPROF_COUNTER_DEFINITION,
    SYSPROF_COUNTER_VALUES,
    SYSPROF_MARK,
    SYSPROF_METADATA,
    SYSPROF_LOG,
    SYSPROF_FILE_CHUNK,
    SYSPROF_ALLOCATION,
    SYSPROF_OVERLAY,
    SYSPROF_TRACE,
    SYSPROF_DBUS_MESSAGE,
    SYSPROF_N_TYPES
} SysprofType;

typedef struct {
    const uint8_t *data;
    size_t size_bytes;
    bool is_big_endian;
    bool swap; /* not in the byte order of this machine */
} SysprofCapture;

/* The first bytes of a capture, in either byte order. */
bool sysprof_has_magic (const uint8_t *data, size_t size_bytes);
/* The data must have the magic number and stay as long as the capture. */
SysprofCapture sysprof_capture (const uint8_t *data, size_t size_bytes);

typedef struct {
    unsigned type;    /* SysprofType, or one that is not known */
    int32_t pid;      /* -1: none */
    uint16_t cpu;     /* or PV_CPU_UNKNOWN */
    uint64_t time_ns; /* 0: unknown */
    size_t at;        /* in the capture */
    PvCursor body;    /* the bytes after the frame's header */
} SysprofFrame;

/* The frame at *at, and where the next one begins. False at the end of the capture, where *at stays
 * what it is: less than the capture's size if the rest is cut off or damaged. */
bool sysprof_next_frame (const SysprofCapture *capture, size_t *at, SysprofFrame *ret_frame);

/* --- what is in a frame; false: damaged --- */

/* Addresses as recorded, leaf first, not aligned. */
typedef struct {
    int32_t tid;
    uint32_t n_addresses;
    const uint8_t *addresses;
    bool swap;
} SysprofStack;

uint64_t sysprof_stack_get (const SysprofStack *stack, uint32_t i);

bool sysprof_take_sample (const SysprofFrame *frame, SysprofStack *ret);

typedef struct {
    uint64_t address;
    int64_t size_bytes; /* 0 or less: freed */
    SysprofStack stack;
} SysprofAllocation;

bool sysprof_take_allocation (const SysprofFrame *frame, SysprofAllocation *ret);

typedef struct {
    uint64_t start, end, offset, inode;
    PvText path;
    PvText build_id; /* in hexadecimal; "": none */
} SysprofMap;

bool sysprof_take_map (const SysprofFrame *frame, SysprofMap *ret);

/* The command line of a process. */
PvText sysprof_take_process (const SysprofFrame *frame);
bool sysprof_take_fork (const SysprofFrame *frame, int32_t *ret_child);

typedef struct {
    uint64_t address;
    PvText name;
} SysprofJitName;

/* The names of a JITMAP frame one after the other; *cursor begins as the frame's body after
 * sysprof_begin_jitmap (). */
uint32_t sysprof_begin_jitmap (const SysprofFrame *frame, PvCursor *ret_cursor);
bool sysprof_take_jit_name (PvCursor *cursor, SysprofJitName *ret);

typedef struct {
    uint64_t duration_ns;
    PvText group, name, message;
} SysprofMark;

bool sysprof_take_mark (const SysprofFrame *frame, SysprofMark *ret);

typedef struct {
    unsigned severity; /* a level of GLib */
    PvText domain, message;
} SysprofLog;

bool sysprof_take_log (const SysprofFrame *frame, SysprofLog *ret);

typedef struct {
    uint32_t id;
    bool is_double; /* its values are; else they are integers */
    PvText category, name, description;
} SysprofCounterDefinition;

/* The definitions in a frame one after the other; *cursor begins as the frame's body after
 * sysprof_begin_counters (), which gives their number. */
uint32_t sysprof_begin_counters (const SysprofFrame *frame, PvCursor *ret_cursor);
bool sysprof_take_counter (const SysprofCapture *capture, PvCursor *cursor,
                           SysprofCounterDefinition *ret);

/* A group of values; its type is in the counter's definition. */
enum { SYSPROF_COUNTERS_PER_GROUP = 8 };

typedef struct {
    uint32_t ids[SYSPROF_COUNTERS_PER_GROUP]; /* 0: no value */
    uint64_t values[SYSPROF_COUNTERS_PER_GROUP];
} SysprofCounterValues;

/* As above, for the groups of a frame. */
bool sysprof_take_counter_values (PvCursor *cursor, SysprofCounterValues *ret);

typedef struct {
    PvText id, text;
} SysprofMetadata;

bool sysprof_take_metadata (const SysprofFrame *frame, SysprofMetadata *ret);

typedef struct {
    bool is_last;
    PvText path;
    const uint8_t *data;
    size_t size_bytes;
} SysprofChunk;

bool sysprof_take_chunk (const SysprofCapture *capture, const SysprofFrame *frame,
                         SysprofChunk *ret);
