/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/draw/function-label.h"

#include <string.h>

/* Sets the function's label if it differs from the short name, with one byte per ellipsis. */
static void
set_list_label (PvLabelName *label, const PvAdvances *advances, const PvFunction *function,
                PvArena *strings)
{
    static const char ellipsis[] = "…";
    char buffer[PV_LABEL_MAX];
    size_t n = 0;
    if (function->label == NULL || strcmp (function->label, function->short_name) == 0)
        return;
    for (const char *s = function->label; *s != '\0'; n++) {
        bool is_ellipsis = g_str_has_prefix (s, ellipsis);
        if (n + 1 >= sizeof buffer || (!is_ellipsis && (unsigned char)*s >= 0x80))
            return;
        buffer[n] = is_ellipsis ? PV_LABEL_ELLIPSIS : *s;
        s += is_ellipsis ? strlen (ellipsis) : 1;
    }
    buffer[n] = '\0';
    label->label = pv_arena_strndup (strings, buffer, n);
    label->label_width = pv_label_measure (advances, label->label);
}

void
pv_function_label_init (PvLabelName *ret_label, const PvAdvances *advances,
                        const PvFunction *function, const char *name, PvArena *strings)
{
    g_assert (ret_label != NULL && advances != NULL && strings != NULL);
    g_assert (function != NULL || name != NULL);

    PvLabelName *label = ret_label;
    *label = (PvLabelName){.is_symbol = function == NULL || function->kind == PV_FUNCTION_NAMED};
    label->name = function != NULL ? function->name : name;
    label->short_name = function != NULL ? function->short_name : name;
    if (!pv_label_is_ascii (label->name) || !pv_label_is_ascii (label->short_name))
        return;
    label->name_width = pv_label_measure (advances, label->name);
    label->short_width = pv_label_measure (advances, label->short_name);
    if (function == NULL)
        return;
    set_list_label (label, advances, function, strings);
    char buffer[PV_LABEL_MAX];
    if (label->is_symbol && pv_label_elide (label->name, buffer)) {
        label->elided = pv_arena_strndup (strings, buffer, strlen (buffer));
        label->elided_width = pv_label_measure (advances, label->elided);
    }
}

/* The last part of the label with the punctuation before it: ">::push_back"; NULL if there is
 * none. */
static const char *
find_tail (const PvLabelName *label)
{
    const char *part = label->short_name, *tail = NULL;
    for (const char *at = strstr (part, "::"); at != NULL; at = strstr (at + 2, "::"))
        part = at + 2;
    if (part == label->short_name || part[0] == '\0')
        return NULL;
    for (const char *at = strstr (label->label, part); at != NULL; at = strstr (at + 1, part))
        tail = at;
    for (int i = 0; tail != NULL && i < 3; i++)
        if (tail > label->label && strchr (":>", tail[-1]) != NULL)
            tail--;
    return tail;
}

size_t
pv_function_label_fit (const PvAdvances *advances, const PvLabelName *label, float width,
                       char *ret_label)
{
    enum { LEAST_HEAD = 10 };
    const char *tail =
        label->label != NULL && label->name_width > width && label->label_width > width
            ? find_tail (label)
            : NULL;
    if (tail == NULL)
        return pv_label_fit (advances, label, width, ret_label);
    size_t n = 0, len = strlen (tail);
    float room = width - advances->of[PV_LABEL_ELLIPSIS] - pv_label_measure (advances, tail);
    while (label->label + n < tail && room >= advances->of[label->label[n] & 0x7f])
        room -= advances->of[label->label[n++] & 0x7f];
    if (n < LEAST_HEAD || n + 1 + len > PV_LABEL_MAX)
        return pv_label_fit (advances, label, width, ret_label);
    memcpy (ret_label, label->label, n);
    ret_label[n] = PV_LABEL_ELLIPSIS;
    memcpy (ret_label + n + 1, tail, len);
    return n + 1 + len;
}
