/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/firefox/firefox-build.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/read/firefox/firefox-text.h"

/* Where times begin if the file does not say it in the clock of the machine: some may be before. */
#define DEFAULT_BASE_NS 1e12
#define MAX_TIME_NS     0x1p62

/* --- times --- */

uint64_t
firefox_to_time_ns (const FirefoxBuild *build, double ms)
{
    if (!build->has_times || isnan (ms))
        return 0;
    double since = build->profile->start_time - build->start_time;
    double ns = build->base_ns + (ms + (isnan (since) ? 0 : since)) * 1e6;
    return ns < 1 ? 1 : ns > MAX_TIME_NS ? (uint64_t)MAX_TIME_NS : (uint64_t)(ns + 0.5);
}

static void
set_clock (FirefoxBuild *build)
{
    const FirefoxFile *file = build->file;
    const char *unit = pv_interner_get (file->interner, file->meta.time_unit);
    bool is_clock = file->meta.monotonic_ns > 0 && file->meta.monotonic_ns < MAX_TIME_NS;
    build->has_times = strcmp (unit, "bytes") != 0 && !file->meta.has_no_times;
    build->start_time = file->profiles.data[0]->start_time;
    build->base_ns = is_clock ? file->meta.monotonic_ns : DEFAULT_BASE_NS;
    /* A file around the profile has no times: the first profile that has them counts. */
    for (size_t p = 0; p < file->profiles.len && isnan (build->start_time); p++)
        build->start_time = file->profiles.data[p]->start_time;
}

/* ret_is_known: the profile says how much CPU time the threads used, if they did. */
static bool
has_cpu (const FirefoxFile *file, bool *ret_is_known)
{
    for (size_t p = 0; p < file->profiles.len; p++)
        for (size_t t = 0; t < file->profiles.data[p]->threads.len; t++) {
            const PvNumberColumn *deltas =
                &file->profiles.data[p]->threads.data[t].samples.cpu_delta;
            for (size_t i = 1; i < deltas->len; i++) {
                *ret_is_known |= deltas->data[i] >= 0;
                if (deltas->data[i] > 0)
                    return true;
            }
        }
    return false;
}

/* Later versions of the profiler put tables into the ancient format. */
static void
note_unread (const FirefoxBuild *build)
{
    if (build->file->has_unread_samples)
        pv_note_nothing (build->file->builder,
                         _ ("The file has samples in tables, with their names apart "
                            "(symbolicationTable), which Profview cannot read yet."));
}

static void
set_cpu (FirefoxBuild *build)
{
    static const struct {
        const char *unit;
        double ns;
    } units[] = {{"ns", 1}, {"µs", 1e3}, {"μs", 1e3}, {"us", 1e3}, {"ms", 1e6}};
    const char *unit = pv_interner_get (build->file->interner, build->file->meta.cpu_unit);
    bool is_known = false;
    note_unread (build);
    if (!has_cpu (build->file, &is_known)) {
        if (is_known)
            pv_profile_builder_note (
                build->file->builder, PV_NOTE_INFO, PV_NOTE_IDLE, 0,
                _ ("The program was idle: its threads used no CPU time in this "
                   "profile, and waited in all of its samples. Profile it "
                   "while it works."));
        return;
    }
    build->cpu = FIREFOX_CPU_CYCLES;
    build->ns_per_cpu_unit = 1;
    for (size_t i = 0; i < G_N_ELEMENTS (units); i++)
        if (strcmp (unit, units[i].unit) == 0) {
            build->cpu = FIREFOX_CPU_TIME;
            build->ns_per_cpu_unit = units[i].ns;
        }
}

static void
find_negatives (FirefoxBuild *build)
{
    const FirefoxFile *file = build->file;
    for (size_t p = 0; p < file->profiles.len; p++)
        for (size_t t = 0; t < file->profiles.data[p]->threads.len; t++) {
            const FirefoxSamples *samples = &file->profiles.data[p]->threads.data[t].samples;
            for (size_t i = 0; i < samples->weight.len; i++)
                build->has_negatives[samples->weight_type] |= samples->weight.data[i] < 0;
        }
}

/* --- labels --- */

uint32_t
firefox_get_labels (FirefoxBuild *build, int32_t category)
{
    if (category < 0 || (size_t)category >= build->label_set_of_category.len)
        return 0;
    uint32_t *set = &build->label_set_of_category.data[category];
    if (*set == 0) {
        PvProfileBuilder *builder = build->file->builder;
        const char *name = firefox_string (build->file, &build->profile->categories, category);
        PvLabel label = {.key = pv_profile_builder_string (builder, "category"),
                         .text = pv_profile_builder_string (builder, name)};
        *set = pv_profile_builder_label_set (builder, &label, 1);
    }
    return *set;
}

/* --- threads --- */

static const char *
get_text (const FirefoxBuild *build, PvStringId id)
{
    return pv_interner_get (build->file->interner, id);
}

static PvHash
hash_process (PvStringId pid, size_t profile)
{
    const uint64_t key[] = {pid, pid == 0 ? profile : 0};
    return pv_hash_bytes (key, sizeof key, 0);
}

PvProcessId
firefox_find_process (FirefoxBuild *build, PvStringId pid, size_t profile)
{
    g_assert (build != NULL);
    return *pv_hash_map_slot (&build->processes, hash_process (pid, profile));
}

