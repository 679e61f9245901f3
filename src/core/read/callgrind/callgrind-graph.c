/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines are of four kinds:
 *   KEY: VALUE     of a header, which may come again for another part
 *   SPEC=VALUE     what the following lines are of: an object (ob), a file (fl; fi and fe within a
 *                  function), a function (fn); cob, cfi, cfn for the next call only
 *   POSITION COST  what a line costs, itself
 *   calls=COUNT    with the line after it: what a call from its position costs
 * Names may be written once, with an id, and by their id from then on. Positions may be relative to
 * those of the line of costs before.
 */
#include "core/read/callgrind/callgrind-graph.h"

#include <string.h>

#include "core/base/hash.h"

#define LINES_PER_CHECK   8192u
#define MAX_POSITIONS     3u
#define MAX_DESCRIPTIONS  64u
#define MAX_NAME_BYTES    65536u
#define MAX_EVENT_COLUMNS 256u
#define NONE              UINT32_MAX

/* Each kind of name has its own ids. */
typedef enum { OBJECTS, FILES, FUNCTIONS, N_KINDS } Kind;

/* Kind of the next line of costs. */
typedef enum { SELF, CALL, JUMP } Next;

typedef struct {
    CallgrindGraph *file;
    PvText text; /* the part not read yet */
    const char *start;
    size_t size_bytes;
    uint64_t n_lines;
    PvIdMap names[N_KINDS]; /* by id: a name's + 1 */
    PvHashMap functions;    /* their numbers + 1 */

    /* State of the part of the file. */
    uint32_t n_positions;
    uint32_t line_position; /* which of them is a line; NONE: none */
    uint32_t n_columns;
    uint32_t event_of_column[MAX_EVENT_COLUMNS]; /* NONE: too many */
    int64_t scale_of_column[MAX_EVENT_COLUMNS];
    uint64_t positions[MAX_POSITIONS]; /* of the line of costs before */
    int64_t costs[MAX_EVENT_COLUMNS];  /* the same */
    bool has_relative_costs;           /* so that "-" is no sign */

    PvStringId object, file_of_functions, file_here;
    bool has_files_of_functions; /* there is "fl=" */
    uint32_t function;           /* NONE: none yet */

    /* State of the next call. */
    uint32_t callee_name; /* NONE: none */
    PvStringId callee_object, callee_file;
    bool has_callee_object, has_callee_file;
    bool is_object_after_name, is_file_after_name;
    uint64_t n_calls;
    Next next;
} Reading;

static bool
has_memory (Reading *self)
{
    CallgrindGraph *file = self->file;
    uint64_t n_slots = (uint64_t)self->functions.mask + self->names[OBJECTS].mask +
                       self->names[FILES].mask + self->names[FUNCTIONS].mask;
    uint64_t used_bytes =
        pv_profile_builder_count_bytes (file->builder) + pv_call_graph_count_bytes (&file->graph) +
        pv_interner_count_bytes (file->names) + file->functions.cap * sizeof (CallgrindFunction) +
        n_slots * sizeof (PvHashSlot);
    return used_bytes <= pv_budget_get_bytes (&file->context->budget, self->size_bytes);
}

static bool
may_continue (Reading *self)
{
    if (++self->n_lines % LINES_PER_CHECK != 0)
        return true;
    pv_job_set_done (self->file->context->job, (uint64_t)(self->text.at - self->start));
    self->file->is_out_of_memory = !has_memory (self);
    return !self->file->is_out_of_memory && !pv_job_is_cancelled (self->file->context->job);
}

/* --- names --- */

static PvStringId
add_name (Reading *self, Kind kind, PvText text)
{
    bool is_unknown = kind != FUNCTIONS && pv_text_equals (text, "???");
    return is_unknown ? 0
                      : pv_interner_add_len (self->file->names, text.at,
                                             MIN (pv_text_len (text), MAX_NAME_BYTES));
}

/* A name, or what an id stands for. An id that stands for nothing is a name of functions. */
static PvStringId
get_name (Reading *self, Kind kind, PvText text)
{
    CallgrindName name = callgrind_parse_name (text);
    if (!name.has_id)
        return add_name (self, kind, text);
    if (name.name.at < name.name.end) {
        PvStringId id = add_name (self, kind, name.name);
        return *pv_id_map_slot (&self->names[kind], name.id) = id + 1, id;
    }
    uint32_t known = pv_id_map_find (&self->names[kind], name.id);
    if (known > 0)
        return known - 1;
    return kind == FUNCTIONS ? add_name (self, kind, text) : 0;
}

