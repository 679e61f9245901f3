/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>
#include <stdint.h>

#include "core/base/format.h"

/* A section of the page Summary: a group and its rows. Texts are copied. Main loop only. */
typedef struct {
    AdwPreferencesGroup *group;
    GPtrArray *rows; /* borrowed, in the group */
    /* Beside the title, borrowed; NULL: not made yet. */
    GtkBox *header;
    GtkLabel *note;
    GtkWidget *help;
} PvSection;

void pv_section_init (PvSection *section, AdwPreferencesGroup *group);
void pv_section_clear (PvSection *section);
/* One line beside the title; NULL: none. */
void pv_section_set_note (PvSection *section, const char *note);
/* A “?” behind that, which opens a page of the help. name: for readers of the screen. */
void pv_section_set_help (PvSection *section, const char *page, const char *name);
void pv_section_add (PvSection *section, GtkWidget *row);
/* After the last row was added: hides a section without rows. */
void pv_section_finish (PvSection *section);

/* Rows for names, which are cut where there is no room, for short titles, and for sentences, which
 * wrap. What is added to the header comes after the titles. subtitle may be NULL. */
GtkWidget *pv_name_row_new (const char *title, const char *subtitle, GtkWidget **ret_header);
GtkWidget *pv_title_row_new (const char *title, GtkWidget **ret_header);
GtkWidget *pv_text_row_new (const char *title, const char *subtitle);

/* A title and its value; no row if that is NULL or empty. */
void pv_section_add_fact (PvSection *section, const char *title, const char *value);
/* A link to a web address; no row for any other address or NULL. */
void pv_section_add_link (PvSection *section, const char *title, const char *url);
/* A share of a number of samples; no row if it is 0. */
void pv_section_add_share (PvSection *section, const char *title, uint64_t amount, uint64_t total);

/* A name that can be activated, and its share. Returns the row. */
GtkWidget *pv_section_add_amount (PvSection *section, const char *title, const char *subtitle,
                                  uint64_t amount, uint64_t total, PvUnit unit);
