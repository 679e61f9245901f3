/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "record/advice/checks.h"

/* Problems and hints for a recording, with a button for each fix. The signal "fix" has a
 * const PvAdvice that is valid while it is emitted; not for PV_FIX_COPY, which the list does
 * itself. */
#define PV_TYPE_ADVICE_LIST (pv_advice_list_get_type ())
G_DECLARE_FINAL_TYPE (PvAdviceList, pv_advice_list, PV, ADVICE_LIST, GtkWidget)

/* advice: PvAdvice, or NULL. Keeps the rows if nothing changed. */
void pv_advice_list_set (PvAdviceList *list, GPtrArray *advice);
