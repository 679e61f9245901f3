/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds out which options an installed perf has. Its version is no guide, as distributions backport
 * options. But the program file contains the names of all options and their -h texts.
 */
#include "record/perf/perf-options.h"

#include <string.h>
#include <sys/stat.h>

#include "core/base/mapped-file.h"
#include "record/perf/perf-arguments.h"

enum { CONTROL, MAPPED_BUILD_IDS, SWITCH_EVENTS, N_OPTIONS };

static const struct {
    const char *option, *text;
} options[N_OPTIONS] = {
    [CONTROL] = {"--control", "fd:ctl-fd"}, /* the name alone occurs in other texts */
    [MAPPED_BUILD_IDS] = {"--buildid-mmap", "buildid-mmap"},
    [SWITCH_EVENTS] = {"--switch-events", "switch-events"},
};

/* Returns a bit for each missing option. */
static unsigned
search (const char *perf)
{
    static const char magic[] = {0x7f, 'E', 'L', 'F'};
    g_autoptr (PvMappedFile) file = pv_mapped_file_open (perf, NULL);
    unsigned missing = 0;
    if (file == NULL)
        return 0;
    const uint8_t *data = pv_mapped_file_get_data (file);
    size_t size_bytes = pv_mapped_file_get_size (file);
    if (size_bytes < sizeof magic || memcmp (data, magic, sizeof magic) != 0)
        return 0; /* a script that runs a perf elsewhere */
    for (unsigned i = 0; i < N_OPTIONS; i++)
        if (memmem (data, size_bytes, options[i].text, strlen (options[i].text)) == NULL)
            missing |= 1u << i;
    return missing;
}

/* Caches the latest answer while the file is unchanged. */
static unsigned
find_missing (const char *perf)
{
    static GMutex mutex;
    static struct stat known;
    static unsigned missing;
    struct stat status;
    if (stat (perf, &status) != 0)
        return 0;
    g_mutex_lock (&mutex);
    if (status.st_dev != known.st_dev || status.st_ino != known.st_ino ||
        status.st_size != known.st_size || status.st_mtim.tv_sec != known.st_mtim.tv_sec ||
        status.st_mtim.tv_nsec != known.st_mtim.tv_nsec) {
        missing = search (perf);
        known = status;
    }
    unsigned found = missing;
    g_mutex_unlock (&mutex);
    return found;
}

const char *
pv_perf_find_missing_option (const char *perf, const PvRecordPlan *plan)
{
    g_assert (perf != NULL && plan != NULL);
    unsigned missing = find_missing (perf);
    unsigned needed = 1u << CONTROL;
    if (pv_perf_has_mapped_build_ids ())
        needed |= 1u << MAPPED_BUILD_IDS;
    if (plan->kind == PV_RECORD_OFF_CPU)
        needed |= 1u << SWITCH_EVENTS;
    for (unsigned i = 0; i < N_OPTIONS; i++)
        if (missing & needed & 1u << i)
            return options[i].option;
    return NULL;
}
