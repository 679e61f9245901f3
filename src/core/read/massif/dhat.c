/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Valgrind's DHAT, and the crate dhat of Rust: what each place of a program allocated over the
 * whole run, as JSON (dhatFileVersion 2, of Valgrind 3.17 and newer). Each program point has its
 * amounts and a stack, leaf first, of numbers in a table of frames,
 *   "0x1234: NAME (FILE:LINE)", "0x1234: NAME (FILE:LINE:COLUMN)" or "0x1234: NAME (in OBJECT)"
 * where neighbours with one address are inlined into each other.
 *
 * The largest amount that a point ever had is left out: such amounts do not add up.
 */
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/error.h"
#include "core/base/hash.h"
#include "core/base/idmap.h"
#include "core/read/json/json-outline.h"
#include "core/read/json/json.h"
#include "core/read/massif/massif-text.h"
#include "core/read/unpack/reader.h"

#define VERSION          2
#define POINTS_PER_CHECK 1024u
#define MAX_INLINED      64u
#define MAX_WEIGHT       (INT64_MAX / 4)
#define NS_PER_US        1000u

typedef enum {
    TOTAL_BYTES,
    TOTAL_BLOCKS,
    LIFETIMES,
    PEAK_BYTES,
    PEAK_BLOCKS,
    END_BYTES,
    END_BLOCKS,
    READ_BYTES,
    WRITTEN_BYTES,
    N_METRICS,
} Metric;

/* Keys of a program point: its metrics, in the order above, then its stack. */
static const char *const point_keys[] = {"tb",  "tbk", "tl", "gb", "gbk", "eb",
                                         "ebk", "rb",  "wb", "fs", NULL};

typedef struct {
    const char *name;
    PvUnit unit;
} MetricInfo;

static const MetricInfo metrics[N_METRICS] = {
    [TOTAL_BYTES] = {"allocated", PV_UNIT_BYTES},
    [TOTAL_BLOCKS] = {"allocations", PV_UNIT_COUNT},
    [LIFETIMES] = {"lifetime", PV_UNIT_COUNT},
    [PEAK_BYTES] = {"peak", PV_UNIT_BYTES},
    [PEAK_BLOCKS] = {"peak-blocks", PV_UNIT_COUNT},
    [END_BYTES] = {"leaked", PV_UNIT_BYTES},
    [END_BLOCKS] = {"leaked-blocks", PV_UNIT_COUNT},
    [READ_BYTES] = {"read", PV_UNIT_BYTES},
    [WRITTEN_BYTES] = {"written", PV_UNIT_BYTES},
};

typedef struct {
    int64_t amounts[N_METRICS];
    size_t first_frame, end_frame; /* of frames */
} Point;

/* A row of the table of frames. */
typedef struct {
    MassifFrame frame;
    bool has_address;
} Row;

typedef struct {
    PvProfileBuilder *builder;
    const PvReadContext *context;
    uint64_t size_bytes;
    int64_t version;
    PV_ARRAY (Point) points;
    PvInt32Column frames; /* of all points, numbers of rows */
    PvStringColumn strings;
    PvInterner *interner;
    PV_ARRAY (Row) rows;
    const char *verb;      /* for what is done to blocks; NULL: they are allocated */
    const char *unit_name; /* of amounts that are no bytes; NULL: bytes */
    const char *block_unit;
    const char *time_unit;
    const char *command;
    bool has_metric[N_METRICS];
    uint64_t n_missing; /* frames that the table has not */

    uint32_t set;
    PvHashMap location_of_rows;
    PvHashMap module_of_path;
    PV_ARRAY (PvLocationId) chain;
} Reading;

/* --- the file --- */

