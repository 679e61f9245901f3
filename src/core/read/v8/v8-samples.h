/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/idmap.h"
#include "core/read/v8/v8-data.h"

/* State shared by all profiles of a file. Initialise with zeros and the first two. */
typedef struct {
    PvProfileBuilder *builder;
    const PvReadContext *context;
    PvHashMap modules;   /* by url */
    PvHashMap locations; /* by function */
    uint64_t ordinal;
    uint32_t time_set, idle_set, space_set, count_set; /* + 1; 0: not there yet */
    uint64_t n_unknown;                                /* samples whose node is not there */
    uint64_t n_disordered;   /* samples that were recorded after later ones */
    bool is_without_samples; /* only the hits of nodes are known */
    bool is_out_of_memory;
} V8Samples;

void v8_samples_clear (V8Samples *self);
/* Adds the samples of a profile. */
void v8_samples_add (V8Samples *self, const V8Data *data, PvThreadId thread);
/* Adds samples with weights; threads has one for each. */
void v8_samples_add_counted (V8Samples *self, const V8Data *data, const PvThreadId *threads);
