/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/write/speedscope.h"

#include "core/base/array.h"
#include "core/write/escape.h"

enum { PIECE_BYTES = 1 << 16 };

struct PvSpeedscopeWriter {
    PvWriter *out;
    GString *text; /* not written yet */
    uint64_t n_frames, n_profiles;
    PV_ARRAY (uint64_t) weights; /* of the current profile */
};

static void
flush_pieces (PvSpeedscopeWriter *self)
{
    if (self->text->len >= PIECE_BYTES)
        pv_writer_take (self->text, self->out);
}

PvSpeedscopeWriter *
pv_speedscope_writer_new (PvWriter *out)
{
    g_assert (out != NULL);
    PvSpeedscopeWriter *self = g_new0 (PvSpeedscopeWriter, 1);
    self->out = out;
    self->text =
        g_string_new ("{\n\"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n"
                      "\"exporter\": \"profview\",\n\"shared\": {\"frames\": [");
    return self;
}

void
pv_speedscope_writer_free (PvSpeedscopeWriter *self)
{
    if (self == NULL)
        return;
    g_string_free (self->text, TRUE);
    pv_array_clear (&self->weights);
    g_free (self);
}

void
pv_speedscope_writer_add_frame (PvSpeedscopeWriter *self, const char *name, const char *module,
                                const char *file, uint32_t line)
{
    g_assert (self != NULL && name != NULL && self->n_profiles == 0);
    g_string_append (self->text, self->n_frames++ > 0 ? ",\n{\"name\": " : "\n{\"name\": ");
    pv_json_append_string (self->text, name);
    if (file != NULL) {
        g_string_append (self->text, ", \"file\": ");
        pv_json_append_string (self->text, file);
    }
    if (module != NULL) {
        g_string_append (self->text, ", \"module\": ");
        pv_json_append_string (self->text, module);
    }
    if (line > 0) {
        g_string_append (self->text, ", \"line\": ");
        pv_append_number (self->text, line);
    }
    g_string_append_c (self->text, '}');
    flush_pieces (self);
}

static void
begin_profiles (PvSpeedscopeWriter *self)
{
    g_string_append (self->text, "\n]},\n\"profiles\": [");
}

void
pv_speedscope_writer_begin_profile (PvSpeedscopeWriter *self, const char *name, const char *unit)
{
    g_assert (self != NULL && name != NULL && unit != NULL);
    if (self->n_profiles == 0)
        begin_profiles (self);
    g_string_append (self->text, self->n_profiles++ > 0 ? ",\n" : "\n");
    g_string_append (self->text, "{\"type\": \"sampled\", \"name\": ");
    pv_json_append_string (self->text, name);
    g_string_append_printf (self->text, ", \"unit\": \"%s\", \"startValue\": 0,\n\"samples\": [",
                            unit);
    self->weights.len = 0;
}

void
pv_speedscope_writer_add_sample (PvSpeedscopeWriter *self, const uint32_t *frames, size_t n_frames,
                                 uint64_t weight)
{
    g_assert (self != NULL && (frames != NULL || n_frames == 0));
    g_string_append (self->text, self->weights.len > 0 ? ",\n[" : "\n[");
    for (size_t i = n_frames; i-- > 0;) {
        pv_append_number (self->text, frames[i]);
        if (i > 0)
            g_string_append_c (self->text, ',');
    }
    g_string_append_c (self->text, ']');
    pv_array_push (&self->weights, weight);
    flush_pieces (self);
}

void
pv_speedscope_writer_end_profile (PvSpeedscopeWriter *self)
{
    g_assert (self != NULL);
    uint64_t sum = 0;
    g_string_append (self->text, "],\n\"weights\": [");
    for (size_t i = 0; i < self->weights.len; i++) {
        if (i > 0)
            g_string_append_c (self->text, ',');
        pv_append_number (self->text, self->weights.data[i]);
        sum += self->weights.data[i];
        flush_pieces (self);
    }
    g_string_append (self->text, "], \"endValue\": ");
    pv_append_number (self->text, sum);
    g_string_append_c (self->text, '}');
}

void
pv_speedscope_writer_finish (PvSpeedscopeWriter *self, const char *name, uint32_t active)
{
    g_assert (self != NULL && name != NULL);
    if (self->n_profiles == 0)
        begin_profiles (self);
    g_string_append (self->text, "\n],\n\"name\": ");
    pv_json_append_string (self->text, name);
    g_string_append (self->text, ", \"activeProfileIndex\": ");
    pv_append_number (self->text, active);
    g_string_append (self->text, "\n}\n");
    pv_writer_take (self->text, self->out);
}
