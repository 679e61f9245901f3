/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/write/speedscope.h"

#include <errno.h>

#include "core/base/array.h"
#include "core/write/escape.h"

enum { PIECE_BYTES = 1 << 16 };

struct PvSpeedscopeWriter {
    FILE *file;
    GString *text; /* not written yet */
    int code;      /* of the first error; 0: none */
    uint64_t n_frames, n_profiles;
    PV_ARRAY (uint64_t) weights; /* of the current profile */
};

static void
flush (PvSpeedscopeWriter *self)
{
    if (self->code == 0 && self->text->len > 0 &&
        fwrite (self->text->str, 1, self->text->len, self->file) < self->text->len)
        self->code = errno;
    g_string_truncate (self->text, 0);
}

static void
flush_pieces (PvSpeedscopeWriter *self)
{
    if (self->text->len >= PIECE_BYTES)
        flush (self);
}

/* Shorter than with printf, which takes most of the time else. */
static void
append_number (GString *text, uint64_t number)
{
    char digits[20];
    size_t n = 0;
    do
        digits[sizeof digits - ++n] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    g_string_append_len (text, digits + sizeof digits - n, (gssize)n);
}

PvSpeedscopeWriter *
pv_speedscope_writer_new (FILE *file)
{
    g_assert (file != NULL);
    PvSpeedscopeWriter *self = g_new0 (PvSpeedscopeWriter, 1);
    self->file = file;
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
pv_speedscope_writer_add_frame (PvSpeedscopeWriter *self, const char *name, const char *file,
                                uint32_t line)
{
    g_assert (self != NULL && name != NULL && self->n_profiles == 0);
    g_string_append (self->text, self->n_frames++ > 0 ? ",\n{\"name\": " : "\n{\"name\": ");
    pv_json_append_string (self->text, name);
    if (file != NULL) {
        g_string_append (self->text, ", \"file\": ");
        pv_json_append_string (self->text, file);
    }
    if (line > 0) {
        g_string_append (self->text, ", \"line\": ");
        append_number (self->text, line);
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
        append_number (self->text, frames[i]);
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
        append_number (self->text, self->weights.data[i]);
        sum += self->weights.data[i];
        flush_pieces (self);
    }
    g_string_append (self->text, "], \"endValue\": ");
    append_number (self->text, sum);
    g_string_append_c (self->text, '}');
}

bool
pv_speedscope_writer_finish (PvSpeedscopeWriter *self, const char *name, uint32_t active,
                             GError **error)
{
    g_assert (self != NULL && name != NULL);
    if (self->n_profiles == 0)
        begin_profiles (self);
    g_string_append (self->text, "\n],\n\"name\": ");
    pv_json_append_string (self->text, name);
    g_string_append (self->text, ", \"activeProfileIndex\": ");
    append_number (self->text, active);
    g_string_append (self->text, "\n}\n");
    flush (self);
    if (self->code == 0 && fflush (self->file) != 0)
        self->code = errno;
    if (self->code == 0)
        return true;
    g_set_error_literal (error, G_FILE_ERROR, g_file_error_from_errno (self->code),
                         g_strerror (self->code));
    return false;
}
