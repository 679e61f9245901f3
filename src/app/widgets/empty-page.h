/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

/* Gives a page that has no content its title, and the text below it, which may be NULL. Both are
 * shown as they are, whatever names of files and functions they have: neither is markup. */
void pv_empty_page_set (AdwStatusPage *page, const char *title, const char *text);

/* The same for the text alone. */
void pv_empty_page_set_text (AdwStatusPage *page, const char *text);
