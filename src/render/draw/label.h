/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * Shortens names, least important parts first: template arguments and parameters, then outer
 * namespaces or folders, then the end of the name. ASCII only; the ellipsis is the single byte
 * PV_LABEL_ELLIPSIS, so that a width takes one table look-up per byte.
 */
enum {
    PV_LABEL_ELLIPSIS = 0x1a,
    PV_LABEL_MAX = 4096, /* bytes; a longer label is never drawn whole */
    PV_LABEL_MIN_CHARS = 3,
};

/* Widths of the characters 0..127. */
typedef struct {
    float of[128];
} PvAdvances;

/* The facts about a name that do not depend on the available width. */
typedef struct {
    const char *name;
    const char *short_name;
    const char *label;  /* unlike short_name, unique; NULL if short_name is */
    const char *elided; /* template arguments as <…>, no parameters; NULL if nothing is elided */
    float name_width;   /* infinite if longer than PV_LABEL_MAX */
    float short_width;
    float label_width;
    float elided_width;
    bool is_symbol; /* a name with parts that can be dropped, unlike "module+0x1234" */
} PvLabelName;

bool pv_label_is_ascii (const char *text);
float pv_label_measure (const PvAdvances *advances, const char *text);

/* Writes name, with template arguments and parameters elided, to buffer (at least PV_LABEL_MAX
 * bytes, NUL-terminated). False if nothing could be elided or the result does not fit. */
bool pv_label_elide (const char *name, char *buffer);

/* Writes the best label for a width to ret_label (at least PV_LABEL_MAX bytes, not terminated) and
 * returns its length; 0 if fewer than PV_LABEL_MIN_CHARS of a longer name fit. */
size_t pv_label_fit (const PvAdvances *advances, const PvLabelName *name, float width,
                     char *ret_label);