static uint32_t
get_function (Reading *self, PvStringId object, PvStringId file, PvStringId name)
{
    CallgrindFunction function = {object, file, name};
    uint32_t *slot =
        pv_hash_map_slot (&self->functions, pv_hash_bytes (&function, sizeof function, 0));
    if (*slot == 0) {
        pv_array_push (&self->file->functions, function);
        *slot = pv_call_graph_add_function (&self->file->graph) + 1;
    }
    return *slot - 1;
}

/* --- headers --- */

static void
set_positions (Reading *self, PvText words)
{
    self->n_positions = 0;
    self->line_position = NONE;
    while (words.at < words.end && self->n_positions < MAX_POSITIONS) {
        PvText word = pv_text_take_word (&words);
        if (pv_text_equals (word, "line"))
            self->line_position = self->n_positions;
        self->n_positions++;
    }
    if (self->n_positions == 0) {
        self->n_positions = 1;
        self->line_position = 0;
    }
    self->file->has_positions = true;
}

static void
set_events (Reading *self, PvText words)
{
    self->n_columns = 0;
    while (words.at < words.end && self->n_columns < MAX_EVENT_COLUMNS) {
        uint32_t event = callgrind_events_get (self->file->events, pv_text_take_word (&words),
                                               &self->file->graph);
        self->event_of_column[self->n_columns] = event;
        self->scale_of_column[self->n_columns++] =
            event != NONE ? callgrind_events_get_scale (self->file->events, event) : 1;
    }
    self->file->n_parts++;
}

/* Positions and functions of the part before mean nothing any more. */
static void
begin_part (Reading *self)
{
    memset (self->positions, 0, sizeof self->positions);
    memset (self->costs, 0, sizeof self->costs);
    self->object = self->file_of_functions = self->file_here = 0;
    self->function = self->callee_name = NONE;
    self->has_callee_object = self->has_callee_file = false;
    self->next = SELF;
}

/* Ids of names are of one file, too. */
static void
begin_file (Reading *self)
{
    begin_part (self);
    for (Kind kind = OBJECTS; kind < N_KINDS; kind++)
        pv_id_map_clear (&self->names[kind]);
}

static const char *
keep (Reading *self, PvText text)
{
    if (text.at == text.end)
        return NULL;
    return pv_profile_builder_string_len (self->file->builder, text.at,
                                          MIN (pv_text_len (text), MAX_NAME_BYTES));
}

/* "TYPE: VALUE", of which caches that were not simulated have no value. */
static void
add_description (Reading *self, PvText text)
{
    if (pv_text_len (text) == 0 || text.end[-1] == ':' ||
        self->file->descriptions.len == MAX_DESCRIPTIONS)
        return;
    const char *description = keep (self, text);
    for (size_t i = 0; i < self->file->descriptions.len; i++)
        if (self->file->descriptions.data[i] == description)
            return;
    pv_array_push (&self->file->descriptions, description);
}

static void
add_summary (Reading *self, PvText numbers)
{
    CallgrindForm form;
    uint64_t number;
    if (!callgrind_take_number (&numbers, &form, &number) || form != CALLGRIND_ABSOLUTE)
        return;
    self->file->has_summary = true;
    int64_t cost;
    /* In the unit of the file, as costs are. */
    if (__builtin_mul_overflow ((int64_t)number, self->n_columns > 0 ? self->scale_of_column[0] : 1,
                                &cost))
        cost = INT64_MAX;
    if (__builtin_add_overflow (self->file->summary, cost, &self->file->summary))
        self->file->summary = INT64_MAX;
}

static void
take_header (Reading *self, CallgrindKey key, PvText value)
{
    switch (key) {
    case CALLGRIND_VERSION:
    case CALLGRIND_PART:
    case CALLGRIND_THREAD:
        begin_part (self);
        break;
    case CALLGRIND_CREATOR:
        if (self->file->creator == NULL)
            self->file->creator = keep (self, value);
        break;
    case CALLGRIND_CMD:
        if (self->file->command == NULL)
            self->file->command = keep (self, value);
        break;
    case CALLGRIND_DESC:
        add_description (self, value);
        break;
    case CALLGRIND_EVENT:
        callgrind_events_add_formula (self->file->events, value);
        break;
    case CALLGRIND_EVENTS:
        begin_part (self);
        set_events (self, value);
        break;
    case CALLGRIND_POSITIONS:
        set_positions (self, value);
        break;
    case CALLGRIND_SUMMARY:
        add_summary (self, value);
        break;
    case CALLGRIND_PID:
    case CALLGRIND_TOTALS:
    case CALLGRIND_TOTAL:
    case CALLGRIND_N_KEYS:
        break;
    }
}

