/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/model/build/builder.h"

/*
 * Generated code in layers: code that overlaps older code goes one layer up. Each layer is a module
 * of its own, so an address has one name per module.
 */
typedef struct PerfJit PerfJit;

/* Converts TSC timestamps to sample times, as perf does. */
typedef struct {
    uint64_t shift, mult, zero;
    bool is_known;
} PerfTimeConversion;

/* A piece of generated code, there from time_ns on. */
typedef struct {
    uint64_t time_ns;
    uint64_t start;
    uint64_t size_bytes;
    uint32_t layer; /* number of layers below it */
    uint32_t first_range, n_ranges;
} PerfJitLoad;

PerfJit *perf_jit_new (void);
void perf_jit_free (PerfJit *jit);
/* Adds code with its name (copied) and returns its layer. */
uint32_t perf_jit_add (PerfJit *jit, const PvNamedRange *code);
/* Returns a layer's module; creates it from the template if needed. */
PvModuleId perf_jit_module (PerfJit *jit, PvProfileBuilder *builder, uint32_t layer,
                            const PvModule *template_);
/* Uses an existing module for layer 0. */
void perf_jit_set_base_module (PerfJit *jit, PvModuleId module);
/* Sets the names of all layers' modules in the builder. */
void perf_jit_publish (PerfJit *jit, PvProfileBuilder *builder);
/* True if the path names a jitdump; stores the pid in its name. */
bool perf_jit_is_dump_path (const char *path, int32_t *ret_pid);
/* Reads a jitdump, with the path that the modules get as their code_path. Converts TSC times with
 * conversion; sets all other times to 0 if is_untimed. False if the bytes are not a jitdump. */
bool perf_jit_read_dump (PerfJit *jit, const char *path, const uint8_t *data, size_t size_bytes,
                         const PerfTimeConversion *conversion, bool is_untimed);
/* The next load not later than time_ns, or NULL; each is returned once. */
const PerfJitLoad *perf_jit_next (PerfJit *jit, uint64_t time_ns);
/* The time of the next load; UINT64_MAX after the last. */
uint64_t perf_jit_get_next_time (const PerfJit *jit);
