/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

/* Choices that outlive a run: data/org.profview.Profview.gschema.xml. Main loop only. */

/* False if the schema is found neither near the program, in its build folder or installation, nor
 * among the system's. */
gboolean pv_settings_open (void);
/* Borrowed. Opens them; the schema must be there. */
GSettings *pv_settings_get (void);
