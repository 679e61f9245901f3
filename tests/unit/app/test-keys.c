/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/keys.h"

#include "../cases.h"

TEST (plain)
{
    static const struct {
        guint key, plain;
    } expected[] = {
        {GDK_KEY_KP_Home, GDK_KEY_Home},
        {GDK_KEY_KP_Left, GDK_KEY_Left},
        {GDK_KEY_KP_Up, GDK_KEY_Up},
        {GDK_KEY_KP_Right, GDK_KEY_Right},
        {GDK_KEY_KP_Down, GDK_KEY_Down},
        {GDK_KEY_KP_Page_Up, GDK_KEY_Page_Up},
        {GDK_KEY_KP_Page_Down, GDK_KEY_Page_Down},
        {GDK_KEY_KP_End, GDK_KEY_End},
        {GDK_KEY_KP_Enter, GDK_KEY_Return},
        {GDK_KEY_KP_Delete, GDK_KEY_Delete},
        {GDK_KEY_KP_Add, GDK_KEY_plus},
        {GDK_KEY_equal, GDK_KEY_plus},
        {GDK_KEY_KP_Subtract, GDK_KEY_minus},
        /* Neighbours of these, and keys that are plain. */
        {GDK_KEY_KP_F4, GDK_KEY_KP_F4},
        {GDK_KEY_KP_Begin, GDK_KEY_KP_Begin},
        {GDK_KEY_KP_4, GDK_KEY_KP_4},
        {GDK_KEY_Left, GDK_KEY_Left},
        {GDK_KEY_space, GDK_KEY_space},
        {GDK_KEY_e, GDK_KEY_e},
    };

    for (gsize i = 0; i < G_N_ELEMENTS (expected); i++)
        g_assert_cmphex (pv_key_plain (expected[i].key), ==, expected[i].plain);
}
