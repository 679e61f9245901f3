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
typedef struct PvJitCode PvJitCode;

/* Converts TSC timestamps to sample times, as perf does. */
typedef struct {
    uint64_t shift, mult, zero;
    bool is_known;
} PvJitClock;

/* A piece of generated code, there from time_ns on. */
typedef struct {
    uint64_t time_ns;
    uint64_t start;
    uint64_t size_bytes;
    uint32_t layer; /* number of layers below it */
    uint32_t first_range, n_ranges;
} PvJitLoad;

PvJitCode *pv_jit_code_new (void);
void pv_jit_code_free (PvJitCode *jit);
/* Adds code with its name, which must live until all is published, and returns its layer. */
uint32_t pv_jit_code_add (PvJitCode *jit, const PvNamedRange *code);
/* Returns a layer's module; creates it from the template if needed. A jitdump's modules have all
 * their names at once, whenever the code was loaded: the unwinder reads them, too. */
PvModuleId pv_jit_code_module (PvJitCode *jit, PvProfileBuilder *builder, uint32_t layer,
                               const PvModule *template_);
/* Uses an existing module for layer 0. */
void pv_jit_code_set_base_module (PvJitCode *jit, PvProfileBuilder *builder, PvModuleId module);
/* Sets the names of all layers' modules in the builder. */
void pv_jit_code_publish (PvJitCode *jit, PvProfileBuilder *builder);
/* True if the path names a jitdump; stores the pid in its name. */
bool pv_jit_code_is_dump_path (const char *path, int32_t *ret_pid);
/* Reads a jitdump, with the path that the modules get as their code_path. Converts TSC times with
 * conversion; sets all other times to 0 if is_untimed. False if the bytes are not a jitdump. */
bool pv_jit_code_read_dump (PvJitCode *jit, const char *path, const uint8_t *data,
                            size_t size_bytes, const PvJitClock *conversion, bool is_untimed);
/* True if it is known when its code was loaded. */
bool pv_jit_code_has_times (const PvJitCode *jit);
/* True if addresses were used more than once and nothing says when. */
bool pv_jit_code_is_ambiguous (const PvJitCode *jit);
/* The next load not later than time_ns, or NULL; each is returned once. */
const PvJitLoad *pv_jit_code_next (PvJitCode *jit, uint64_t time_ns);
/* The time of the next load; UINT64_MAX after the last. */
uint64_t pv_jit_code_get_next_time (const PvJitCode *jit);