static PvProcessId
get_process (FirefoxBuild *build, const FirefoxThread *thread, size_t profile)
{
    uint32_t *slot = pv_hash_map_slot (&build->processes, hash_process (thread->pid, profile));
    if (*slot == 0) {
        const char *name = get_text (build, thread->process_name);
        if (*name == '\0')
            name = get_text (build, thread->process_type);
        if (*name == '\0' || strcmp (name, "default") == 0)
            name = get_text (build, build->file->meta.product);
        *slot = pv_profile_builder_add_process (
            build->file->builder, firefox_parse_id (get_text (build, thread->pid)), name,
            firefox_to_time_ns (build, thread->process_startup_time));
        if (!isnan (thread->process_shutdown_time))
            pv_profile_builder_end_process (
                build->file->builder, *slot,
                firefox_to_time_ns (build, thread->process_shutdown_time));
    }
    return *slot;
}

/* Other programs than Firefox have Firefox's name of the main thread too. */
static const char *
find_thread_name (const FirefoxBuild *build, const FirefoxThread *thread)
{
    const char *name = get_text (build, thread->name);
    const char *process = get_text (build, thread->process_name);
    bool is_firefox = strcmp (get_text (build, build->file->meta.product), "Firefox") == 0;
    return strcmp (name, "GeckoMain") == 0 && !is_firefox && *process != '\0' ? process : name;
}

static PvThreadId
add_thread (FirefoxBuild *build, const FirefoxThread *thread, size_t profile)
{
    PvProfileBuilder *builder = build->file->builder;
    PvThreadId id = pv_profile_builder_add_thread (
        builder, get_process (build, thread, profile),
        firefox_parse_id (get_text (build, thread->tid)), find_thread_name (build, thread),
        firefox_to_time_ns (build, thread->register_time));
    if (!isnan (thread->unregister_time))
        pv_profile_builder_end_thread (builder, id,
                                       firefox_to_time_ns (build, thread->unregister_time));
    return id;
}

static void
use_rows (FirefoxStacks *stacks, const FirefoxThread *thread)
{
    firefox_stacks_use (stacks, &thread->samples.stack);
    firefox_stacks_use (stacks, &thread->markers.stack);
    for (size_t i = 0; i < G_N_ELEMENTS (thread->allocations); i++)
        firefox_stacks_use (stacks, &thread->allocations[i].stack);
}

static void
add_rows (FirefoxBuild *build, FirefoxStacks *stacks, const FirefoxThread *thread)
{
    firefox_add_samples (build, stacks, &thread->samples);
    for (int i = 0; i < (int)G_N_ELEMENTS (thread->allocations); i++)
        firefox_add_allocations (build, stacks, &thread->allocations[i],
                                 (FirefoxSetKind)(FIREFOX_SET_ALLOCATIONS + i));
    firefox_add_markers (build, stacks, &thread->markers);
}

static void
build_thread (FirefoxBuild *build, FirefoxStacks *shared, const FirefoxThread *thread)
{
    if (!firefox_has_own_stacks (thread)) {
        /* Strings may be the thread's own even so. */
        FirefoxStacks stacks = *shared;
        if (thread->tables.strings.len > 0)
            stacks.strings = &thread->tables;
        add_rows (build, &stacks, thread);
        return;
    }
    FirefoxStacks stacks;
    firefox_stacks_init (&stacks, &build->places, build->profile, thread);
    use_rows (&stacks, thread);
    firefox_stacks_make (&stacks);
    add_rows (build, &stacks, thread);
    firefox_stacks_clear (&stacks);
}

static void
build_profile (FirefoxBuild *build, size_t p)
{
    FirefoxProfile *profile = build->file->profiles.data[p];
    FirefoxStacks shared;
    build->profile = profile;
    build->label_set_of_category.len = 0;
    pv_array_resize (&build->label_set_of_category, profile->categories.len);
    firefox_stacks_init (&shared, &build->places, profile, NULL);
    for (size_t t = 0; t < profile->threads.len; t++)
        if (!firefox_has_own_stacks (&profile->threads.data[t]))
            use_rows (&shared, &profile->threads.data[t]);
    firefox_stacks_make (&shared);
    for (size_t t = 0; t < profile->threads.len && firefox_go_on (&build->places); t++) {
        FirefoxThread *thread = &profile->threads.data[t];
        build->thread = add_thread (build, thread, p);
        build_thread (build, &shared, thread);
        firefox_thread_clear (thread);
    }
    firefox_stacks_clear (&shared);
    firefox_add_counters (build, p);
}

void
firefox_build (FirefoxFile *file)
{
    g_assert (file != NULL && file->profiles.len > 0);
    FirefoxBuild build = {.file = file};
    firefox_places_init (&build.places, file);
    set_clock (&build);
    set_cpu (&build);
    find_negatives (&build);
    for (size_t p = 0; p < file->profiles.len; p++)
        build_profile (&build, p);
    bool has_any = false;
    for (int s = 0; s < FIREFOX_N_SETS; s++)
        has_any |= build.sets[s].exists;
    if (!has_any)
        firefox_add_empty_set (&build);
    for (int s = FIREFOX_N_SETS - 1; s >= 0; s--)
        if (build.sets[s].exists)
            pv_profile_builder_prefer_set (file->builder, build.sets[s].id);
    if (build.places.is_full)
        pv_reader_note_out_of_memory (file->builder);
    pv_hash_map_clear (&build.processes);
    pv_array_clear (&build.label_set_of_category);
    firefox_places_clear (&build.places);
}
