/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tracks/mark-text.h"

#define MOST_BYTES 500

char *
pv_format_mark_fields (const PvProfile *profile, uint32_t set, uint32_t sample)
{
    const PvSampleSet *its;
    const PvFields *fields;
    g_autoptr (GString) text = g_string_new (NULL);
    g_autofree char *valid = NULL;
    const uint8_t *data;
    size_t size;

    g_assert (profile != NULL && set < profile->n_sets && sample < profile->sets[set].n_samples);
    its = &profile->sets[set];
    fields = its->fields;
    data = fields != NULL ? pv_sample_set_get_record (its, sample, &size) : NULL;
    if (data == NULL)
        return NULL;
    for (uint32_t i = 0; i < fields->n_fields && text->len < MOST_BYTES; i++) {
        g_string_append_printf (text, "%s%s=", i > 0 ? ", " : "", fields->fields[i].name);
        pv_field_append (text, &fields->fields[i], data, size, fields->swap);
    }
    if (text->len > MOST_BYTES) {
        g_string_truncate (text, MOST_BYTES);
        valid = g_utf8_make_valid (text->str, -1);
        return g_strconcat (valid, "…", NULL);
    }
    return text->len > 0 ? g_utf8_make_valid (text->str, -1) : NULL;
}
