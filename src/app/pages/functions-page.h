/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/view/view.h"

/* The page Functions: a list of all functions, and callers and callees of the selected one. */
#define PV_TYPE_FUNCTIONS_PAGE (pv_functions_page_get_type ())
G_DECLARE_FINAL_TYPE (PvFunctionsPage, pv_functions_page, PV, FUNCTIONS_PAGE, PvView)
