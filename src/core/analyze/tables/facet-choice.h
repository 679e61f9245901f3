/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tables/facets.h"

/*
 * Changes a query when values of a facet are shown or hidden. A query names either the values that
 * it shows or those that it hides, and stays with that; at first it names hidden ones. Values of
 * labels are named by filters of label-list.h; other filters on the key, in the user's own words,
 * stay until they would hide a value to be shown. Cheap; any thread.
 */
void pv_facet_set_shown (PvQuery *query, const PvProfile *profile, const PvFacetKey *key,
                         const PvFacetValue *values, uint32_t n_values, bool is_shown);
void pv_facet_show_only (PvQuery *query, const PvFacetKey *key, const PvFacetValue *value);
void pv_facet_show_all (PvQuery *query, const PvFacetKey *key);
