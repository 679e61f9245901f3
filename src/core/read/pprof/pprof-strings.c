/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/pprof/pprof-strings.h"

#include <string.h>

const char *
pprof_find_string (PprofFile *file, uint32_t index)
{
    if (index < file->strings.len)
        return file->strings.data[index];
    file->has_missing_strings |= index > 0;
    return NULL;
}

const char *
pprof_string (PprofFile *file, uint32_t index)
{
    const char *string = pprof_find_string (file, index);
    return string != NULL ? string : "";
}

/* Units */

typedef struct {
    const char *name;
    PvUnit unit;
    uint64_t factor;
} UnitName;

/* Singular or plural, in upper or lower case. Byte units are powers of 1024. */
static const UnitName unit_names[] = {
    {"nanosecond", PV_UNIT_NS, 1},
    {"ns", PV_UNIT_NS, 1},
    {"microsecond", PV_UNIT_NS, 1000},
    {"us", PV_UNIT_NS, 1000},
    {"μs", PV_UNIT_NS, 1000},
    {"µs", PV_UNIT_NS, 1000},
    {"millisecond", PV_UNIT_NS, 1000000},
    {"ms", PV_UNIT_NS, 1000000},
    {"second", PV_UNIT_NS, 1000000000},
    {"sec", PV_UNIT_NS, 1000000000},
    {"s", PV_UNIT_NS, 1000000000},
    {"minute", PV_UNIT_NS, UINT64_C (60000000000)},
    {"min", PV_UNIT_NS, UINT64_C (60000000000)},
    {"hour", PV_UNIT_NS, UINT64_C (3600000000000)},
    {"hr", PV_UNIT_NS, UINT64_C (3600000000000)},
    {"byte", PV_UNIT_BYTES, 1},
    {"b", PV_UNIT_BYTES, 1},
    {"kilobyte", PV_UNIT_BYTES, UINT64_C (1) << 10},
    {"kbyte", PV_UNIT_BYTES, UINT64_C (1) << 10},
    {"kb", PV_UNIT_BYTES, UINT64_C (1) << 10},
    {"kib", PV_UNIT_BYTES, UINT64_C (1) << 10},
    {"megabyte", PV_UNIT_BYTES, UINT64_C (1) << 20},
    {"mbyte", PV_UNIT_BYTES, UINT64_C (1) << 20},
    {"mb", PV_UNIT_BYTES, UINT64_C (1) << 20},
    {"mib", PV_UNIT_BYTES, UINT64_C (1) << 20},
    {"gigabyte", PV_UNIT_BYTES, UINT64_C (1) << 30},
    {"gbyte", PV_UNIT_BYTES, UINT64_C (1) << 30},
    {"gb", PV_UNIT_BYTES, UINT64_C (1) << 30},
    {"gib", PV_UNIT_BYTES, UINT64_C (1) << 30},
    {"terabyte", PV_UNIT_BYTES, UINT64_C (1) << 40},
    {"tbyte", PV_UNIT_BYTES, UINT64_C (1) << 40},
    {"tb", PV_UNIT_BYTES, UINT64_C (1) << 40},
    {"tib", PV_UNIT_BYTES, UINT64_C (1) << 40},
    {"petabyte", PV_UNIT_BYTES, UINT64_C (1) << 50},
    {"pbyte", PV_UNIT_BYTES, UINT64_C (1) << 50},
    {"pb", PV_UNIT_BYTES, UINT64_C (1) << 50},
};

PvUnit
pprof_parse_unit (const char *unit, uint64_t *ret_factor)
{
    for (size_t i = 0; i < G_N_ELEMENTS (unit_names); i++) {
        const UnitName *known = &unit_names[i];
        size_t len = strlen (known->name);
        if (g_ascii_strncasecmp (unit, known->name, len) != 0)
            continue;
        bool is_plural = len > 2 && (unit[len] == 's' || unit[len] == 'S');
        if (unit[len + is_plural] != '\0')
            continue;
        *ret_factor = known->factor;
        return known->unit;
    }
    *ret_factor = 1;
    return PV_UNIT_COUNT;
}
