/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/base/budget.h"

#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Reads a number, in units of unit bytes, after the name at the start of a line. UINT64_MAX: no
 * number, as files of the system say "max" where there is no limit. */
static uint64_t
read_number (const char *path, const char *name, uint64_t unit)
{
    FILE *file = fopen (path, "re");
    uint64_t number = UINT64_MAX, value;
    char line[256];
    while (file != NULL && number == UINT64_MAX && fgets (line, sizeof line, file) != NULL) {
        char *end, *start = line + strlen (name);
        if (strncmp (line, name, strlen (name)) != 0)
            continue;
        value = g_ascii_strtoull (start, &end, 10);
        if (end > start && value < UINT64_MAX / unit)
            number = value * unit;
    }
    if (file != NULL)
        fclose (file);
    return number;
}

uint64_t
pv_budget_get_address_space (void)
{
    struct rlimit limit;
    if (getrlimit (RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    uint64_t mapped = read_number ("/proc/self/statm", "", (uint64_t)sysconf (_SC_PAGESIZE));
    return mapped < limit.rlim_cur ? limit.rlim_cur - mapped : 0;
}

/* A container's limit; control groups of version 2. */
static uint64_t
get_free_in_group (void)
{
    uint64_t max = read_number ("/sys/fs/cgroup/memory.max", "", 1);
    uint64_t used = read_number ("/sys/fs/cgroup/memory.current", "", 1);
    if (max == UINT64_MAX || used == UINT64_MAX)
        return UINT64_MAX;
    return used < max ? max - used : 0;
}

PvBudget
pv_budget_new (uint64_t max_bytes)
{
    uint64_t available = read_number ("/proc/meminfo", "MemAvailable:", 1024);
    available = MIN (available, pv_budget_get_address_space ());
    available = MIN (available, get_free_in_group ());
    return (PvBudget){
        .max_bytes = max_bytes,
        .available_bytes = available != UINT64_MAX ? MAX (available, 1) : 0,
    };
}

uint64_t
pv_budget_get_bytes (const PvBudget *budget, uint64_t unpacked_bytes)
{
    g_assert (budget != NULL);
    uint64_t bytes = budget->max_bytes;
    if (bytes == 0)
        bytes = MAX (PV_BUDGET_MIN_BYTES, unpacked_bytes <= UINT64_MAX / PV_BUDGET_BYTES_PER_BYTE
                                              ? unpacked_bytes * PV_BUDGET_BYTES_PER_BYTE
                                              : UINT64_MAX);
    /* Arrays that grow, and what comes after reading, need the rest. */
    if (budget->available_bytes != 0)
        bytes = MIN (bytes, budget->available_bytes / 2);
    return bytes;
}