/* --- what lines are of --- */

/* Names of a call that never came are not those of the next. */
static void
take_callee (Reading *self, PvText value)
{
    if (self->callee_name != NONE) {
        self->has_callee_object &= self->is_object_after_name;
        self->has_callee_file &= self->is_file_after_name;
    }
    self->callee_name = get_name (self, FUNCTIONS, value);
    self->is_object_after_name = self->is_file_after_name = false;
}

static void
end_call (Reading *self)
{
    self->callee_name = NONE;
    self->has_callee_object = self->has_callee_file = false;
    self->next = SELF;
}

static bool
take_spec (Reading *self, CallgrindSpec spec, PvText value)
{
    CallgrindForm form;
    switch (spec) {
    case CALLGRIND_OB:
        self->object = get_name (self, OBJECTS, value);
        break;
    case CALLGRIND_FL:
        self->has_files_of_functions = true;
        self->file_of_functions = self->file_here = get_name (self, FILES, value);
        break;
    case CALLGRIND_FI:
    case CALLGRIND_FE:
        self->file_here = get_name (self, FILES, value);
        break;
    case CALLGRIND_FN:
        /* Some writers know only "fi=". */
        if (self->has_files_of_functions)
            self->file_here = self->file_of_functions;
        self->function =
            get_function (self, self->object, self->file_here, get_name (self, FUNCTIONS, value));
        end_call (self);
        break;
    case CALLGRIND_COB:
        self->callee_object = get_name (self, OBJECTS, value);
        self->has_callee_object = true;
        self->is_object_after_name = self->callee_name != NONE;
        break;
    case CALLGRIND_CFI:
    case CALLGRIND_CFL:
        self->callee_file = get_name (self, FILES, value);
        self->has_callee_file = true;
        self->is_file_after_name = self->callee_name != NONE;
        break;
    case CALLGRIND_CFN:
        take_callee (self, value);
        break;
    case CALLGRIND_CALLS:
        self->next = CALL;
        return callgrind_take_number (&value, &form, &self->n_calls) && self->callee_name != NONE;
    case CALLGRIND_JFI:
        get_name (self, FILES, value); /* it may be the only place with the name of an id */
        break;
    case CALLGRIND_JFN:
        get_name (self, FUNCTIONS, value);
        break;
    case CALLGRIND_JUMP:
    case CALLGRIND_JCND:
        self->next = JUMP;
        break;
    case CALLGRIND_N_SPECS:
        return false;
    }
    return true;
}

/* --- costs --- */

static bool
take_positions (Reading *self, PvText *line)
{
    for (uint32_t i = 0; i < self->n_positions; i++) {
        CallgrindForm form;
        uint64_t number;
        if (!callgrind_take_number (line, &form, &number))
            return false;
        if (form == CALLGRIND_ABSOLUTE)
            self->positions[i] = number;
        else if (form == CALLGRIND_PLUS)
            self->positions[i] += number;
        else if (form == CALLGRIND_MINUS)
            self->positions[i] -= number;
    }
    return true;
}

/* Costs are numbers; some are below zero, as of memory that was freed. Speedscope writes them
 * relative to the line before, too: where it does there is a "*" or "+" before the first "-". */
static int64_t
get_cost (Reading *self, CallgrindForm form, uint64_t number, int64_t before)
{
    int64_t cost = (int64_t)number, result = before;
    self->has_relative_costs |= form == CALLGRIND_PLUS || form == CALLGRIND_SAME;
    if (form == CALLGRIND_ABSOLUTE)
        return cost;
    if (form == CALLGRIND_MINUS)
        cost = -cost;
    if (form == CALLGRIND_MINUS && !self->has_relative_costs)
        return cost;
    return __builtin_add_overflow (result, cost, &result) ? before : result;
}

