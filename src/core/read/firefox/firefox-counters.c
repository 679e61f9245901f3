/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counters: "count" is the amount added since the sample before. For memory these are changes of a
 * level; for anything else, such as energy or bytes sent, amounts. Up to version 47 the samples are
 * in a group of samples.
 */
#include "core/read/firefox/firefox-counters.h"

#include <string.h>

#include "core/read/firefox/firefox-build.h"
#include "core/read/firefox/firefox-tables.h"

/* The doubles of a counter are kept, sorted, and kept again. */
#define BYTES_PER_SAMPLE (5 * sizeof (double))

static void
take_samples (PvJson *json, void *member, void *user)
{
    FirefoxCounterSamples *samples = member;
    if (samples->count.len > 0)
        return;
    firefox_take_table (user, firefox_columns_of_counter_samples, samples);
    pv_json_count_bytes (json, samples->count.len * BYTES_PER_SAMPLE);
}

/* One group, or an array of which the first is the counter's. */
static void
take_groups (PvJson *json, void *member, void *user)
{
    static const PvJsonField fields[] = {{"samples", take_samples, 0}, PV_JSON_NO_MORE_FIELDS};
    if (pv_json_enter_array (json)) {
        while (pv_json_next_element (json))
            if (pv_json_get_type (json) == PV_JSON_OBJECT)
                take_groups (json, member, user);
    } else {
        pv_json_take_object (json, fields, member, user);
    }
}

static const PvJsonField fields[] = {
    {"name", pv_json_take_interned, offsetof (FirefoxCounter, name)},
    {"category", pv_json_take_interned, offsetof (FirefoxCounter, category)},
    {"description", pv_json_take_interned, offsetof (FirefoxCounter, description)},
    {"pid", firefox_take_id, offsetof (FirefoxCounter, pid)},
    {"mainThreadIndex", pv_json_take_index, offsetof (FirefoxCounter, main_thread)},
    {"samples", take_samples, offsetof (FirefoxCounter, samples)},
    {"sampleGroups", take_groups, offsetof (FirefoxCounter, samples)},
    {"sample_groups", take_groups, offsetof (FirefoxCounter, samples)},
    PV_JSON_NO_MORE_FIELDS,
};

void
firefox_take_counters (FirefoxFile *file, FirefoxProfile *profile)
{
    g_assert (file != NULL && profile != NULL);
    PvJson *json = file->json;
    if (!pv_json_enter_array (json))
        return;
    while (pv_json_next_element (json)) {
        FirefoxCounter counter = {.main_thread = -1};
        file->n_counters++;
        if (profile->counters.len >= PV_MAX_COUNTERS ||
            !pv_json_take_object (json, fields, &counter, file))
            continue;
        pv_array_push (&profile->counters, counter);
        pv_json_count_bytes (json, 2 * sizeof counter);
    }
}

/* --- into the profile --- */

/* Counters of Gecko do not name their process: each of its profiles has only one. */
static PvProcessId
find_process (FirefoxBuild *build, const FirefoxCounter *counter, size_t profile)
{
    const FirefoxProfile *from = build->profile;
    PvStringId pid = counter->pid;
    size_t thread = counter->main_thread >= 0 ? (size_t)counter->main_thread : 0;
    if (pid == 0 && thread < from->threads.len)
        pid = from->threads.data[thread].pid;
    return firefox_find_process (build, pid, profile);
}

static void
add_counter (FirefoxBuild *build, const FirefoxCounter *counter, size_t profile)
{
    const FirefoxFile *file = build->file;
    const FirefoxCounterSamples *samples = &counter->samples;
    const char *category = pv_interner_get (file->interner, counter->category);
    bool is_memory = strcmp (category, "Memory") == 0;
    bool is_bytes = is_memory || strcmp (category, "Bandwidth") == 0;
    PvCounter like = {
        .name = pv_profile_builder_string (file->builder,
                                           pv_interner_get (file->interner, counter->name)),
        .category = pv_profile_builder_string (file->builder, category),
        .description = pv_profile_builder_string (
            file->builder, pv_interner_get (file->interner, counter->description)),
        .unit = is_bytes ? PV_COUNTER_BYTES : PV_COUNTER_PLAIN,
        .kind = is_memory ? PV_COUNTER_LEVEL : PV_COUNTER_AMOUNT,
        .is_relative = is_memory,
        .process = find_process (build, counter, profile),
    };
    PV_ARRAY (uint64_t) times = {0};
    PV_ARRAY (double) values = {0};
    double ms = 0;
    for (size_t i = 0; i < samples->count.len; i++) {
        double delta = firefox_number (&samples->time_delta, (int64_t)i);
        if (samples->time.len > 0)
            ms = firefox_number (&samples->time, (int64_t)i);
        else
            ms += isnan (delta) ? 0 : delta;
        uint64_t time_ns = firefox_to_time_ns (build, ms);
        if (time_ns == 0)
            continue;
        pv_array_push (&times, time_ns);
        pv_array_push (&values, samples->count.data[i]);
    }
    if (pv_profile_builder_add_counter (file->builder, &like, times.data, values.data, times.len))
        build->file->n_counters_shown++;
    pv_array_clear (&times);
    pv_array_clear (&values);
}

void
firefox_add_counters (FirefoxBuild *build, size_t profile)
{
    g_assert (build != NULL && build->profile != NULL);
    const FirefoxProfile *from = build->profile;
    if (!build->has_times)
        return;
    for (size_t c = 0; c < from->counters.len && firefox_go_on (&build->places); c++)
        add_counter (build, &from->counters.data[c], profile);
}
