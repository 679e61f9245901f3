/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/query/formula.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/ref.h"
#include "core/model/profile/event-names.h"

enum { MAX_DEPTH = 20, NS_PER_MS = 1000000, NS_PER_S = 1000000000 };

typedef enum { STEP_NUMBER, STEP_MEASURE, STEP_ADD, STEP_SUBTRACT, STEP_MULTIPLY, STEP_DIVIDE } Op;

/* In postfix order. */
typedef struct PvFormulaStep {
    Op op;
    double number;
    uint32_t measure; /* index in formula->measures */
} Step;

/* The powers in the unit of a value. Bytes times time is measured in milliseconds. */
typedef struct {
    int bytes, ns, ms;
} Dimension;

/* Reading */

typedef struct {
    const char *p;
    const PvProfile *profile; /* NULL: any measure is there */
    unsigned depth;
    bool has_divided;
    bool has_base;
    bool has_first;
    PvMeasureId base;
    PV_ARRAY (Step) steps;
    PV_ARRAY (PvMeasureId) measures;
    const char *definition;
    PvFormulaFault fault;
    GError **error;
} Parser;

static bool fail (Parser *parser, const char *start, size_t length, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

/* start and length: the part of the definition that is wrong. */
static bool
fail (Parser *parser, const char *start, size_t length, const char *format, ...)
{
    va_list arguments;
    parser->fault = (PvFormulaFault){(size_t)(start - parser->definition), length};
    va_start (arguments, format);
    g_autofree char *text = g_strdup_vprintf (format, arguments);
    va_end (arguments);
    if (parser->error != NULL && *parser->error == NULL)
        g_set_error_literal (parser->error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, text);
    return false;
}

static void
skip_space (Parser *parser)
{
    while (g_ascii_isspace (*parser->p))
        parser->p++;
}

static bool
add_step (Parser *parser, Op op, double number, uint32_t measure)
{
    if (parser->steps.len >= PV_FORMULA_MAX_STEPS)
        return fail (parser, parser->p, strlen (parser->p), _ ("the formula is too long"));
    Step step = {op, number, measure};
    pv_array_push (&parser->steps, step);
    return true;
}

/* The event's own name in "cycles:u", "cpu/cycles/u" or "cpu_core/cycles/". */
static const char *
find_event_name (const char *name, size_t *ret_len)
{
    const char *slash = strchr (name, '/');
    const char *start = slash != NULL ? slash + 1 : name;
    *ret_len = strcspn (start, slash != NULL ? "/," : ":");
    return start;
}

static bool
is_event (const char *name, const char *wanted)
{
    size_t len;
    const char *start = find_event_name (name, &len);
    return len == strlen (wanted) && g_ascii_strncasecmp (start, wanted, len) == 0;
}

static PvMeasureId
find_measure (const PvProfile *profile, const char *name)
{
    PvMeasureId found = pv_profile_find_measure_or_title (profile, name);
    for (PvMeasureId m = 0; m < profile->n_weights && found == UINT32_MAX; m++)
        if (is_event (profile->measures[m].name, name))
            found = m;
    return found;
}

static uint32_t
place_measure (Parser *parser, PvMeasureId measure)
{
    for (uint32_t i = 0; i < parser->measures.len; i++)
        if (parser->measures.data[i] == measure)
            return i;
    pv_array_push (&parser->measures, measure);
    return (uint32_t)parser->measures.len - 1;
}

/* start and length: where the name is, with its quotes. */
static bool
add_measure (Parser *parser, const char *name, const char *start, size_t length)
{
    PvMeasureId measure = 0;
    if (parser->profile != NULL) {
        measure = find_measure (parser->profile, name);
        if (measure == UINT32_MAX) {
            g_autofree char *known = pv_profile_format_measures (parser->profile);
            return fail (parser, start, length, _ ("there is no measure “%s”; available: %s"), name,
                         known);
        }
    }
    if (!parser->has_first || (parser->has_divided && !parser->has_base)) {
        parser->base = measure;
        parser->has_base = parser->has_divided;
        parser->has_first = true;
    }
    return add_step (parser, STEP_MEASURE, 0, place_measure (parser, measure));
}

static bool
is_name_char (const char *p, const char *start)
{
    if (*p == '-')
        return p > start && g_ascii_isalnum (p[1]);
    return *p != '\0' && !g_ascii_isspace (*p) && strchr ("+*/()\"%=", *p) == NULL;
}

/* Reports an unexpected word or sign at the parser's place. */
static bool
fail_unexpected (Parser *parser)
{
    const char *p = parser->p, *end = p;
    while (is_name_char (end, p))
        end++;
    if (end == p)
        end = g_utf8_next_char (p);
    g_autofree char *part = g_strndup (p, (size_t)(end - p));
    return fail (parser, p, (size_t)(end - p), _ ("“%s” is not expected"), part);
}

/* A name between quotes. */
static bool
parse_quoted (Parser *parser)
{
    const char *start = parser->p, *end = strchr (start + 1, '"');
    if (end == NULL)
        return fail (parser, start, strlen (start), _ ("a quote is not closed"));
    if (end == start + 1)
        return fail (parser, start, 2, _ ("“%s” is not expected"), "\"\"");
    g_autofree char *name = g_strndup (start + 1, (size_t)(end - start - 1));
    parser->p = end + 1;
    return add_measure (parser, name, start, (size_t)(end + 1 - start));
}

/* A number or the name of a measure. */
static bool
parse_word (Parser *parser)
{
    const char *start = parser->p, *end = start;
    if (*start == '"')
        return parse_quoted (parser);
    char *number_end;
    double number = g_ascii_strtod (start, &number_end);
    while (is_name_char (end, start))
        end++;
    if (g_ascii_isdigit (*start) && number_end >= end && isfinite (number)) {
        parser->p = number_end;
        return add_step (parser, STEP_NUMBER, number, 0);
    }
    if (end == start && *start == '\0')
        return fail (parser, start, 0, _ ("the formula ends too soon"));
    if (end == start)
        return fail_unexpected (parser);
    g_autofree char *name = g_strndup (start, (size_t)(end - start));
    parser->p = end;
    return add_measure (parser, name, start, (size_t)(end - start));
}

static bool parse_sum (Parser *parser);

static bool
parse_factor (Parser *parser)
{
    skip_space (parser);
    if (*parser->p != '(')
        return parse_word (parser);
    const char *open = parser->p;
    if (++parser->depth > MAX_DEPTH)
        return fail (parser, open, 1, _ ("the formula has too many parentheses"));
    parser->p++;
    if (!parse_sum (parser))
        return false;
    skip_space (parser);
    if (*parser->p == '\0')
        return fail (parser, open, 1, _ ("a parenthesis is not closed"));
    if (*parser->p != ')')
        return fail_unexpected (parser);
    parser->p++;
    parser->depth--;
    return true;
}

static bool
parse_product (Parser *parser)
{
    if (!parse_factor (parser))
        return false;
    for (skip_space (parser); *parser->p == '*' || *parser->p == '/'; skip_space (parser)) {
        Op op = *parser->p++ == '*' ? STEP_MULTIPLY : STEP_DIVIDE;
        parser->has_divided |= op == STEP_DIVIDE;
        if (!parse_factor (parser) || !add_step (parser, op, 0, 0))
            return false;
    }
    return true;
}

static bool
parse_sum (Parser *parser)
{
    if (!parse_product (parser))
        return false;
    for (skip_space (parser); *parser->p == '+' || *parser->p == '-'; skip_space (parser)) {
        Op op = *parser->p++ == '+' ? STEP_ADD : STEP_SUBTRACT;
        if (!parse_product (parser) || !add_step (parser, op, 0, 0))
            return false;
    }
    return true;
}

static bool
parse (Parser *parser, bool *ret_is_percent)
{
    const char *start = parser->p;
    if (!parse_sum (parser))
        return false;
    skip_space (parser);
    *ret_is_percent = *parser->p == '%';
    parser->p += *ret_is_percent;
    skip_space (parser);
    if (*parser->p != '\0')
        return fail_unexpected (parser);
    return parser->measures.len > 0 ||
           fail (parser, start, strlen (start), _ ("the formula names no measure"));
}

/* Units */

static Dimension
dimension_of_measure (const PvProfile *profile, PvMeasureId measure)
{
    switch (profile->measures[measure].unit) {
    case PV_UNIT_NS:
        return (Dimension){.ns = 1};
    case PV_UNIT_BYTES:
        return (Dimension){.bytes = 1};
    case PV_UNIT_BYTE_MS:
        return (Dimension){.bytes = 1, .ms = 1};
    case PV_UNIT_COUNT:
        break;
    }
    return (Dimension){0};
}

static Dimension
combine (Dimension a, Dimension b, Op op)
{
    if (op == STEP_MULTIPLY)
        return (Dimension){a.bytes + b.bytes, a.ns + b.ns, a.ms + b.ms};
    if (op == STEP_DIVIDE)
        return (Dimension){a.bytes - b.bytes, a.ns - b.ns, a.ms - b.ms};
    /* A plain number has the unit of the other; else it is that of the first. */
    return a.bytes == 0 && a.ns == 0 && a.ms == 0 ? b : a;
}

static void
find_unit (PvFormula *formula, const PvProfile *profile)
{
    Dimension stack[PV_FORMULA_MAX_STEPS + 1];
    uint32_t n = 0;
    for (uint32_t i = 0; i < formula->n_steps; i++) {
        const Step *step = &formula->steps[i];
        if (step->op == STEP_NUMBER)
            stack[n++] = (Dimension){0};
        else if (step->op == STEP_MEASURE)
            stack[n++] = dimension_of_measure (profile, formula->measures[step->measure]);
        else {
            n--;
            stack[n - 1] = combine (stack[n - 1], stack[n], step->op);
        }
    }
    Dimension unit = stack[0];
    formula->factor = formula->is_percent ? 100 : 1;
    formula->is_amount = !formula->is_percent;
    if (unit.bytes == 0 && unit.ns + unit.ms == 1 && (unit.ns == 1 || unit.ms == 1)) {
        formula->unit = PV_UNIT_NS;
        formula->factor *= unit.ms == 1 ? NS_PER_MS : 1;
    } else if (unit.bytes == 1 && unit.ns == 0 && unit.ms == 0)
        formula->unit = PV_UNIT_BYTES;
    else if (unit.bytes == 1 && unit.ns == 0 && unit.ms == 1)
        formula->unit = PV_UNIT_BYTE_MS;
    else if (unit.bytes == 1 && unit.ns == -1 && unit.ms == 0) {
        formula->unit = PV_UNIT_BYTES;
        formula->is_rate = formula->is_amount;
        formula->factor *= formula->is_rate ? NS_PER_S : 1;
    } else
        formula->is_amount = false;
}

/* The usual ones */

static const struct {
    const char *definition;
    const char *title;
    PvUnit unit; /* of its first measure; PV_UNIT_COUNT: any */
} usual[] = {
    {"ipc=instructions/cycles", N_ ("Instructions per cycle")},
    {"frontend-stalls=stalled-cycles-frontend/cycles%", N_ ("Front-end stalls")},
    {"backend-stalls=stalled-cycles-backend/cycles%", N_ ("Back-end stalls")},
    {"cache-miss-rate=cache-misses/cache-references%", N_ ("Cache miss rate")},
    /* Translators: cache misses per 1,000 instructions */
    {"cache-mpki=1000*cache-misses/instructions", N_ ("Cache MPKI")},
    {"l1d-miss-rate=L1-dcache-load-misses/L1-dcache-loads%", N_ ("L1d miss rate")},
    {"llc-miss-rate=LLC-load-misses/LLC-loads%", N_ ("LLC miss rate")},
    {"dtlb-miss-rate=dTLB-load-misses/dTLB-loads%", N_ ("dTLB miss rate")},
    {"branch-miss-rate=branch-misses/branches%", N_ ("Branch miss rate")},
    {"branch-miss-rate=branch-misses/branch-instructions%", N_ ("Branch miss rate")},
    /* Translators: how much is allocated in each second of CPU time */
    {"bytes-per-cpu-second=allocated/cpu-clock", N_ ("Bytes per CPU second")},
    {"bytes-per-cpu-second=allocated/task-clock", N_ ("Bytes per CPU second")},
    {"bytes-per-cpu-second=allocated/cpu", N_ ("Bytes per CPU second")},
    {"bytes-per-cpu-second=alloc_space/cpu-clock", N_ ("Bytes per CPU second")},
    {"bytes-per-cpu-second=alloc_space/task-clock", N_ ("Bytes per CPU second")},
    {"bytes-per-cpu-second=alloc_space/cpu", N_ ("Bytes per CPU second")},
    {"cpu-per-allocation=cpu-clock/allocations", N_ ("CPU time per allocation")},
    {"cpu-per-allocation=task-clock/allocations", N_ ("CPU time per allocation")},
    {"cpu-per-allocation=cpu/alloc_objects", N_ ("CPU time per allocation")},
    {"bytes-per-allocation=allocated/allocations", N_ ("Bytes per allocation")},
    {"temporary-share=temporary/allocations%", N_ ("Temporary share")},
    /* Bytes have it in traces of heaptrack, blocks in files of DHAT. */
    {"mean-lifetime=lifetime/allocated", N_ ("Mean lifetime"), PV_UNIT_BYTE_MS},
    {"mean-lifetime=lifetime/allocations", N_ ("Mean lifetime")},
    {"bytes-per-allocation=alloc_space/alloc_objects", N_ ("Bytes per allocation")},
    {"bytes-per-object=inuse_space/inuse_objects", N_ ("Bytes per object")},
    {"delay-per-contention=delay/contentions", N_ ("Delay per contention")},
};

char *
pv_formula_copy_name (const char *definition)
{
    g_assert (definition != NULL);
    const char *equals = strchr (definition, '=');
    return equals != NULL ? g_strstrip (g_strndup (definition, (size_t)(equals - definition)))
                          : NULL;
}

/* A usual formula, or NULL: the profile has not the measures that it is made for. */
static PvFormula *
new_usual (size_t i, const PvProfile *profile)
{
    g_autoptr (PvFormula) formula = pv_formula_new (usual[i].definition, profile, NULL);
    if (formula == NULL || (usual[i].unit != PV_UNIT_COUNT &&
                            profile->measures[formula->measures[0]].unit != usual[i].unit))
        return NULL;
    return g_steal_pointer (&formula);
}

/* The definition of a usual formula; with a profile, one whose measures it has. */
static const char *
find_usual (const char *name, const PvProfile *profile)
{
    for (size_t i = 0; i < G_N_ELEMENTS (usual); i++) {
        g_autofree char *its = pv_formula_copy_name (usual[i].definition);
        if (g_ascii_strcasecmp (its, name) != 0)
            continue;
        g_autoptr (PvFormula) formula = profile != NULL ? new_usual (i, profile) : NULL;
        if (profile == NULL || formula != NULL)
            return usual[i].definition;
    }
    return NULL;
}

static const char *
find_title (const char *definition, const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS (usual); i++)
        if (strcmp (usual[i].definition, definition) == 0)
            return _ (usual[i].title);
    return name;
}

