/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/view/view.h"

/* The page Source: the selected function's source, with what its lines cost. Main loop only. */
#define PV_TYPE_CODE_PAGE (pv_code_page_get_type ())
G_DECLARE_FINAL_TYPE (PvCodePage, pv_code_page, PV, CODE_PAGE, PvView)

/* True if a location has a source line, or machine code that can be shown. Both may be NULL. */
gboolean pv_code_page_can_show (const PvProfile *profile, const PvSymbolTable *symbols);
