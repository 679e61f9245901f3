/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>
#include <stdint.h>

#include "core/base/format.h"

/*
 * Rows of the page Summary. A row comes into its section unseen and is revealed when its turn
 * comes: what is not visible is not laid out.
 */
typedef struct {
    AdwPreferencesGroup *group;
    GPtrArray *rows; /* what was added to the group */
} PvSection;

void pv_section_init (PvSection *section, AdwPreferencesGroup *group);
void pv_section_clear (PvSection *section);
/* One line beside the title that says more about it; NULL: none. (The description of a group wraps,
 * and what wraps is measured for many widths.) */
void pv_section_set_remark (PvSection *section, const char *remark);
void pv_section_add (PvSection *section, GtkWidget *row);
/* After the last row was added: a section without rows would be a title over nothing. */
void pv_section_finish (PvSection *section);
/* Shows some more rows, as many as a frame has time for; false if there are none. */
gboolean pv_section_reveal (PvSection *section);
/* The row has text that may need several lines: it is laid out in a frame of its own. */
void pv_section_mark_long (GtkWidget *row);

/* What is added to the header of a row comes after its titles. For names, of which as much is seen
 * as there is room for; for words of ours, which are short; for sentences. subtitle may be NULL. */
GtkWidget *pv_name_row_new (const char *title, const char *subtitle, GtkWidget **ret_header);
GtkWidget *pv_word_row_new (const char *title, GtkWidget **ret_header);
GtkWidget *pv_text_row_new (const char *title, const char *subtitle);

/* A title and its value; nothing if that is NULL or empty. */
void pv_section_add_fact (PvSection *section, const char *title, const char *value);
/* An address that is opened when it is clicked, and only then; nothing unless it is one of the
 * web. */
void pv_section_add_link (PvSection *section, const char *title, const char *url);
/* A part of a number of samples; nothing if it is 0. */
void pv_section_add_share (PvSection *section, const char *title, uint64_t amount, uint64_t whole);

/* A name that can be activated, and its part of a whole. */
GtkWidget *pv_section_add_amount (PvSection *section, const char *title, const char *subtitle,
                                  uint64_t amount, uint64_t whole, PvUnit unit);
