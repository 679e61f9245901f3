/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"

/*
 * Values that a recorder noted from time to time beside the samples: the memory of a process, the
 * load of a processor, the energy used.
 */
typedef enum {
    PV_COUNTER_PLAIN, /* a number without a known unit */
    PV_COUNTER_BYTES,
    PV_COUNTER_PERCENT,
} PvCounterUnit;

typedef enum {
    PV_COUNTER_LEVEL,  /* state at a time */
    PV_COUNTER_AMOUNT, /* amount added since the sample before */
} PvCounterKind;

/* More samples than this, or more counters in a profile, are left out. */
#define PV_MAX_COUNTERS        4096u
#define PV_MAX_COUNTER_SAMPLES (64u << 20)

typedef struct {
    const char *name;
    const char *category;    /* "Memory", "CPU Percent"; "": none */
    const char *description; /* "": none */
    PvCounterUnit unit;
    PvCounterKind kind;
    /* The recording has changes of the level, and not the level: it counts from where the
     * recording began, and may be below zero. */
    bool is_relative;
    uint32_t process; /* PvProcessId; 0: of the machine, or not known */
    uint32_t n_samples;
    const uint64_t *time_ns; /* in the samples' clock, sorted */
    const double *values;    /* all are finite */
    double min, max;         /* 0 without samples */
    double total;            /* of amounts: their sum; of a level: the last one */
} PvCounter;

/* A counter of these samples, in any order of time; its strings are not copied, all else is in the
 * arena. Values that are not finite are left out, and so is what is more than the limit. If the
 * counter is relative, the values given are changes, and are added up. */
PvCounter pv_counter_make (const PvCounter *like, const uint64_t *time_ns, const double *values,
                           size_t n_samples, PvArena *arena);

/* "12.5 MiB", "40.0 %", "1,234", "0.25"; a relative one has its sign: a value for people; g_free ()
 * it. */
char *pv_counter_format_value (const PvCounter *self, double value);
/* The number as programs read it, with the fewest digits that give the same number again. The text
 * lies in buffer, which is returned. */
enum { PV_COUNTER_NUMBER_BYTES = 32 };
const char *pv_counter_write_number (double value, char buffer[PV_COUNTER_NUMBER_BYTES]);
/* "bytes", "percent", "": never translated. */
const char *pv_counter_get_unit_name (const PvCounter *self);
