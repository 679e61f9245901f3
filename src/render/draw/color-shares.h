/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "render/draw/palette.h"

/* The entries of legends: colours with the names and amounts of what has them. */
typedef struct {
    char *text;
    char *details; /* the path of a module, or the largest of those that share the colour; NULL */
    uint8_t hue;   /* in its middle shade */
    double weight;
} PvColorShare;

/* Name of the functions with a hue of this family by a scheme, for display: of a module, a package
 * or a group. NULL: the family is one of the many that names or values have. It lives as long as
 * symbols. */
const char *pv_color_name_family (const PvProfile *profile, const PvSymbolTable *symbols,
                                  unsigned family, PvColorScheme scheme);

/* The families with names that have weight by a scheme of functions, the heaviest first:
 * PvColorShare; free with g_ptr_array_unref (). weight_of_function has symbols->n_functions
 * entries. */
GPtrArray *pv_color_shares_list (const PvProfile *profile, const PvSymbolTable *symbols,
                                 const double *weight_of_function, PvColorScheme scheme);
