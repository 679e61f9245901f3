/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profiles of V8, the engine of Chrome and node: of the CPU, of the heap, and those that traces of
 * Chrome have among other events.
 */
#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "core/base/error.h"
#include "core/read/json/json-outline.h"
#include "core/read/unpack/reader.h"
#include "core/read/v8/v8-trace.h"

typedef struct {
    PvJson *json;
    V8Data data;
    V8Trace *trace;
    bool is_trace;
} Reading;

/* The object of the file, or what a message of the debugger has in "profile" or "result". */
static void
read_object (Reading *self)
{
    static const char *const keys[] = {"traceEvents", "profile", "result", NULL};
    int key;
    uint32_t depth = 1;
    if (!pv_json_enter_object (self->json))
        return;
    while (depth > 0) {
        if (!pv_json_next_key (self->json, keys, &key)) {
            depth--;
        } else if (key == 0) {
            self->is_trace = true;
            v8_trace_read (self->trace, self->json);
        } else if (key > 0) {
            depth += pv_json_enter_object (self->json);
        } else {
            pv_json_take_field (self->json, v8_data_fields, &self->data, &self->data);
        }
    }
}

static void
add_notes (const V8Samples *samples)
{
    PvProfileBuilder *builder = samples->builder;
    if (samples->n_unknown > 0)
        pv_note_warning (builder,
                         g_dngettext (GETTEXT_PACKAGE,
                                      "The function of %" PRIu64 " sample is not in the file.",
                                      "The functions of %" PRIu64 " samples are not in the file.",
                                      (gulong)samples->n_unknown),
                         samples->n_unknown);
    if (samples->is_without_samples)
        pv_note_info (builder,
                      _ ("The file has the number of samples of each function, but not their "
                         "times."));
}

/* False: there is nothing to show. */
static bool
add_samples (Reading *self, V8Samples *samples, GError **error)
{
    if (self->is_trace) {
        uint32_t n_profiles = v8_trace_add (self->trace, samples);
        if (self->data.counted.len > 0)
            v8_trace_add_counted (self->trace, samples, &self->data);
        if (n_profiles > 0 || self->data.counted.len > 0)
            return true;
        return pv_read_fail (error, PV_READ_ERROR_UNSUPPORTED,
                             _ ("This is a Chrome trace without a CPU profile; Profview shows "
                                "nothing else of such traces"));
    }
    if (self->data.nodes.len == 0)
        return pv_read_fail (error, PV_READ_ERROR_CORRUPT,
                             _ ("This profile of V8 has no functions"));
    PvThreadId thread = 0;
    if (!self->data.has_sizes) {
        PvProcessId process = pv_profile_builder_add_process (samples->builder, -1, "", 0);
        thread = pv_profile_builder_add_thread (samples->builder, process, -1, "main", 0);
    }
    v8_samples_add (samples, &self->data, thread);
    return true;
}

static bool
read_v8 (PvMappedFile *file, PvUnpackStream *stream, PvProfileBuilder *builder,
         const PvReadContext *context, GError **error)
{
    (void)file;
    Reading self = {.trace = v8_trace_new (builder)};
    V8Samples samples = {.builder = builder, .context = context};
    v8_data_init (&self.data);
    self.json = pv_json_new (stream, context);
    pv_json_keep_strings (self.json, builder, NULL);
    self.is_trace = pv_json_get_type (self.json) == PV_JSON_ARRAY;
    if (self.is_trace)
        v8_trace_read (self.trace, self.json);
    else
        read_object (&self);
    self.is_trace |= self.data.counted.len > 0;
    pv_json_add_note (self.json, builder);
    bool is_ok = pv_job_check (context->job, error) && add_samples (&self, &samples, error);
    if (self.is_trace)
        pv_profile_builder_facts (builder)->format = "Chrome trace";
    if (is_ok)
        add_notes (&samples);
    pv_json_free (self.json);
    v8_data_clear (&self.data);
    v8_trace_free (self.trace);
    v8_samples_clear (&samples);
    return is_ok;
}

/* --- first look --- */

static bool
sniff (const uint8_t *data, size_t size_bytes)
{
    static const char *const paths[] = {
        "nodes[].callFrame", "head.callFrame",
        "head.functionName", "profile.nodes[].callFrame",
        "profile.head",      "result.profile.nodes[].callFrame",
        "traceEvents",       "[].ph",
        "samples[].sf",
    };
    g_autoptr (PvJsonOutline) outline = pv_json_outline_new (data, size_bytes);
    for (size_t i = 0; outline != NULL && i < G_N_ELEMENTS (paths); i++)
        if (pv_json_outline_has (outline, paths[i]))
            return true;
    return false;
}

const PvReader pv_v8_reader = {
    .name = "V8",
    .media_type = "application/x-v8-profile",
    .profiles = "Chrome, Node.js",
    .sniff = sniff,
    .sniff_after_lines = sniff,
    .read_stream = read_v8,
};
