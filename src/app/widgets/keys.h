/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* Returns the key that stands for all with the same meaning in a picture: for those of the keypad
 * the ones beside the letters, and "+" for "=", which is on the same key. Others stay. */
guint pv_key_plain (guint key);
