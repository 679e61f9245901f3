/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/view/view.h"

/* The page Call Tree: top-down or bottom-up, as a table. */
#define PV_TYPE_TREE_PAGE (pv_tree_page_get_type ())
G_DECLARE_FINAL_TYPE (PvTreePage, pv_tree_page, PV, TREE_PAGE, PvView)
