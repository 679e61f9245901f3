/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/model/profile/profile.h"

/*
 * The labels of samples, for display and for filters. Numbers are compared by the text that shows
 * them.
 */

/* The value of a label: its text, or its number with the unit, "512 bytes". Only "512" if the unit
 * is unknown or, unless it is "bytes", equal to the key. g_free () it. */
char *pv_label_format (const PvLabel *label);

typedef struct {
    const char *key;   /* points into the profile */
    uint32_t n_values; /* number of different values */
} PvLabelKey;

/* All keys, sorted by name; NULL: no keys. g_free () it. */
PvLabelKey *pv_labels_list_keys (const PvProfile *profile, uint32_t *ret_n_keys);
bool pv_labels_have_key (const PvProfile *profile, const char *key);

/* The values of one key: first numbers, sorted by value, then sorted texts. Row 0 stands for
 * samples without the label and has no name. The values of a sample that has the label several
 * times count as one value, separated by commas. */
typedef struct {
    uint32_t n_values;
    char **names;
    uint32_t *value_of_set; /* n_label_sets entries, at least one */
} PvLabelValues;

PvLabelValues *pv_label_values_new (const PvProfile *profile, const char *key);
void pv_label_values_free (PvLabelValues *values);

/* For each label set whether one of its labels has the key and a value that is wanted: one bool per
 * set, at least one; g_free () it. */
bool *pv_labels_match (const PvProfile *profile, const char *key,
                       bool (*is_wanted) (const PvLabel *label, void *data), void *data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvLabelValues, pv_label_values_free)