/* True if all measures have amounts and none is of a comparison: ratios of signed measures mean
 * nothing. */
static bool
has_all (const PvFormula *formula, const PvProfile *profile)
{
    for (uint32_t i = 0; i < formula->n_measures; i++) {
        const PvMeasure *measure = &profile->measures[formula->measures[i]];
        if (measure->total == 0 || measure->part != PV_PART_NONE)
            return false;
    }
    return true;
}

static bool
has_name (const GPtrArray *formulas, const char *name)
{
    for (guint i = 0; i < formulas->len; i++)
        if (strcmp (((const PvFormula *)formulas->pdata[i])->name, name) == 0)
            return true;
    return false;
}

GPtrArray *
pv_formula_list_usual (const PvProfile *profile)
{
    g_assert (profile != NULL);
    GPtrArray *formulas = g_ptr_array_new_with_free_func ((GDestroyNotify)pv_formula_unref);
    for (size_t i = 0; i < G_N_ELEMENTS (usual); i++) {
        g_autoptr (PvFormula) formula = new_usual (i, profile);
        if (formula == NULL || !has_all (formula, profile) || has_name (formulas, formula->name))
            continue;
        g_ptr_array_add (formulas, g_steal_pointer (&formula));
    }
    return formulas;
}

/* Formulas */

