/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profiles of the Firefox Profiler, which samply and others write too: JSON of tables in columns.
 * Firefox itself writes them as Gecko has them, with rows; what the profiler made of that, and what
 * samply writes, is its processed format, of which each version is a little different.
 */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/base/error.h"
#include "core/read/firefox/firefox-build.h"
#include "core/read/firefox/firefox-take.h"
#include "core/read/json/json-outline.h"

#define NEWEST_VERSION 70

/* --- first look --- */

/* Combinations of keys: a file of the Firefox Profiler has one of these. */
static const char *const marks[][3] = {
    {"meta", "meta.preprocessedProfileVersion"},
    {"meta", "meta.interval", "meta.startTime"},
    {"meta", "meta.interval", "meta.version"},
    {"meta", "meta.categories", "meta.product"},
    {"threads", "threads[].stackTable"},
    {"threads", "threads[].frameTable"},
    {"shared", "shared.stackTable"},
    {"libs", "libs[].breakpadId"},
    {"libs", "libs[].debugName"},
    /* Files of the old developer tools, with a profile inside. */
    {"profile", "profile.meta", "profile.meta.interval"},
    {"profile", "profile.libs", "profile.libs[].breakpadId"},
    {"ticks", "allocations.sites", "memory"},
    {"profileJSON", "symbolicationTable"},
};

static bool
sniff (const uint8_t *data, size_t size_bytes)
{
    g_autoptr (PvJsonOutline) outline = pv_json_outline_new (data, size_bytes);
    if (outline == NULL)
        return false;
    for (size_t m = 0; m < G_N_ELEMENTS (marks); m++) {
        size_t n = 0;
        while (n < G_N_ELEMENTS (marks[m]) &&
               (marks[m][n] == NULL || pv_json_outline_has (outline, marks[m][n])))
            n++;
        if (n == G_N_ELEMENTS (marks[m]))
            return true;
    }
    return false;
}

/* --- facts --- */

static const char *
get_fact (const FirefoxFile *file, PvStringId id)
{
    const char *text = pv_interner_get (file->interner, id);
    return *text != '\0' ? pv_profile_builder_string (file->builder, text) : NULL;
}

/* "Firefox 147.0": Gecko has "rv:147.0" in its build. */
static const char *
find_recorder (const FirefoxFile *file)
{
    const char *build = pv_interner_get (file->interner, file->meta.build);
    const char *product = pv_interner_get (file->interner, file->meta.product);
    if (file->meta.importer != 0)
        return get_fact (file, file->meta.importer);
    if (!g_str_has_prefix (build, "rv:"))
        return NULL;
    g_autofree char *recorder = g_strdup_printf ("%s %s", product, build + strlen ("rv:"));
    return pv_profile_builder_string (file->builder, recorder);
}

static void
add_facts (const FirefoxFile *file)
{
    PvFacts *facts = pv_profile_builder_facts (file->builder);
    const FirefoxMeta *meta = &file->meta;
    const char *abi = pv_interner_get (file->interner, meta->abi);
    double start_ms = FIREFOX_NO_NUMBER;
    for (size_t p = 0; p < file->profiles.len && isnan (start_ms); p++)
        start_ms = file->profiles.data[p]->start_time;
    facts->recorder = find_recorder (file);
    if (meta->arguments != 0)
        facts->command = get_fact (file, meta->arguments);
    else if (facts->recorder == NULL || meta->importer != 0)
        facts->command = get_fact (file, meta->product);
    facts->cpu = get_fact (file, meta->cpu);
    facts->comment = get_fact (file, meta->system);
    if (*abi != '\0')
        facts->arch = pv_profile_builder_string_len (file->builder, abi, strcspn (abi, "-"));
    facts->n_cpus = meta->n_cpus > 0 ? (uint32_t)MIN (meta->n_cpus, UINT16_MAX) : 0;
    facts->memory_bytes = meta->memory_bytes > 0 ? (uint64_t)MIN (meta->memory_bytes, 0x1p62) : 0;
    if (start_ms > 0 && start_ms < 8e12) {
        facts->recorded_at = (int64_t)(start_ms / 1e3);
        facts->recorded_at_ns = (int64_t)(start_ms * 1e6);
    }
    if (meta->interval > 0 && meta->interval < 1e9 && !meta->has_no_times) {
        g_autofree char *period = g_strdup_printf ("%g ms", meta->interval);
        facts->period = pv_profile_builder_string (file->builder, period);
    }
}

static void
add_notes (const FirefoxFile *file)
{
    PvProfileBuilder *builder = file->builder;
    pv_json_add_note (file->json, builder);
    if (file->meta.format_version > NEWEST_VERSION)
        pv_note_warning (builder,
                         _ ("The profile is of version %.0f of its format, which is newer than "
                            "Profview knows (%d). Something may be missing or wrong."),
                         MIN (file->meta.format_version, 1e15), NEWEST_VERSION);
    uint32_t n_left_out = file->n_counters - file->n_counters_shown;
    if (n_left_out > 0)
        pv_note_info (
            builder,
            g_dngettext (GETTEXT_PACKAGE,
                         "%u counter of the profile (such as memory or power) is not shown.",
                         "%u counters of the profile (such as memory or power) are not shown.",
                         n_left_out),
            n_left_out);
}

/* --- the file --- */

/* True if there is anything to show; otherwise sets the error. */
static bool
check_taken (const FirefoxFile *file, GError **error)
{
    size_t n_threads = 0;
    for (size_t p = 0; p < file->profiles.len; p++)
        n_threads += file->profiles.data[p]->threads.len;
    PvJsonEnd end = pv_json_get_end (file->json);
    if (n_threads > 0 || end == PV_JSON_END_COMPLETE)
        return true;
    if (end == PV_JSON_END_TOO_LARGE || end == PV_JSON_END_NO_MEMORY)
        return pv_read_fail (error, PV_READ_ERROR_TOO_LARGE,
                             _ ("Unpacked, the file is larger than the limit"));
    return pv_read_fail (error, PV_READ_ERROR_CORRUPT,
                         _ ("The profile is damaged: it has no samples that can be read"));
}

static bool
read_firefox (PvMappedFile *mapped, PvUnpackStream *stream, PvProfileBuilder *builder,
              const PvReadContext *context, GError **error)
{
    (void)mapped;
    FirefoxFile file;
    firefox_file_init (&file, builder, context);
    file.json = pv_json_new (stream, context);
    pv_json_keep_strings (file.json, builder, file.interner);
    firefox_take (&file);
    bool is_good = pv_job_check (context->job, error) && check_taken (&file, error);
    if (is_good) {
        add_facts (&file);
        firefox_build (&file);
        add_notes (&file);
    }
    pv_json_free (file.json);
    firefox_file_clear (&file);
    return is_good;
}

const PvReader pv_firefox_reader = {
    .name = "Firefox Profiler",
    .media_type = "application/x-firefox-profile",
    .recordings = "samply",
    .profiles = "Firefox",
    .sniff = sniff,
    .sniff_after_lines = sniff,
    .read_stream = read_firefox,
    .keeps_all = true,
};
