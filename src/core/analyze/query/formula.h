/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "core/model/profile/profile.h"

/*
 * A measure that is computed from recorded ones: "ipc=instructions/cycles". It is computed from
 * sums, those of a function or of everything, so it has no weights of its own: another measure
 * gives the width of boxes.
 *
 * A definition is a name, "=" and an expression with + - * /, parentheses, numbers and names of
 * measures. A minus has a space before it, as names may contain one; names with other signs are
 * quoted: "cpu/cycles/". Events are found without their modifiers, too: "cycles" finds "cycles:u".
 * A "%" at the end writes values in percent.
 *
 * Immutable and reference counted; any thread.
 */
typedef struct {
    int ref_count; /* atomic */
    char *definition;
    char *name;  /* what is before the "=" */
    char *title; /* for people; of the usual ones translated, else the name */
    /* The measure for widths: the first one that is divided by, else the first of all. */
    PvMeasureId base;
    PvMeasureId *measures; /* those in the expression, each once */
    uint32_t n_measures;
    struct PvFormulaStep *steps;
    uint32_t n_steps;
    bool is_percent;
    bool is_amount; /* values are of the unit ... */
    bool is_rate;   /* ... per second */
    PvUnit unit;
    double factor; /* of values */
} PvFormula;

#define PV_FORMULA_MAX_STEPS 100 /* numbers, measures and operators */

/* The formula for a profile. A definition without "=" names a usual one. NULL with a G_OPTION_ERROR
 * if it cannot be read, or if the profile has no such measure. */
PvFormula *pv_formula_new (const char *definition, const PvProfile *profile, GError **error);
/* The faulty part of a definition that pv_formula_check () reports, in bytes. */
typedef struct {
    size_t start;
    size_t length; /* 0: something is missing there */
} PvFormulaFault;

/* True if pv_formula_new () would succeed, else false with its error; profile NULL: for one that
 * has the measures. ret_fault may be NULL. */
bool pv_formula_check (const char *definition, const PvProfile *profile, PvFormulaFault *ret_fault,
                       GError **error);
/* The amount of one measure for each of another; in percent, if both are bytes or times. Its name
 * is that of the first one. title: for people. */
PvFormula *pv_formula_new_ratio (const PvProfile *profile, PvMeasureId of, PvMeasureId per,
                                 const char *title);
/* One measure by itself, beside the width of boxes by another: the size of a function. Its
 * name is that of the measure with "-of-function". */
PvFormula *pv_formula_new_size (const PvProfile *profile, PvMeasureId of, PvMeasureId base);
PvFormula *pv_formula_ref (PvFormula *formula);
void pv_formula_unref (PvFormula *formula);

/* The name in a definition, without blanks around it; NULL: there is no "=". g_free () it. */
char *pv_formula_copy_name (const char *definition);

/* The name of a measure in an expression, quoted if it must be; g_free () it. NULL: it cannot be
 * named. */
char *pv_formula_make_word (const PvProfile *profile, PvMeasureId measure);

/* The usual formulas that make sense for a profile, each name once, PvFormula; g_ptr_array_unref ()
 * it. */
GPtrArray *pv_formula_list_usual (const PvProfile *profile);

/* The expression behind the "=", and the value for all of the profile; NAN: no value. */
const char *pv_formula_get_expression (const PvFormula *formula);
double pv_formula_compute_whole (const PvFormula *formula, const PvProfile *profile);

/* The value; amounts are those of formula->measures, in its order. NAN after a division by 0. */
double pv_formula_compute (const PvFormula *formula, const double *amounts);

/* "1.85", "4.2 %", "1.25 KiB", "1.25 KiB/s"; "–" for NAN. g_free () it. */
char *pv_formula_format (const PvFormula *formula, double value);
/* The same for other programs: "1.85", of amounts in bytes, bytes per second or nanoseconds; NULL
 * for NAN. g_free () it. */
char *pv_formula_format_plain (double value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvFormula, pv_formula_unref)
