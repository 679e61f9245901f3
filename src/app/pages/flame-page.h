/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/view/view.h"

/* The page Flame Graph: zoom path, drawing options, picture, details line. */
#define PV_TYPE_FLAME_PAGE (pv_flame_page_get_type ())
G_DECLARE_FINAL_TYPE (PvFlamePage, pv_flame_page, PV, FLAME_PAGE, PvView)

/* Selects the function, and zooms until its heaviest box can be seen; or shows its sandwich. */
void pv_flame_page_show_function (PvFlamePage *page, PvFunctionId function);
