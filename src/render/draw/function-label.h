/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/arena.h"
#include "core/model/profile/symbols.h"
#include "render/draw/label.h"

/* Measures what a function, or without one a bare name, can be called in a picture. Texts that are
 * made go to strings; the others are those of the function. Names that are not ASCII have widths of
 * zero: they need Pango. */
void pv_function_label_init (PvLabelName *ret_label, const PvAdvances *advances,
                             const PvFunction *function, const char *name, PvArena *strings);

/* As pv_label_fit (); but where the label is what tells a function apart from others and does not
 * fit, it loses its middle: "std::vector<std::thre…>::push_back". For lists, where two equal names
 * would say nothing. */
size_t pv_function_label_fit (const PvAdvances *advances, const PvLabelName *label, float width,
                              char *ret_label);
