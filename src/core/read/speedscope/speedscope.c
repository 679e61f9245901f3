/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of speedscope: one list of frames, and profiles that refer to it, as samples or as events.
 * The list may come after the profiles; then the file is read twice.
 */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/error.h"
#include "core/read/json/json-outline.h"
#include "core/read/speedscope/speedscope-profile.h"

/* --- frames --- */

static void
take_frames (PvJson *json, void *member, void *user)
{
    static const PvJsonField fields[] = {
        {"name", pv_json_take_text, offsetof (SpeedscopeFrame, name)},
        {"file", pv_json_take_text, offsetof (SpeedscopeFrame, file)},
        {"module", pv_json_take_text, offsetof (SpeedscopeFrame, module)},
        {"line", pv_json_take_uint32, offsetof (SpeedscopeFrame, line)},
        PV_JSON_NO_MORE_FIELDS,
    };
    Speedscope *self = member;
    if (self->frames.len > 0 || !pv_json_enter_array (json))
        return;
    while (pv_json_next_element (json) && speedscope_is_to_go_on (self)) {
        SpeedscopeFrame frame = {0};
        pv_json_take_object (json, fields, &frame, user);
        pv_array_push (&self->frames, frame);
        pv_json_count_bytes (json, sizeof frame);
    }
}

static void
take_shared (PvJson *json, void *member, void *user)
{
    static const PvJsonField fields[] = {{"frames", take_frames, 0}, PV_JSON_NO_MORE_FIELDS};
    (void)member;
    pv_json_take_object (json, fields, user, NULL);
}

/* --- the file --- */

typedef struct {
    bool has_profiles;      /* profiles were there ... */
    bool is_without_frames; /* ... before the frames, and have not been read */
    const char *name, *exporter;
} Found;

static void
take_profiles (PvJson *json, void *member, void *user)
{
    Speedscope *self = user;
    Found *found = member;
    if (!pv_json_enter_array (json))
        return;
    found->has_profiles = true;
    found->is_without_frames = self->frames.len == 0;
    while (!found->is_without_frames && pv_json_next_element (json) &&
           speedscope_is_to_go_on (self))
        speedscope_read_profile (self);
    if (found->is_without_frames)
        pv_json_leave (json);
}

static void
read_object (Speedscope *self, Found *found)
{
    static const char *const no_keys[] = {NULL};
    static const PvJsonField fields[] = {
        {"shared", take_shared, 0},
        {"profiles", take_profiles, 0},
        {"name", pv_json_take_text, offsetof (Found, name)},
        {"exporter", pv_json_take_text, offsetof (Found, exporter)},
        PV_JSON_NO_MORE_FIELDS,
    };
    int key;
    if (!pv_json_enter_object (self->json))
        return;
    while (pv_json_next_key (self->json, no_keys, &key) && !self->is_out_of_memory)
        pv_json_take_field (self->json, fields, found, self);
}

static void
read_once (Speedscope *self, PvMappedFile *file, Found *found)
{
    g_autoptr (PvUnpackStream) stream = pv_unpack_stream_new (file, PV_PACKING_NONE, UINT64_MAX);
    self->json = pv_json_new (stream, self->context);
    pv_json_keep_strings (self->json, self->builder, NULL);
    read_object (self, found);
    if (!found->is_without_frames || self->frames.len == 0)
        pv_json_add_note (self->json, self->builder);
    g_clear_pointer (&self->json, pv_json_free);
}

static void
note_count (Speedscope *self, uint64_t n, const char *text)
{
    if (n > 0)
        pv_note_skipped (self->builder, "%s", text);
}

static void
add_notes (Speedscope *self)
{
    pv_profile_builder_add_skipped (self->builder, self->n_bad_profiles + self->n_bad_samples +
                                                       self->n_bad_events);
    if (self->n_with_frames == 0 && self->n_without_frames > 0)
        pv_note_nothing (self->builder,
                         _ ("The program was idle: all samples of the profile are without frames. "
                            "Profile it while it works."));
    else if (self->n_with_frames > 0 && !self->has_amounts)
        pv_note_nothing (self->builder,
                         _ ("The weights of all samples in the file are 0, or too small to be "
                            "shown in their unit. Maybe the program that wrote the file gave them "
                            "another unit."));
    note_count (self, self->n_bad_profiles,
                _ ("Profiles that are neither sampled nor evented are left out."));
    note_count (self, self->n_bad_samples,
                _ ("Samples with weights below zero, without a weight, or of unknown frames are "
                   "not complete."));
    if (self->has_more_weights)
        pv_note_warning (self->builder,
                         _ ("There are more weights than samples: they may be those of other "
                            "samples, so amounts may be wrong. This is an error of the program "
                            "that wrote the file."));
    note_count (self, self->n_bad_events,
                _ ("Events are out of order, or of unknown frames. What could be made of them is "
                   "shown."));
    note_count (self, self->n_unclosed,
                _ ("Frames were not closed. They are shown as open to the end."));
    if (self->has_unitless_time)
        pv_note_info (
            self->builder,
            _ ("The values have no unit of time: over time, one is shown as a millisecond."));
    if (self->count_scale > 1)
        pv_profile_builder_note_fractions (self->builder, (uint64_t)self->count_scale);
    if (self->is_out_of_memory)
        pv_reader_note_out_of_memory (self->builder);
}

static bool
read_speedscope (PvMappedFile *file, const char *path, PvProfileBuilder *builder,
                 const PvReadContext *context, GError **error)
{
    (void)path;
    Speedscope self = {.builder = builder, .context = context};
    Found found = {0};
    self.threads = g_hash_table_new (NULL, NULL);
    read_once (&self, file, &found);
    if (found.is_without_frames && self.frames.len > 0)
        read_once (&self, file, &found);
    pv_profile_builder_facts (builder)->recorder = found.exporter;
    if (self.process != 0 && found.name != NULL)
        pv_profile_builder_name_process (builder, self.process, found.name);
    add_notes (&self);
    bool is_ok = pv_job_check (context->job, error);
    if (is_ok && !found.has_profiles)
        is_ok = pv_read_fail (error, PV_READ_ERROR_CORRUPT,
                              _ ("This file of speedscope has no profiles"));
    g_hash_table_unref (self.threads);
    pv_array_clear (&self.frames);
    pv_hash_map_clear (&self.modules);
    return is_ok;
}

/* --- first look --- */

/* The list of frames may be all that the first bytes have. */
static bool
sniff (const uint8_t *data, size_t size_bytes)
{
    g_autoptr (PvJsonOutline) outline = pv_json_outline_new (data, size_bytes);
    if (outline == NULL)
        return false;
    const char *schema = pv_json_outline_get_string (outline, "$schema");
    bool has_schema = schema != NULL && strstr (schema, "speedscope") != NULL;
    return has_schema || pv_json_outline_has (outline, "shared.frames[].name") ||
           (pv_json_outline_has (outline, "profiles[].type") &&
            pv_json_outline_has (outline, "profiles[].startValue"));
}

const PvReader pv_speedscope_reader = {
    .name = "speedscope",
    .media_type = "application/x-speedscope",
    .profiles = "speedscope",
    .sniff = sniff,
    .sniff_after_lines = sniff,
    .read = read_speedscope,
};
