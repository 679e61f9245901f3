/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/keys.h"

guint
pv_key_plain (guint key)
{
    /* Home, the arrows, the page keys and End are in the same order in both places. */
    if (key >= GDK_KEY_KP_Home && key <= GDK_KEY_KP_End)
        return key - GDK_KEY_KP_Home + GDK_KEY_Home;
    switch (key) {
    case GDK_KEY_KP_Enter:
        return GDK_KEY_Return;
    case GDK_KEY_KP_Delete:
        return GDK_KEY_Delete;
    case GDK_KEY_equal:
    case GDK_KEY_KP_Add:
        return GDK_KEY_plus;
    case GDK_KEY_KP_Subtract:
        return GDK_KEY_minus;
    default:
        return key;
    }
}
