/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

/* A question or a message above the window, which may be NULL; so may the body. */
AdwMessageDialog *pv_message_dialog_new (GtkWindow *window, const char *heading, const char *body);
