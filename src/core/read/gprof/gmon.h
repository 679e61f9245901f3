/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/array.h"

/*
 * Profile that a program compiled with -pg writes when it ends: how often its instructions were
 * seen running, and how often functions called each other. Three layouts: that of glibc and gprof
 * (gmon/sys/gmon_out.h of glibc), that of 4.4BSD and the one before. Addresses are as linked.
 */
typedef struct {
    uint64_t low, high; /* addresses */
    uint32_t n_bins;
    const uint8_t *bins; /* 16 bits each, in the file */
} GmonHistogram;

typedef struct {
    uint64_t from; /* a place in the caller, only roughly with glibc */
    uint64_t to;   /* a place near the callee's start */
    uint64_t count;
} GmonArc;

typedef enum {
    GMON_TAGGED,
    GMON_BSD,
    GMON_OLD_BSD,
    GMON_N_LAYOUTS,
} GmonLayout;

typedef struct {
    GmonLayout layout;
    bool swap;
    unsigned address_bytes;  /* 4 or 8 */
    uint32_t rate;           /* ticks in a unit of the dimension; 0: unknown */
    const char *dimension;   /* in the file, not ended by NUL: "seconds" */
    size_t dimension_length; /* 0: seconds */
    PV_ARRAY (GmonHistogram) histograms;
    PV_ARRAY (GmonArc) arcs;
    bool is_cut; /* the rest could not be read */
} GmonFile;

/* True if the first bytes of a file look like one of the layouts. */
bool gmon_sniff (const uint8_t *data, size_t size_bytes);

/* Reads all that can be read; data must live as long as the file. */
void gmon_read (GmonFile *file, const uint8_t *data, size_t size_bytes);
void gmon_clear (GmonFile *file);

uint16_t gmon_get_ticks (const GmonFile *file, const GmonHistogram *histogram, uint32_t bin);
/* The first address of a bin, and for n_bins the end of the last one. */
uint64_t gmon_get_start (const GmonHistogram *histogram, uint32_t bin);
