/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/callgrind/callgrind-events.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/read/unpack/reader.h"

#define MAX_FORMULAS    32u
#define MAX_COEFFICIENT ((int64_t)1000000000)
#define MAX_NAME_BYTES  200u

#define NS_PER_US INT64_C (1000)
#define NS_PER_MS INT64_C (1000000)
#define NS_PER_S  INT64_C (1000000000)

typedef struct {
    const char *name;       /* as in the file */
    const char *short_name; /* without its unit, if that is known */
    PvUnit unit;
    int64_t scale;
} Event;

typedef struct {
    const char *name;
    const char *formula;
    bool is_known; /* the rest too */
    int64_t coefficients[PV_CALL_MAX_EVENTS];
    uint64_t sum; /* of all weights until now */
} Formula;

struct CallgrindEvents {
    PvProfileBuilder *builder;
    PV_ARRAY (Event) events;
    PV_ARRAY (Formula) formulas;
    PV_ARRAY (const char *) events_of_bytes; /* names of events whose long names say so */
    uint32_t n_measures;
};

CallgrindEvents *
callgrind_events_new (PvProfileBuilder *builder)
{
    g_assert (builder != NULL);
    CallgrindEvents *events = g_new0 (CallgrindEvents, 1);
    events->builder = builder;
    return events;
}

void
callgrind_events_free (CallgrindEvents *events)
{
    g_assert (events != NULL);
    pv_array_clear (&events->events);
    pv_array_clear (&events->formulas);
    pv_array_clear (&events->events_of_bytes);
    g_free (events);
}

static const char *
keep (CallgrindEvents *self, PvText text)
{
    return pv_profile_builder_string_len (self->builder, text.at,
                                          MIN (pv_text_len (text), MAX_NAME_BYTES));
}

/* --- units --- */

/* "Time_(10ns)", "Memory_(bytes)", "cpu(ms)": other programs' names for time and memory. */
static void
find_unit (CallgrindEvents *self, PvText name, Event *event)
{
    static const struct {
        const char *name;
        PvUnit unit;
        int64_t scale;
    } units[] = {
        {"ns", PV_UNIT_NS, 1},
        {"nanoseconds", PV_UNIT_NS, 1},
        {"us", PV_UNIT_NS, NS_PER_US},
        {"µs", PV_UNIT_NS, NS_PER_US},
        {"microseconds", PV_UNIT_NS, NS_PER_US},
        {"ms", PV_UNIT_NS, NS_PER_MS},
        {"milliseconds", PV_UNIT_NS, NS_PER_MS},
        {"s", PV_UNIT_NS, NS_PER_S},
        {"seconds", PV_UNIT_NS, NS_PER_S},
        {"B", PV_UNIT_BYTES, 1},
        {"bytes", PV_UNIT_BYTES, 1},
        {"kB", PV_UNIT_BYTES, 1 << 10},
        {"MB", PV_UNIT_BYTES, 1 << 20},
        {"GB", PV_UNIT_BYTES, 1 << 30},
    };
    const char *open = pv_text_find_last (name, '(');
    if (open == NULL || open == name.at || name.end[-1] != ')')
        return;
    PvText inside = {open + 1, name.end - 1}, before = {name.at, open};
    uint64_t number = 1;
    if (pv_text_take_number (&inside, &number) && open[1] == '0')
        number = 0;
    while (before.end > before.at && before.end[-1] == '_')
        before.end--;
    for (size_t i = 0; i < G_N_ELEMENTS (units); i++) {
        if (!pv_text_equals (inside, units[i].name) || before.at == before.end || number == 0 ||
            number > MAX_COEFFICIENT)
            continue;
        event->short_name = keep (self, before);
        event->unit = units[i].unit;
        event->scale = (int64_t)number * units[i].scale;
    }
}

/* --- events --- */

/* The number of an event; UINT32_MAX: its name is unknown. */
static uint32_t
find_event (const CallgrindEvents *self, const char *name)
{
    for (uint32_t i = 0; i < self->events.len; i++)
        if (self->events.data[i].name == name)
            return i;
    return UINT32_MAX;
}