/* It becomes the name of a column. */
static bool
is_good_name (const char *name)
{
    for (const char *p = name; *p != '\0'; p = g_utf8_next_char (p))
        if (!g_unichar_isalnum (g_utf8_get_char (p)) && strchr ("-_.", *p) == NULL)
            return false;
    return name[0] != '\0';
}

/* Faults are places in the definition as given; a usual formula of that name has no faults. */
static bool
read_definition (Parser *parser, bool *ret_is_percent)
{
    const char *definition = parser->definition;
    if (!g_utf8_validate (definition, -1, NULL))
        return fail (parser, definition, strlen (definition), _ ("a formula is text in UTF-8"));
    const char *equals = strchr (definition, '=');
    if (equals == NULL && (definition = find_usual (definition, parser->profile)) != NULL)
        equals = strchr (definition, '=');
    if (equals == NULL)
        return fail (parser, parser->definition, strlen (parser->definition),
                     _ ("a formula is NAME=FORMULA"));
    g_autofree char *name = pv_formula_copy_name (definition);
    if (!is_good_name (name))
        return fail (parser, definition, (size_t)(equals - definition),
                     _ ("“%s” cannot be the name of a formula: use letters, digits, -, _ and ."),
                     name);
    parser->p = equals + 1;
    return parse (parser, ret_is_percent);
}

