/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/legacy/legacy-samples.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "core/model/profile/period.h"
#include "core/read/legacy/legacy-symbols.h"

void
legacy_session_add_column (LegacySession *session, const LegacyColumn *column)
{
    g_assert (session->n_columns < LEGACY_MAX_COLUMNS);
    session->columns[session->n_columns++] = *column;
}

/* Stacks */

static PvModuleId
get_unknown_module (LegacySession *session)
{
    if (session->unknown_module == 0) {
        /* Without a map, addresses are assumed to be link addresses of the program. */
        bool is_program = session->binary != NULL && session->map.is_empty;
        PvModule module = {
            .path = is_program ? session->binary : "",
            .name = is_program ? NULL : "[unknown]",
            .kind = is_program ? PV_MODULE_FILE : PV_MODULE_UNKNOWN,
            .address_kind = is_program ? PV_ADDRESS_LINK : PV_ADDRESS_RUNTIME,
            .is_main = is_program,
        };
        session->unknown_module = pv_profile_builder_add_module (session->builder, &module);
    }
    return session->unknown_module;
}

static PvLocationId
add_location (LegacySession *session, uint64_t runtime_addr, PvLocationKind kind)
{
    /* A call can be the last instruction of a mapping. */
    uint64_t inside =
        kind == PV_LOCATION_RETURN && runtime_addr > 0 ? runtime_addr - 1 : runtime_addr;
    const PvMapping *mapping = pv_address_space_find (session->map.space, inside);
    PvModuleId module = mapping != NULL ? mapping->module : get_unknown_module (session);
    uint64_t address =
        mapping != NULL ? runtime_addr - mapping->start + mapping->file_offset : runtime_addr;
    PvLocationId location = pv_profile_builder_location (session->builder, module, address, kind);
    uint64_t first = session->has_exact_symbols ? runtime_addr : inside;
    uint64_t second = session->has_exact_symbols ? inside : runtime_addr;
    if (legacy_find_symbol (session, first) || legacy_find_symbol (session, second)) {
        legacy_give_frames (session, location);
        return location;
    }
    if (mapping == NULL)
        *pv_id_map_slot (&session->unmapped, location) = 1;
    if (session->context->tell_nameless != NULL)
        session->context->tell_nameless (session->context->teller, location, inside);
    return location;
}

PvLocationId
legacy_location (LegacySession *session, uint64_t runtime_addr, PvLocationKind kind)
{
    PvIdMap *map =
        kind == PV_LOCATION_RETURN ? &session->return_locations : &session->exact_locations;
    uint32_t *slot = pv_id_map_slot (map, runtime_addr);
    if (*slot == 0)
        *slot = add_location (session, runtime_addr, kind);
    return *slot;
}

void
legacy_give_frames (LegacySession *session, PvLocationId location)
{
    uint32_t *slot = pv_id_map_slot (&session->has_names, location);
    if (*slot != 0)
        return;
    *slot = 1;
    pv_profile_builder_give_frames (session->builder, location, session->frames.data,
                                    (uint32_t)session->frames.len);
}

void
legacy_take_stack (LegacySession *session, PvText *line)
{
    uint64_t addr;
    PvText token;
    session->addrs.len = 0;
    for (;;) {
        if (legacy_take_address (line, &addr))
            pv_array_push (&session->addrs, addr);
        else if (!legacy_take_token (line, &token))
            break;
    }
    /* The last address of a truncated file may be incomplete. */
    bool is_doubtful = session->is_cut && line->end == session->text.end && session->addrs.len > 0;
    if (is_doubtful && pv_id_map_find (&session->return_locations,
                                       session->addrs.data[session->addrs.len - 1]) == 0)
        session->addrs.len--;
}

PvStackId
legacy_stack (LegacySession *session, PvLocationKind leaf, PvLocationKind others)
{
    session->locations.len = 0;
    for (size_t i = 0; i < session->addrs.len; i++) {
        PvLocationId location =
            legacy_location (session, session->addrs.data[i], i == 0 ? leaf : others);
        pv_array_push (&session->locations, location);
    }
    session->n_stacks++;
    session->n_unmapped += session->locations.len > 0 &&
                           pv_id_map_find (&session->unmapped, session->locations.data[0]) != 0;
    return pv_profile_builder_chain (session->builder, session->locations.data,
                                     session->locations.len);
}

/* Numbers */

LegacyAmounts
legacy_unsample (LegacyScale scale, double rate_bytes, int64_t n_objects, int64_t size_bytes)
{
    LegacyAmounts amounts = {(double)n_objects, (double)size_bytes};
    if (scale == LEGACY_SCALE_NONE || rate_bytes <= 1 || n_objects == 0)
        return amounts;
    double mean = amounts.bytes / amounts.objects;
    double factor = 1;
    if (scale == LEGACY_SCALE_POISSON)
        factor = mean > 0 ? 1 / -expm1 (-mean / rate_bytes) : 0;
    else if (mean < rate_bytes)
        factor = mean > 0 ? rate_bytes / mean : 0;
    return (LegacyAmounts){amounts.objects * factor, amounts.bytes * factor};
}

