/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/view/view.h"

/* The page Marks: the samples of a tracepoint with their fields, one event at a time. */
#define PV_TYPE_MARKS_PAGE (pv_marks_page_get_type ())
G_DECLARE_FINAL_TYPE (PvMarksPage, pv_marks_page, PV, MARKS_PAGE, PvView)

/* True if any event of the profile has fields; profile may be NULL. */
gboolean pv_marks_page_can_show (const PvProfile *profile);