uint32_t
callgrind_events_get (CallgrindEvents *events, PvText name, PvCallGraph *graph)
{
    g_assert (events != NULL && graph != NULL && events->events.len == graph->n_events);
    Event event = {.name = keep (events, name), .unit = PV_UNIT_COUNT, .scale = 1};
    uint32_t known = find_event (events, event.name);
    if (known != UINT32_MAX || graph->n_events == PV_CALL_MAX_EVENTS)
        return known;
    event.short_name = event.name;
    find_unit (events, name, &event);
    pv_array_push (&events->events, event);
    return pv_call_graph_add_event (graph);
}

int64_t
callgrind_events_get_scale (const CallgrindEvents *events, uint32_t event)
{
    g_assert (events != NULL && event < events->events.len);
    return events->events.data[event].scale;
}

/* --- formulas --- */

static PvText
take_until (PvText *text, char c)
{
    const char *end = pv_text_find_char (*text, c);
    PvText part = {text->at, end != NULL ? end : text->end};
    text->at = end != NULL ? end + 1 : text->end;
    pv_text_skip_blanks (text);
    return pv_text_trim (part);
}

void
callgrind_events_add_formula (CallgrindEvents *events, PvText text)
{
    g_assert (events != NULL);
    PvText definition = take_until (&text, ':');
    PvText name = take_until (&definition, '=');
    Formula formula = {.name = keep (events, name)};
    if (pv_text_names_bytes (text) && events->events_of_bytes.len < MAX_FORMULAS)
        pv_array_push (&events->events_of_bytes, formula.name);
    if (definition.at == definition.end || name.at == name.end ||
        events->formulas.len == MAX_FORMULAS)
        return;
    for (size_t i = 0; i < events->formulas.len; i++)
        if (events->formulas.data[i].name == formula.name)
            return; /* of the part before */
    formula.formula = pv_text_keep (definition, events->builder);
    pv_array_push (&events->formulas, formula);
}

/* Takes "2 Dr", "2*Dr" or "Dr"; false: the text is something else. */
static bool
take_term (PvText *text, int64_t *ret_factor, PvText *ret_name)
{
    uint64_t factor;
    bool has_factor = pv_text_take_number (text, &factor);
    if (has_factor && factor > MAX_COEFFICIENT)
        return false;
    *ret_factor = has_factor ? (int64_t)factor : 1;
    pv_text_skip_blanks (text);
    if (has_factor && pv_text_take (text, "*"))
        pv_text_skip_blanks (text);
    ret_name->at = text->at;
    while (text->at < text->end && strchr (" \t+-*", *text->at) == NULL)
        text->at++;
    ret_name->end = text->at;
    pv_text_skip_blanks (text);
    return ret_name->at < ret_name->end;
}

/* Adds an event, or a formula that is known, so many times. */
static bool
add_term (const CallgrindEvents *self, const char *name, int64_t factor, int64_t *coefficients)
{
    uint32_t event = find_event (self, name);
    int64_t single[PV_CALL_MAX_EVENTS] = {0};
    const int64_t *added = NULL;
    if (event != UINT32_MAX) {
        single[event] = 1;
        added = single;
    }
    for (size_t i = 0; i < self->formulas.len && added == NULL; i++)
        if (self->formulas.data[i].is_known && self->formulas.data[i].name == name)
            added = self->formulas.data[i].coefficients;
    for (uint32_t e = 0; e < self->events.len && added != NULL; e++) {
        coefficients[e] += factor * added[e];
        if (ABS (coefficients[e]) > MAX_COEFFICIENT)
            return false;
    }
    return added != NULL;
}

/* False: it is not a sum of events, or has one that is unknown, perhaps only so far. */
static bool
parse_formula (CallgrindEvents *self, Formula *formula)
{
    PvText text = pv_text_of (formula->formula), name;
    int64_t coefficients[PV_CALL_MAX_EVENTS] = {0}, factor;
    bool is_first = true;
    while (text.at < text.end) {
        bool is_minus = pv_text_take (&text, "-");
        if (!is_minus && !pv_text_take (&text, "+") && !is_first)
            return false;
        pv_text_skip_blanks (&text);
        if (!take_term (&text, &factor, &name) ||
            !add_term (self, keep (self, name), is_minus ? -factor : factor, coefficients))
            return false;
        is_first = false;
    }
    memcpy (formula->coefficients, coefficients, sizeof coefficients);
    return !is_first;
}

