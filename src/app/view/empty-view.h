/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/view/view.h"

/* A part of a page that says why it shows nothing, with buttons that lead on. It is invisible while
 * there is something. */
#define PV_TYPE_EMPTY_VIEW (pv_empty_view_get_type ())
G_DECLARE_FINAL_TYPE (PvEmptyView, pv_empty_view, PV, EMPTY_VIEW, PvView)

/* FALSE: the page shows something nevertheless, as it is not only about what the query keeps. TRUE
 * at first. */
void pv_empty_view_set_wanted (PvEmptyView *self, gboolean is_wanted);

/* The keyboard goes on at the first button; without any, nowhere, as what had the focus is hidden
 * by this view. */
void pv_empty_view_take_focus (PvEmptyView *self);
