/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/firefox/firefox-file.h"

void
firefox_file_init (FirefoxFile *file, PvProfileBuilder *builder, const PvReadContext *context)
{
    g_assert (file != NULL && builder != NULL && context != NULL);
    *file = (FirefoxFile){.builder = builder, .context = context, .interner = pv_interner_new ()};
}

static void
clear_tables (FirefoxTables *tables)
{
    pv_array_clear (&tables->strings);
    pv_array_clear (&tables->stack_frame);
    pv_array_clear (&tables->stack_prefix);
    pv_array_clear (&tables->stack_offset);
    pv_array_clear (&tables->stack_category);
    pv_array_clear (&tables->frame_address);
    pv_array_clear (&tables->frame_depth);
    pv_array_clear (&tables->frame_category);
    pv_array_clear (&tables->frame_function);
    pv_array_clear (&tables->frame_line);
    pv_array_clear (&tables->frame_library);
    pv_array_clear (&tables->frame_location);
    pv_array_clear (&tables->function_name);
    pv_array_clear (&tables->function_resource);
    pv_array_clear (&tables->function_file);
    pv_array_clear (&tables->function_source);
    pv_array_clear (&tables->function_line);
    pv_array_clear (&tables->function_is_js);
    pv_array_clear (&tables->resource_library);
    pv_array_clear (&tables->resource_name);
    pv_array_clear (&tables->source_file);
}

static void
clear_samples (FirefoxSamples *samples)
{
    pv_array_clear (&samples->stack);
    pv_array_clear (&samples->time);
    pv_array_clear (&samples->time_delta);
    pv_array_clear (&samples->weight);
    pv_array_clear (&samples->cpu_delta);
    pv_array_clear (&samples->memory_address);
}

static void
clear_markers (FirefoxMarkers *markers)
{
    pv_array_clear (&markers->name);
    pv_array_clear (&markers->start);
    pv_array_clear (&markers->end);
    pv_array_clear (&markers->time);
    pv_array_clear (&markers->phase);
    pv_array_clear (&markers->category);
    pv_array_clear (&markers->details);
    pv_array_clear (&markers->stack);
    pv_array_clear (&markers->data_start);
    pv_array_clear (&markers->data_end);
}

void
firefox_thread_clear (FirefoxThread *thread)
{
    g_assert (thread != NULL);
    clear_tables (&thread->tables);
    clear_samples (&thread->samples);
    for (size_t i = 0; i < G_N_ELEMENTS (thread->allocations); i++)
        clear_samples (&thread->allocations[i]);
    clear_markers (&thread->markers);
    pv_array_clear (&thread->libraries);
}

static void
free_profile (FirefoxProfile *profile)
{
    for (size_t t = 0; t < profile->threads.len; t++)
        firefox_thread_clear (&profile->threads.data[t]);
    for (size_t c = 0; c < profile->counters.len; c++) {
        FirefoxCounterSamples *samples = &profile->counters.data[c].samples;
        pv_array_clear (&samples->time);
        pv_array_clear (&samples->time_delta);
        pv_array_clear (&samples->count);
    }
    pv_array_clear (&profile->counters);
    pv_array_clear (&profile->threads);
    clear_tables (&profile->tables);
    pv_array_clear (&profile->libraries);
    pv_array_clear (&profile->categories);
    g_free (profile);
}

FirefoxProfile *
firefox_file_add_profile (FirefoxFile *file)
{
    FirefoxProfile *profile = g_new0 (FirefoxProfile, 1);
    profile->start_time = FIREFOX_NO_NUMBER;
    pv_array_push (&file->profiles, profile);
    return profile;
}

void
firefox_file_clear (FirefoxFile *file)
{
    g_assert (file != NULL);
    for (size_t p = 0; p < file->profiles.len; p++)
        free_profile (file->profiles.data[p]);
    pv_array_clear (&file->profiles);
    pv_interner_free (file->interner);
}

void
firefox_take_id (PvJson *json, void *member, void *user)
{
    const FirefoxFile *file = user;
    char text[24];
    if (pv_json_get_type (json) != PV_JSON_NUMBER) {
        pv_json_take_interned (json, member, user);
        return;
    }
    g_snprintf (text, sizeof text, "%" G_GINT64_FORMAT, pv_json_get_integer (json, 0));
    *(PvStringId *)member = pv_interner_add (file->interner, text);
}