/* Formulas may use others, which need not come before them; never themselves. */
static void
parse_formulas (CallgrindEvents *self)
{
    bool has_found = true;
    while (has_found) {
        has_found = false;
        for (size_t i = 0; i < self->formulas.len; i++) {
            Formula *formula = &self->formulas.data[i];
            if (!formula->is_known && find_event (self, formula->name) == UINT32_MAX)
                has_found |= formula->is_known = parse_formula (self, formula);
        }
    }
}

/* The unit that all events of the formula have, unless it multiplies them. */
static PvUnit
find_formula_unit (const CallgrindEvents *self, const Formula *formula)
{
    PvUnit unit = PV_UNIT_COUNT;
    bool is_first = true;
    for (uint32_t e = 0; e < self->events.len; e++) {
        if (formula->coefficients[e] == 0)
            continue;
        if (ABS (formula->coefficients[e]) != 1 || (!is_first && self->events.data[e].unit != unit))
            return PV_UNIT_COUNT;
        unit = self->events.data[e].unit;
        is_first = false;
    }
    return unit;
}

static bool
is_of_bytes (const CallgrindEvents *self, const char *name)
{
    for (size_t i = 0; i < self->events_of_bytes.len; i++)
        if (self->events_of_bytes.data[i] == name)
            return true;
    return false;
}

void
callgrind_events_add_measures (CallgrindEvents *events, uint32_t set)
{
    g_assert (events != NULL);
    for (size_t i = 0; i < events->events.len; i++) {
        Event *event = &events->events.data[i];
        if (event->unit == PV_UNIT_COUNT && is_of_bytes (events, event->name))
            event->unit = PV_UNIT_BYTES;
        pv_profile_builder_add_measure (events->builder, set, event->short_name, event->unit,
                                        PV_AGGREGATION_SUM);
    }
    parse_formulas (events);
    events->n_measures = (uint32_t)events->events.len;
    for (size_t i = 0; i < events->formulas.len; i++) {
        const Formula *formula = &events->formulas.data[i];
        if (formula->is_known) {
            pv_profile_builder_add_measure (events->builder, set, formula->name,
                                            find_formula_unit (events, formula),
                                            PV_AGGREGATION_SUM);
            events->n_measures++;
        } else if (find_event (events, formula->name) == UINT32_MAX) {
            g_autofree char *definition = pv_format_cut (formula->formula, MAX_NAME_BYTES);
            pv_note_warning (events->builder,
                             _ ("The event “%s” is left out: “%s” is not a sum of known events."),
                             formula->name, definition);
        }
    }
}

uint32_t
callgrind_events_count_measures (const CallgrindEvents *events)
{
    g_assert (events != NULL);
    return events->n_measures;
}

static uint64_t
compute (const CallgrindEvents *self, Formula *formula, const uint64_t *costs)
{
    __int128 sum = 0;
    for (uint32_t e = 0; e < self->events.len; e++)
        sum += (__int128)formula->coefficients[e] * (__int128)costs[e];
    uint64_t left = (uint64_t)PV_CALL_MAX_AMOUNT - formula->sum;
    uint64_t weight = sum < 0 ? 0 : sum > (__int128)left ? left : (uint64_t)sum;
    formula->sum += weight;
    return weight;
}

void
callgrind_events_weigh (CallgrindEvents *events, const uint64_t *costs, uint64_t *ret_weights)
{
    g_assert (events != NULL);
    memcpy (ret_weights, costs, events->events.len * sizeof *costs);
    uint64_t *next = ret_weights + events->events.len;
    for (size_t i = 0; i < events->formulas.len; i++)
        if (events->formulas.data[i].is_known)
            *next++ = compute (events, &events->formulas.data[i], costs);
}
