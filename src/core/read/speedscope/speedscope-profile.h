/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/idmap.h"
#include "core/model/build/builder.h"
#include "core/read/json/json.h"

/* Quantity that a unit measures. */
typedef enum { SPEEDSCOPE_TIME, SPEEDSCOPE_BYTES, SPEEDSCOPE_COUNT } SpeedscopeUnit;

typedef struct {
    const char *name; /* the builder's; NULL: not given */
    const char *file;
    const char *module; /* in files of ours; NULL: the file stands for it */
    uint32_t line;
    PvLocationId location; /* made when it is used first */
    uint32_t n_open;       /* how often it is open at the moment */
} SpeedscopeFrame;

/* A file as it is read. Initialise with zeros and the first three. */
typedef struct {
    PvProfileBuilder *builder;
    const PvReadContext *context;
    PvJson *json;

    PV_ARRAY (SpeedscopeFrame) frames;
    PvHashMap modules; /* by file */
    uint64_t ordinal;
    PvProcessId process;
    GHashTable *threads; /* by name: thread */
    uint32_t n_profiles;
    double count_scale;                     /* of weights without a unit; 0: not known yet */
    uint32_t sets[SPEEDSCOPE_COUNT + 1][2]; /* by unit and whether samples have times; + 1 */
    uint64_t n_bad_profiles, n_bad_samples, n_bad_events, n_unclosed;
    uint64_t n_with_frames, n_without_frames; /* samples of sampled profiles */
    bool has_more_weights;                    /* than samples */
    bool has_amounts;                         /* a sample has a weight that is not 0 */
    uint64_t n_steps;                         /* between looks at the memory */
    bool has_unitless_time;
    bool is_out_of_memory;
} Speedscope;

/* Reads the profile that is the current value of JSON, and adds its samples. Needs the frames. */
void speedscope_read_profile (Speedscope *self);
/* False if memory is used up or the job was cancelled; checks only now and then. */
bool speedscope_is_to_go_on (Speedscope *self);