static void
read_point (Reading *self, PvJson *json)
{
    Point point = {.first_frame = self->frames.len, .end_frame = self->frames.len};
    int key;
    if (!pv_json_enter_object (json))
        return;
    while (pv_json_next_key (json, point_keys, &key)) {
        if (key == N_METRICS) {
            pv_json_append_int32s (json, &self->frames, 0);
            point.end_frame = self->frames.len;
        } else if (key >= 0) {
            point.amounts[key] = CLAMP (pv_json_get_integer (json, 0), 0, MAX_WEIGHT);
            self->has_metric[key] |= point.amounts[key] > 0;
        }
    }
    pv_array_push (&self->points, point);
    pv_json_count_bytes (json, sizeof point);
}

static void
take_points (PvJson *json, void *member, void *user)
{
    (void)user;
    if (pv_json_enter_array (json))
        while (pv_json_next_element (json))
            read_point (member, json);
}

static void
take_frames (PvJson *json, void *member, void *user)
{
    Reading *self = user;
    pv_json_append_strings (json, member, self->interner);
}

static const PvJsonField file_fields[] = {
    {"dhatFileVersion", pv_json_take_integer, offsetof (Reading, version)},
    {"verb", pv_json_take_text, offsetof (Reading, verb)},
    {"bksu", pv_json_take_text, offsetof (Reading, block_unit)},
    {"bsu", pv_json_take_text, offsetof (Reading, unit_name)},
    {"tu", pv_json_take_text, offsetof (Reading, time_unit)},
    {"cmd", pv_json_take_text, offsetof (Reading, command)},
    {"pps", take_points, 0},
    {"ftbl", take_frames, offsetof (Reading, strings)},
    PV_JSON_NO_MORE_FIELDS,
};

/* --- frames --- */

/* "FILE:LINE:COLUMN" was taken for a file "FILE:LINE". */
static void
drop_column (MassifFrame *frame)
{
    const char *colon = pv_text_find_last (frame->file, ':');
    uint64_t line;
    if (colon == NULL || colon == frame->file.at ||
        !pv_text_parse_number ((PvText){colon + 1, frame->file.end}, &line) || line > UINT32_MAX)
        return;
    frame->line = (uint32_t)line;
    frame->file.end = colon;
}

static void
parse_rows (Reading *self)
{
    for (size_t i = 0; i < self->strings.len; i++) {
        const char *string = pv_interner_get (self->interner, self->strings.data[i]);
        PvText text = pv_text_of (string);
        Row row = {.has_address = massif_parse_frame (text, &row.frame)};
        if (row.has_address)
            drop_column (&row.frame);
        else
            row.frame = (MassifFrame){
                .function = text, .file = {text.end, text.end}, .object = {text.end, text.end}};
        pv_array_push (&self->rows, row);
    }
}

/* NULL: the table has no such row. */
static const Row *
get_row (Reading *self, int32_t number)
{
    if (number >= 0 && (size_t)number < self->rows.len)
        return &self->rows.data[number];
    return NULL;
}

static PvGivenFrame
give_frame (Reading *self, const Row *row)
{
    static const MassifFrame missing = {0};
    self->n_missing += row == NULL;
    return massif_give_frame (self->builder, row != NULL ? &row->frame : &missing);
}

/* The location of rows that are inlined into each other, innermost first. */
static PvLocationId
get_location (Reading *self, const int32_t *numbers, uint32_t n)
{
    uint32_t *slot =
        pv_hash_map_slot (&self->location_of_rows, pv_hash_bytes (numbers, n * sizeof *numbers, 0));
    if (*slot != 0)
        return *slot;
    const Row *outermost = get_row (self, numbers[n - 1]);
    PvGivenFrame given[MAX_INLINED];
    PvModuleId module =
        outermost != NULL
            ? massif_get_module (self->builder, &self->module_of_path, outermost->frame.object)
            : pv_profile_builder_unknown_module (self->builder, false);
    for (uint32_t i = 0; i < n; i++)
        given[i] = give_frame (self, get_row (self, numbers[i]));
    PvLocationId location = pv_profile_builder_add_location (
        self->builder, module, outermost != NULL ? outermost->frame.address : 0,
        PV_LOCATION_RETURN);
    pv_profile_builder_give_frames (self->builder, location, given, n);
    return *slot = location;
}

