/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/*
 * Reference counts: an int ref_count in a type, 1 for whoever makes it. Any thread.
 */

/* Defines the function that adds a reference to a Given, which is the type or its const, and
 * returns the type. */
#define PV_DEFINE_REF(function, Type, Given)                                                       \
    Type *function (Given *object)                                                                 \
    {                                                                                              \
        g_assert (object != NULL);                                                                 \
        __atomic_add_fetch (&((Type *)object)->ref_count, 1, __ATOMIC_RELAXED);                    \
        return (Type *)object;                                                                     \
    }

/* Takes a reference back. True if that was the last one: what refers to it frees it now. False for
 * NULL. */
#define pv_ref_was_last(object)                                                                    \
    ((object) != NULL && __atomic_sub_fetch (&(object)->ref_count, 1, __ATOMIC_ACQ_REL) == 0)
