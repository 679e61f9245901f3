/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/view/view.h"

/* Shows why a file could not be opened, a profile not be fetched or a program not be recorded, and
 * offers what helps. The state of its document is PV_DOCUMENT_FAILED. */
#define PV_TYPE_ERROR_PAGE (pv_error_page_get_type ())
G_DECLARE_FINAL_TYPE (PvErrorPage, pv_error_page, PV, ERROR_PAGE, PvView)

/* Page of the help on an error of a document; static. Main loop only. */
const char *pv_error_get_help (const GError *error);