static void
clear_parser (Parser *parser)
{
    pv_array_clear (&parser->steps);
    pv_array_clear (&parser->measures);
}

bool
pv_formula_check (const char *definition, const PvProfile *profile, PvFormulaFault *ret_fault,
                  GError **error)
{
    g_assert (definition != NULL);
    Parser parser = {.definition = definition, .profile = profile, .error = error};
    bool is_percent;
    bool is_good = read_definition (&parser, &is_percent);
    clear_parser (&parser);
    if (!is_good && ret_fault != NULL)
        *ret_fault = parser.fault;
    return is_good;
}

/* A name as a word of an expression, quoted if it must be; NULL if it cannot be. */
static char *
quote (const char *name)
{
    const char *end = name;
    while (is_name_char (end, name))
        end++;
    if (*end == '\0' && !g_ascii_isdigit (*name))
        return g_strdup (name);
    return strchr (name, '"') == NULL ? g_strdup_printf ("\"%s\"", name) : NULL;
}

char *
pv_formula_make_word (const PvProfile *profile, PvMeasureId measure)
{
    g_assert (profile != NULL && pv_profile_has_weights (profile, measure));
    const char *name = profile->measures[measure].name;
    if (name == NULL || *name == '\0' || !g_utf8_validate (name, -1, NULL))
        return NULL;
    size_t len;
    const char *event = find_event_name (name, &len);
    g_autofree char *bare = g_strndup (event, len);
    if (*bare != '\0' && find_measure (profile, bare) == measure)
        return quote (bare);
    return find_measure (profile, name) == measure ? quote (name) : NULL;
}