/* How many of the rows from the first on are of one address. */
static uint32_t
count_inlined (Reading *self, const int32_t *numbers, size_t n)
{
    const Row *first = get_row (self, numbers[0]);
    uint32_t count = 1;
    while (first != NULL && first->has_address && count < MIN (n, MAX_INLINED)) {
        const Row *next = get_row (self, numbers[count]);
        if (next == NULL || !next->has_address || next->frame.address != first->frame.address)
            break;
        count++;
    }
    return count;
}

/* --- samples --- */

static PvStackId
get_stack (Reading *self, const Point *point)
{
    self->chain.len = 0;
    for (size_t i = point->first_frame; i < point->end_frame;) {
        const int32_t *numbers = &self->frames.data[i];
        uint32_t n = count_inlined (self, numbers, point->end_frame - i);
        PvLocationId location = get_location (self, numbers, n);
        pv_array_push (&self->chain, location);
        i += n;
    }
    return pv_profile_builder_chain (self->builder, self->chain.data, self->chain.len);
}

/* Instructions, unless it is a time. */
static uint64_t
get_ns_per_time (const Reading *self)
{
    static const char *const microseconds[] = {"µs", "us", NULL};
    return self->time_unit != NULL && g_strv_contains (microseconds, self->time_unit) ? NS_PER_US
                                                                                      : 0;
}

static bool
is_of_allocations (const Reading *self)
{
    return self->verb == NULL || strcmp (self->verb, "Allocated") == 0;
}

/* Names of totals by the verb: "copied" bytes in so many "copies". NULL for others. */
static char *
make_verb_name (const Reading *self, Metric metric)
{
    if (metric > TOTAL_BLOCKS || is_of_allocations (self))
        return NULL;
    if (metric == TOTAL_BLOCKS && strcmp (self->verb, "Copied") == 0)
        return g_strdup ("copies");
    g_autofree char *word = g_utf8_strdown (self->verb, -1);
    g_strdelimit (word, " \t;", '-');
    if (metric == TOTAL_BYTES)
        return g_steal_pointer (&word);
    return g_strconcat (word, "-", self->block_unit != NULL ? self->block_unit : "blocks", NULL);
}

/* Amounts of "ad-hoc" profiles are what the program says they are. */
static void
add_measure (Reading *self, Metric metric, uint32_t column)
{
    g_autofree char *verb_name = make_verb_name (self, metric);
    bool is_of_bytes = self->unit_name == NULL || strcmp (self->unit_name, "bytes") == 0;
    MetricInfo info = metrics[metric];
    const char *unit_name = NULL;
    if (metric == LIFETIMES && get_ns_per_time (self) > 0)
        info.unit = PV_UNIT_NS;
    else if (metric == LIFETIMES)
        unit_name = self->time_unit;
    if (verb_name != NULL)
        info.name = verb_name;
    if (!is_of_bytes && metric <= TOTAL_BLOCKS) {
        info = (MetricInfo){metric == TOTAL_BYTES ? "amount" : "events", PV_UNIT_COUNT};
        unit_name = metric == TOTAL_BYTES ? self->unit_name : NULL;
    }
    pv_profile_builder_add_measure (self->builder, self->set, info.name, info.unit,
                                    PV_AGGREGATION_SUM);
    if (unit_name != NULL)
        pv_profile_builder_name_unit (self->builder, self->set, column, unit_name);
    if (metric == PEAK_BYTES)
        pv_profile_builder_prefer_measure (self->builder, column);
}

static void
add_measures (Reading *self)
{
    bool is_heap = is_of_allocations (self);
    self->set = pv_profile_builder_add_set (self->builder, is_heap ? "heap" : "amounts", false);
    pv_profile_builder_set_exact (self->builder, self->set);
    pv_profile_builder_prefer_set (self->builder, self->set);
    self->has_metric[TOTAL_BYTES] = true;
    uint32_t column = 0;
    for (Metric m = 0; m < N_METRICS; m++)
        if (self->has_metric[m])
            add_measure (self, m, column++);
}