static bool
take_costs (Reading *self, PvText line, int64_t *ret_costs)
{
    const CallgrindGraph *file = self->file;
    memset (ret_costs, 0, file->graph.n_events * sizeof *ret_costs);
    for (uint32_t i = 0; i < self->n_columns; i++) {
        CallgrindForm form;
        uint64_t number;
        if (!callgrind_take_number (&line, &form, &number)) {
            memset (self->costs + i, 0, (self->n_columns - i) * sizeof *self->costs);
            break; /* the rest is 0 */
        }
        int64_t cost = self->costs[i] = get_cost (self, form, number, self->costs[i]);
        uint32_t event = self->event_of_column[i];
        if (event == NONE)
            continue;
        int64_t scale = self->scale_of_column[i];
        if (scale != 1 && __builtin_mul_overflow (cost, scale, &cost))
            cost = cost < 0 ? -INT64_MAX : INT64_MAX;
        if (__builtin_add_overflow (ret_costs[event], cost, &ret_costs[event]))
            ret_costs[event] = INT64_MAX;
    }
    return line.at == line.end;
}

static PvCallPlace
get_place (Reading *self)
{
    uint64_t line = self->line_position != NONE ? self->positions[self->line_position] : 0;
    if (self->function == NONE)
        self->function = get_function (self, self->object, self->file_here,
                                       pv_interner_add (self->file->names, "???"));
    return (PvCallPlace){.function = self->function,
                         .file = self->file_here,
                         .line = line <= INT32_MAX ? (uint32_t)line : 0};
}

static bool
take_call (Reading *self, const int64_t *costs)
{
    bool has_callee = self->callee_name != NONE;
    if (has_callee) {
        PvCallPlace place = get_place (self);
        uint32_t callee = get_function (
            self, self->has_callee_object ? self->callee_object : self->object,
            self->has_callee_file ? self->callee_file : self->file_here, self->callee_name);
        pv_call_graph_add_calls (&self->file->graph, place, callee, self->n_calls, costs);
    }
    end_call (self);
    return has_callee;
}

static bool
take_cost_line (Reading *self, PvText line)
{
    int64_t costs[PV_CALL_MAX_EVENTS];
    bool is_good = take_positions (self, &line);
    if (self->next == JUMP || !is_good || self->n_columns == 0) {
        self->next = SELF;
        return is_good;
    }
    is_good = take_costs (self, line, costs);
    if (self->next == CALL)
        return take_call (self, costs) && is_good;
    if (self->callee_name != NONE)
        end_call (self);
    if (__builtin_add_overflow (self->file->sum, costs[0], &self->file->sum))
        self->file->sum = INT64_MAX;
    pv_call_graph_add_line (&self->file->graph, get_place (self), costs);
    return is_good;
}

/* --- the file --- */

static bool
take_line (Reading *self, PvText line)
{
    char first = *line.at;
    if (g_ascii_isdigit (first) || first == '+' || first == '-' || first == '*')
        return take_cost_line (self, line);
    CallgrindSpec spec = callgrind_take_spec (&line);
    if (spec < CALLGRIND_N_SPECS)
        return take_spec (self, spec, line);
    if (callgrind_is_new_file (line)) {
        begin_file (self);
        return true;
    }
    CallgrindKey key = callgrind_take_key (&line);
    take_header (self, key, line);
    return key < CALLGRIND_N_KEYS;
}

void
callgrind_graph_read (CallgrindGraph *file, PvText text)
{
    g_assert (file != NULL && file->builder != NULL && file->context != NULL);
    Reading self = {
        .file = file,
        .text = text,
        .start = text.at,
        .size_bytes = pv_text_len (text),
        .n_positions = 1,
    };
    PvText line;
    file->events = callgrind_events_new (file->builder);
    file->names = pv_interner_new ();
    begin_part (&self);
    pv_text_take (&self.text, "\xef\xbb\xbf");
    while (pv_text_next_trimmed (&self.text, &line) && may_continue (&self))
        if (line.at < line.end && *line.at != '#')
            file->n_bad_lines += !take_line (&self, line);
    for (Kind kind = OBJECTS; kind < N_KINDS; kind++)
        pv_id_map_clear (&self.names[kind]);
    pv_hash_map_clear (&self.functions);
}

void
callgrind_graph_clear (CallgrindGraph *file)
{
    g_assert (file != NULL);
    pv_call_graph_clear (&file->graph);
    g_clear_pointer (&file->events, callgrind_events_free);
    g_clear_pointer (&file->names, pv_interner_free);
    pv_array_clear (&file->functions);
    pv_array_clear (&file->descriptions);
}
