/* SPDX-License-Identifier: GPL-3.0-or-later */
/* As core.h, for the window. */
#include <adwaita.h>
#include <glib/gi18n.h>