PvFormula *
pv_formula_new (const char *definition, const PvProfile *profile, GError **error)
{
    g_assert (definition != NULL && profile != NULL);
    Parser parser = {.definition = definition, .profile = profile, .error = error};
    bool is_percent = false;
    if (!read_definition (&parser, &is_percent)) {
        clear_parser (&parser);
        return NULL;
    }
    const char *whole =
        strchr (definition, '=') != NULL ? definition : find_usual (definition, profile);
    PvFormula *formula = g_new0 (PvFormula, 1);
    formula->ref_count = 1;
    formula->definition = g_strdup (whole);
    formula->name = pv_formula_copy_name (whole);
    formula->title = g_strdup (find_title (whole, formula->name));
    formula->base = parser.base;
    formula->is_percent = is_percent;
    formula->n_measures = (uint32_t)parser.measures.len;
    formula->n_steps = (uint32_t)parser.steps.len;
    formula->measures = pv_array_steal (&parser.measures);
    formula->steps = pv_array_steal (&parser.steps);
    find_unit (formula, profile);
    return formula;
}

PvFormula *
pv_formula_new_ratio (const PvProfile *profile, PvMeasureId of, PvMeasureId per, const char *title)
{
    g_assert (profile != NULL && pv_profile_has_weights (profile, of) &&
              pv_profile_has_weights (profile, per));
    g_assert (title != NULL);
    static const Step steps[] = {{STEP_MEASURE, 0, 0}, {STEP_MEASURE, 0, 1}, {STEP_DIVIDE, 0, 0}};
    const PvMeasureId measures[] = {of, per};
    const char *of_name = profile->measures[of].name, *per_name = profile->measures[per].name;
    PvFormula *formula = g_new0 (PvFormula, 1);
    formula->ref_count = 1;
    formula->name = g_strdup (of_name);
    formula->is_percent = profile->measures[of].unit == profile->measures[per].unit &&
                          profile->measures[of].unit != PV_UNIT_COUNT;
    formula->definition = g_strdup_printf ("ratio=\"%s\"/\"%s\"%s", of_name, per_name,
                                           formula->is_percent ? "%" : "");
    formula->title = g_strdup (title);
    formula->base = per;
    formula->n_measures = G_N_ELEMENTS (measures);
    formula->n_steps = G_N_ELEMENTS (steps);
    formula->measures = g_memdup2 (measures, sizeof measures);
    formula->steps = g_memdup2 (steps, sizeof steps);
    find_unit (formula, profile);
    return formula;
}

