/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

/*
 * Filters that name values of a label: expressions of the form "^(?:red|blue)$", or "^(?!(?:red)$)"
 * for all but those. They are looked up, not matched, so there may be any number of values.
 * Immutable, reference counted; any thread.
 */
typedef struct {
    int ref_count;   /* atomic */
    bool is_negated; /* all but these */
    GPtrArray *values;
    GHashTable *set; /* the same */
} PvLabelList;

/* Free with g_free (). */
char *pv_label_list_make_expression (const GPtrArray *values, bool is_negated);

/* NULL if the expression is not of that form. */
PvLabelList *pv_label_list_parse (const char *expression);
PvLabelList *pv_label_list_ref (PvLabelList *list); /* NULL is allowed */
void pv_label_list_unref (PvLabelList *list);

/* True if the expression matches the text. */
bool pv_label_list_has (const PvLabelList *list, const char *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvLabelList, pv_label_list_unref)
