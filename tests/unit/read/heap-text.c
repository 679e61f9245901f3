/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "heap-text.h"

#include <string.h>

#include "../cases.h"

PvProfile *
read_heap (const char *text)
{
    PvProfile *profile = assert_ok (error, read_bytes (text, strlen (text), NULL, &error));
    g_assert_nonnull (profile);
    g_assert_nonnull (profile->heap);
    return profile;
}

static void
add_given (GString *text, const PvGivenFrame *frame)
{
    for (;; frame++) {
        g_string_append (text, frame->name != NULL ? frame->name : "?");
        if (frame->file != NULL)
            g_string_append_printf (text, "@%s:%u", frame->file, frame->line);
        if (frame->is_last)
            return;
        g_string_append_c (text, '<');
    }
}

static char *
frame_text (const PvProfile *profile, PvLocationId location)
{
    GString *text = g_string_new (NULL);
    const PvModule *module = &profile->modules[profile->module_of_location[location]];
    uint32_t given =
        profile->given_of_location != NULL ? profile->given_of_location[location] : UINT32_MAX;
    if (profile->kind_of_location[location] == PV_LOCATION_NAMED)
        g_assert_cmpuint (given, !=, UINT32_MAX);
    if (given != UINT32_MAX)
        add_given (text, &profile->given_frames[given]);
    else
        g_string_append_printf (text, "%s+0x%" G_GINT64_MODIFIER "x", module->name,
                                profile->address_of_location[location]);
    return g_string_free (text, FALSE);
}

static void
add_stack (GString *text, const PvProfile *profile, PvStackId stack)
{
    g_autoptr (GString) frames = g_string_new (NULL);
    for (; stack != 0; stack = profile->parent_of_stack[stack]) {
        g_autofree char *frame = frame_text (profile, profile->location_of_stack[stack]);
        if (frames->len > 0)
            g_string_prepend_c (frames, ';');
        g_string_prepend (frames, frame);
    }
    g_string_append (text, frames->str);
}

char *
sites_text (const PvProfile *profile)
{
    static const PvHeapMeasure measures[] = {PV_HEAP_ALLOCATIONS, PV_HEAP_TEMPORARY,
                                             PV_HEAP_ALLOCATED, PV_HEAP_LIVE, PV_HEAP_PEAK};
    const PvHeap *heap = profile->heap;
    int64_t *weights[G_N_ELEMENTS (measures)];
    for (size_t m = 0; m < G_N_ELEMENTS (measures); m++) {
        weights[m] = g_new (int64_t, heap->n_sites);
        pv_heap_weigh_sites (heap, measures[m], 0, heap->n_bins, weights[m], NULL);
    }
    GString *text = g_string_new (NULL);
    for (uint32_t s = 0; s < heap->n_sites; s++) {
        if (weights[0][s] == 0 && weights[3][s] == 0)
            continue;
        add_stack (text, profile, heap->stack_of_site[s]);
        g_string_append_printf (text,
                                " %" G_GINT64_FORMAT "/%" G_GINT64_FORMAT " %" G_GINT64_FORMAT
                                " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n",
                                weights[0][s], weights[1][s], weights[2][s], weights[3][s],
                                weights[4][s]);
    }
    for (size_t m = 0; m < G_N_ELEMENTS (measures); m++)
        g_free (weights[m]);
    return g_string_free (text, FALSE);
}
