/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/elf/elf-image.h"
#include "core/read/gprof/gmon.h"

/* The functions of the program that wrote a profile, which the profile does not name. */
typedef struct {
    uint64_t start; /* as linked */
    uint64_t size_bytes;
    const char *name; /* in the file */
    unsigned rank;    /* of names for one address: the lowest is taken */
} GprofFunction;

typedef struct {
    char *path;
    PvElfImage *image;
    PV_ARRAY (GprofFunction) functions; /* by start, which differ */
} GprofProgram;

/* Finds the program in a folder that the profile fits; false if no program does. Bounded; opens
 * files. */
bool gprof_program_find (GprofProgram *program, const char *folder, const GmonFile *file);
void gprof_program_clear (GprofProgram *program);