static bool
has_memory (Reading *self)
{
    uint64_t n_slots = (uint64_t)self->location_of_rows.mask + self->module_of_path.mask;
    return pv_reader_has_memory (self->builder, self->context, self->size_bytes,
                                 n_slots * sizeof (PvHashSlot) + self->rows.cap * sizeof (Row));
}

static void
add_points (Reading *self)
{
    uint64_t ns_per_time = get_ns_per_time (self);
    for (size_t i = 0; i < self->points.len; i++) {
        const Point *point = &self->points.data[i];
        uint64_t weights[N_METRICS];
        uint32_t column = 0;
        if (i % POINTS_PER_CHECK == 0 &&
            (pv_job_is_cancelled (self->context->job) || !has_memory (self)))
            return;
        for (Metric m = 0; m < N_METRICS; m++) {
            uint64_t amount = (uint64_t)point->amounts[m];
            if (m == LIFETIMES && ns_per_time > 0)
                amount = MIN (amount, MAX_WEIGHT / ns_per_time) * ns_per_time;
            if (self->has_metric[m])
                weights[column++] = amount;
        }
        PvNewSample sample = {.stack = get_stack (self, point),
                              .cpu = PV_CPU_UNKNOWN,
                              .stack_end = PV_STACK_END_UNKNOWN};
        pv_profile_builder_add_sample (self->builder, self->set, &sample, weights);
    }
}

static bool
build (Reading *self, GError **error)
{
    if (self->version != VERSION)
        return pv_read_fail (
            error, PV_READ_ERROR_UNSUPPORTED,
            _ ("This is a DHAT profile of version %" PRId64
               "; Profview opens version %d. Record it again with a newer Valgrind"),
            self->version, VERSION);
    parse_rows (self);
    add_measures (self);
    if (is_of_allocations (self))
        pv_profile_builder_set_of_allocations (self->builder);
    add_points (self);
    if (self->n_missing > 0)
        pv_note_warning (self->builder,
                         _ ("Some functions are not in the file’s list of functions."));
    return true;
}

static void
clear (Reading *self)
{
    pv_array_clear (&self->points);
    pv_array_clear (&self->frames);
    pv_array_clear (&self->strings);
    pv_array_clear (&self->rows);
    pv_array_clear (&self->chain);
    pv_interner_free (self->interner);
    pv_hash_map_clear (&self->location_of_rows);
    pv_hash_map_clear (&self->module_of_path);
}

static bool
read_dhat (PvMappedFile *file, PvUnpackStream *stream, PvProfileBuilder *builder,
           const PvReadContext *context, GError **error)
{
    Reading self = {
        .builder = builder,
        .context = context,
        .size_bytes = pv_mapped_file_get_size (file),
        .interner = pv_interner_new (),
        .version = -1,
    };
    PvJson *json = pv_json_new (stream, context);
    pv_json_keep_strings (json, builder, self.interner);
    pv_json_take_object (json, file_fields, &self, &self);
    pv_json_add_note (json, builder);
    pv_profile_builder_facts (builder)->command = self.command;
    bool is_ok = pv_job_check (context->job, error) && build (&self, error);
    pv_json_free (json);
    clear (&self);
    return is_ok;
}

static bool
sniff (const uint8_t *data, size_t size_bytes)
{
    g_autoptr (PvJsonOutline) outline = pv_json_outline_new (data, size_bytes);
    return outline != NULL && pv_json_outline_has (outline, "dhatFileVersion");
}

const PvReader pv_dhat_reader = {
    .name = "DHAT",
    .media_type = "application/x-valgrind-dhat",
    .profiles = "DHAT",
    .is_recording = true,
    .sniff = sniff,
    .sniff_after_lines = sniff,
    .read_stream = read_dhat,
};