PvFormula *
pv_formula_new_size (const PvProfile *profile, PvMeasureId of, PvMeasureId base)
{
    g_assert (profile != NULL && pv_profile_has_weights (profile, of));
    static const Step step = {STEP_MEASURE, 0, 0};
    PvFormula *formula = g_new0 (PvFormula, 1);
    formula->ref_count = 1;
    formula->name = g_strconcat (profile->measures[of].name, "-of-function", NULL);
    formula->definition = g_strdup_printf ("%s=\"%s\"", formula->name, profile->measures[of].name);
    formula->title = g_strdup (pv_measure_get_title (profile, of));
    formula->base = base;
    formula->n_measures = formula->n_steps = 1;
    formula->measures = g_memdup2 (&of, sizeof of);
    formula->steps = g_memdup2 (&step, sizeof step);
    find_unit (formula, profile);
    return formula;
}

PV_DEFINE_REF (pv_formula_ref, PvFormula, PvFormula)

void
pv_formula_unref (PvFormula *formula)
{
    if (!pv_ref_was_last (formula))
        return;
    g_free (formula->definition);
    g_free (formula->name);
    g_free (formula->title);
    g_free (formula->measures);
    g_free (formula->steps);
    g_free (formula);
}

/* Values */

const char *
pv_formula_get_expression (const PvFormula *formula)
{
    g_assert (formula != NULL);
    const char *expression = strchr (formula->definition, '=') + 1;
    return expression + strspn (expression, " ");
}

double
pv_formula_compute_whole (const PvFormula *formula, const PvProfile *profile)
{
    g_assert (formula != NULL && profile != NULL);
    double amounts[PV_FORMULA_MAX_STEPS];
    for (uint32_t i = 0; i < formula->n_measures; i++)
        amounts[i] = (double)profile->measures[formula->measures[i]].total;
    return pv_formula_compute (formula, amounts);
}

static double
apply (double a, double b, Op op)
{
    switch (op) {
    case STEP_ADD:
        return a + b;
    case STEP_SUBTRACT:
        return a - b;
    case STEP_MULTIPLY:
        return a * b;
    case STEP_DIVIDE:
        return b != 0 ? a / b : NAN;
    case STEP_NUMBER:
    case STEP_MEASURE:
        break;
    }
    return NAN;
}

double
pv_formula_compute (const PvFormula *formula, const double *amounts)
{
    g_assert (formula != NULL && amounts != NULL);
    double stack[PV_FORMULA_MAX_STEPS + 1];
    uint32_t n = 0;
    for (uint32_t i = 0; i < formula->n_steps; i++) {
        const Step *step = &formula->steps[i];
        if (step->op == STEP_NUMBER)
            stack[n++] = step->number;
        else if (step->op == STEP_MEASURE)
            stack[n++] = amounts[step->measure];
        else {
            n--;
            stack[n - 1] = apply (stack[n - 1], stack[n], step->op);
        }
    }
    double value = stack[0] * formula->factor;
    return isfinite (value) ? value : NAN;
}

/* Three significant digits, and never an exponent for what people can read. */
static char *
format_number (double value)
{
    double size = fabs (value);
    if (size >= 1000 && size < 1e15) {
        g_autofree char *count = pv_format_count ((uint64_t)(size + 0.5));
        return g_strdup_printf ("%s%s", value < 0 ? "−" : "", count);
    }
    g_autofree char *digits = pv_format_digits (size, 3);
    return g_strdup_printf ("%s%s", value < 0 ? "−" : "", digits);
}

char *
pv_formula_format (const PvFormula *formula, double value)
{
    g_assert (formula != NULL);
    if (isnan (value))
        return g_strdup ("–");
    if (formula->is_percent) {
        g_autofree char *number = format_number (value);
        return g_strdup_printf ("%s %%", number);
    }
    if (!formula->is_amount || fabs (value) >= 0x1p63)
        return format_number (value);
    g_autofree char *amount = pv_format_amount ((uint64_t)(fabs (value) + 0.5), formula->unit);
    const char *sign = value <= -0.5 ? "−" : "";
    /* Translators: a sign or nothing, and an amount, per second: “1.25 MiB/s” */
    return formula->is_rate ? g_strdup_printf (C_ ("rate", "%s%s/s"), sign, amount)
                            : g_strconcat (sign, amount, NULL);
}

char *
pv_formula_format_plain (double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    return isnan (value) ? NULL : g_strdup (g_ascii_formatd (text, sizeof text, "%.6g", value));
}