int64_t
legacy_round (LegacySession *session, uint32_t column, double amount)
{
    g_assert (column < LEGACY_MAX_COLUMNS);
    /* Doubles this large are integers, with errors larger than a fraction. */
    static const double limit = 9007199254740992.0; /* 2^53 */
    if (!(fabs (amount) < limit))
        return amount >= (double)INT64_MAX                      ? INT64_MAX
               : amount <= -(double)INT64_MAX || isnan (amount) ? -INT64_MAX
                                                                : (int64_t)amount;
    double exact = amount + session->carries[column];
    double rounded = floor (exact);
    session->carries[column] = exact - rounded;
    return (int64_t)rounded;
}

void
legacy_set_period_bytes (LegacySession *session, uint64_t period_bytes)
{
    g_autofree char *period = pv_period_format ("space", period_bytes, PV_UNIT_BYTES, "");
    pv_profile_builder_facts (session->builder)->period =
        pv_profile_builder_string (session->builder, period);
}

/* Samples */

void
legacy_add_row (LegacySession *session, const LegacyRow *row)
{
    for (uint32_t c = 0; c < session->n_columns; c++)
        if (row->values[c] != 0) {
            pv_array_push (&session->rows, *row);
            return;
        }
}

/* The measure of a column. Weights are absolute values. One with values below zero is a pair. */
typedef struct {
    uint32_t column;
    PvMeasurePart part;
    PvSide side; /* of a part: base counts what is below zero */
} Measure;

enum { MAX_MEASURES = 3 * LEGACY_MAX_COLUMNS };

static uint32_t
find_measures (const LegacySession *session, Measure measures[MAX_MEASURES], bool *ret_has_negative)
{
    bool has_any[LEGACY_MAX_COLUMNS] = {false}, has_negative[LEGACY_MAX_COLUMNS] = {false};
    for (size_t r = 0; r < session->rows.len; r++) {
        const LegacyRow *row = &session->rows.data[r];
        for (uint32_t c = 0; c < session->n_columns; c++) {
            has_any[c] |= row->values[c] != 0;
            has_negative[c] |= row->values[c] < 0;
        }
    }
    uint32_t n = 0;
    *ret_has_negative = false;
    for (uint32_t c = 0; c < session->n_columns; c++) {
        if (has_any[c] || !session->columns[c].is_optional)
            measures[n++] = (Measure){c, has_negative[c] ? PV_PART_BOTH : PV_PART_NONE, 0};
        for (PvSide side = 0; side < PV_N_SIDES && has_negative[c]; side++)
            measures[n++] = (Measure){c, PV_PART_SIDE, side};
        *ret_has_negative |= has_negative[c];
    }
    return n;
}

static void
add_measure (LegacySession *session, uint32_t set, const Measure *measure, uint32_t index,
             uint32_t *pair)
{
    static const char *const suffixes[PV_N_SIDES] = {"-negative", "-positive"};
    const LegacyColumn *column = &session->columns[measure->column];
    PvProfileBuilder *builder = session->builder;
    const char *suffix = measure->part == PV_PART_SIDE ? suffixes[measure->side] : "";
    g_autofree char *name = g_strconcat (column->name, suffix, NULL);
    pv_profile_builder_add_measure (builder, set, name, column->unit, column->aggregation);
    if (column->unit == PV_UNIT_COUNT && column->unit_name != NULL)
        pv_profile_builder_name_unit (builder, set, index, column->unit_name);
    if (measure->column == session->preferred_column && measure->part != PV_PART_SIDE)
        pv_profile_builder_prefer_measure (builder, index);
    if (measure->part == PV_PART_BOTH)
        *pair = pv_profile_builder_add_pair (builder);
    if (measure->part != PV_PART_NONE)
        pv_profile_builder_set_part (builder, set, index, *pair, measure->part, measure->side);
}

static void
note_negative (LegacySession *session, bool has_negative)
{
    if (has_negative)
        pv_note_info (
            session->builder,
            _ ("The profile has negative values, like a difference of two profiles. Amounts are "
               "net; the width of a box is the sum of its increases and decreases."));
}

static uint64_t
weigh (const Measure *measure, int64_t value)
{
    bool counts = measure->part != PV_PART_SIDE || (value < 0) == (measure->side == PV_SIDE_BASE);
    return counts ? (value < 0 ? -(uint64_t)value : (uint64_t)value) : 0;
}

void
legacy_session_finish (LegacySession *session)
{
    g_assert (session->n_columns > 0);
    g_assert (session->preferred_column < session->n_columns);
    Measure measures[MAX_MEASURES];
    bool has_negative;
    uint32_t n_measures = find_measures (session, measures, &has_negative);
    const char *name = session->columns[session->preferred_column].name;
    uint32_t set = pv_profile_builder_add_set (session->builder, name, false);
    if (session->is_exact)
        pv_profile_builder_set_exact (session->builder, set);
    uint32_t pair = 0;
    for (uint32_t m = 0; m < n_measures; m++)
        add_measure (session, set, &measures[m], m, &pair);
    note_negative (session, has_negative);

    for (size_t r = 0; r < session->rows.len; r++) {
        const LegacyRow *row = &session->rows.data[r];
        uint64_t weights[MAX_MEASURES];
        for (uint32_t m = 0; m < n_measures; m++)
            weights[m] = weigh (&measures[m], row->values[measures[m].column]);
        PvNewSample sample = {
            .stack = row->stack,
            .thread = row->thread,
            .label_set = row->label_set,
            .cpu = PV_CPU_UNKNOWN,
            .stack_end = PV_STACK_END_UNKNOWN,
        };
        pv_profile_builder_add_sample (session->builder, set, &sample, weights);
    }
}
