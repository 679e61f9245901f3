/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "record/advice/checks.h"

/* What stands in the way of a recording, each with a button for its remedy. The signal "remedy" has
 * a const PvAdvice, valid while it is emitted; PV_REMEDY_COPY is done already. */
#define PV_TYPE_ADVICE_LIST (pv_advice_list_get_type ())
G_DECLARE_FINAL_TYPE (PvAdviceList, pv_advice_list, PV, ADVICE_LIST, GtkWidget)

/* Of PvAdvice; NULL: none. Rows that say the same as before stay. */
void pv_advice_list_set (PvAdviceList *list, GPtrArray *advice);
