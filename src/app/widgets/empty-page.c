/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/empty-page.h"

void
pv_empty_page_set (AdwStatusPage *page, const char *title, const char *text)
{
    g_assert (title != NULL);
    adw_status_page_set_title (page, title);
    pv_empty_page_set_text (page, text);
}

void
pv_empty_page_set_text (AdwStatusPage *page, const char *text)
{
    g_autofree char *markup = text != NULL ? g_markup_escape_text (text, -1) : NULL;

    g_assert (ADW_IS_STATUS_PAGE (page));
    adw_status_page_set_description (page, markup);
}
