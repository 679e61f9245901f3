/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/model/build/builder.h"
#include "core/read/bpftrace/bpftrace-text.h"

/* A line of a stack. */
typedef struct {
    PvText name;   /* "0x…" where it is only an address; may be empty */
    PvText module; /* without parentheses; empty: not given */
    PvText file;   /* empty: not given */
    uint32_t line;
    uint64_t address; /* 0: not given */
    bool is_inlined;  /* into the frame of the next line */
    bool is_unknown;  /* the name is an address, or none */
} BpftraceFrame;

/* Where code ran, as far as a stack can say. */
typedef enum { BPFTRACE_EITHER, BPFTRACE_KERNEL, BPFTRACE_USER } BpftraceSide;

/* Tells the kernel's stacks from those of programs by addresses and by the functions with which
 * stacks begin. */
BpftraceSide bpftrace_judge_stack (PvText stack);

/* Makes locations of lines. Initialise with zeros and the builder. */
typedef struct {
    PvProfileBuilder *builder;
    PvHashMap locations; /* by side and bytes */
    PvHashMap modules;   /* by side and name */
    uint64_t ordinal;
    PV_ARRAY (PvGivenFrame) frames;
    PV_ARRAY (PvLocationId) stack; /* leaf first */
    bool is_cut;                   /* the stack could not be followed to its end */
} BpftraceFrames;

void bpftrace_frames_clear (BpftraceFrames *self);
/* Begins a stack; then come its parts, leafmost first. */
void bpftrace_frames_begin (BpftraceFrames *self);
void bpftrace_frames_add (BpftraceFrames *self, PvText stack, BpftraceSide side);
