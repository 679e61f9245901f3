/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/arena.h"
#include "core/model/profile/symbols.h"
#include "render/draw/label.h"

/* Measures the names a function can have in a picture, or just name if function is NULL. Allocates
 * new texts in strings; borrows the others from the function. Names that are not ASCII get widths
 * of zero: they need Pango. */
void pv_function_label_init (PvLabelName *ret_label, const PvAdvances *advances,
                             const PvFunction *function, const char *name, PvArena *strings);

/* Like pv_label_fit (), but if a function has a label of its own that does not fit, cuts its
 * middle: "std::vector<std::thre…>::push_back". For lists, where two equal names would be
 * useless. */
size_t pv_function_label_fit (const PvAdvances *advances, const PvLabelName *label, float width,
                              char *ret_label);
