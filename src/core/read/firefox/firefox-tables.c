/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/firefox/firefox-tables.h"

#include <math.h>
#include <string.h>

enum { MAX_POSITIONS = 64, MAX_DETAILS_BYTES = 2048, MAX_DIGITS = 16 };

typedef enum {
    INDEX,      /* PvInt32Column */
    ADDRESS,    /* PvInt64Column */
    NUMBER,     /* PvNumberColumn */
    DATA,       /* of markers, in columns of their own */
    WEIGHT_TYPE /* not a column: of the whole table */
} Kind;

#define COLUMN(name, kind, type, member)                                                           \
    {                                                                                              \
        name, kind, offsetof (type, member)                                                        \
    }

/* --- markers' data --- */

/* As "%.15g" writes it. Most numbers are small integers. */
static void
append_number (GString *out, double number)
{
    bool is_plain = !signbit (number) && number < 1e15 && number == (double)(uint64_t)number;
    if (!is_plain) {
        g_string_append_printf (out, "%.15g", number);
        return;
    }
    char digits[MAX_DIGITS];
    size_t at = sizeof digits;
    uint64_t left = (uint64_t)number;
    do
        digits[--at] = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    g_string_append_len (out, digits + at, (gssize)(sizeof digits - at));
}

static void
append_scalar (PvJson *json, GString *out)
{
    switch (pv_json_get_type (json)) {
    case PV_JSON_STRING:
        g_string_append (out, pv_json_get_string (json, NULL));
        break;
    case PV_JSON_NUMBER:
        append_number (out, pv_json_get_number (json, 0));
        break;
    case PV_JSON_BOOLEAN:
        g_string_append (out, pv_json_get_boolean (json, false) ? "true" : "false");
        break;
    default:
        break;
    }
}

static bool
is_scalar (PvJson *json)
{
    PvJsonType type = pv_json_get_type (json);
    return type == PV_JSON_STRING || type == PV_JSON_NUMBER || type == PV_JSON_BOOLEAN;
}

static void
take_cause (PvJson *json, int32_t *stack)
{
    static const PvJsonField fields[] = {{"stack", pv_json_take_index, 0}, PV_JSON_NO_MORE_FIELDS};
    pv_json_take_object (json, fields, stack, NULL);
}

/* Takes the data of one marker, whose cells are the last of their columns. */
static void
take_data (FirefoxFile *file, FirefoxMarkers *markers)
{
    enum { TYPE, CAUSE, START, END, CATEGORY, INTERVAL };
    static const char *const keys[] = {"type",     "cause",    "startTime", "endTime",
                                       "category", "interval", NULL};
    PvJson *json = file->json;
    size_t row = markers->details.len - 1;
    int key;
    if (!pv_json_enter_object (json))
        return;
    g_autoptr (GString) text = g_string_new (NULL);
    while (pv_json_next_key (json, keys, &key)) {
        if (key == CAUSE)
            take_cause (json, &markers->stack.data[row]);
        else if (key == START)
            markers->data_start.data[row] = pv_json_get_number (json, FIREFOX_NO_NUMBER);
        else if (key == END)
            markers->data_end.data[row] = pv_json_get_number (json, FIREFOX_NO_NUMBER);
        else if (key < 0 && is_scalar (json) && text->len < MAX_DETAILS_BYTES) {
            g_string_append (text, text->len > 0 ? ", " : "");
            g_string_append (text, pv_json_get_key (json, NULL));
            g_string_append (text, ": ");
            append_scalar (json, text);
        }
    }
    if (text->len > MAX_DETAILS_BYTES) {
        g_string_truncate (text, MAX_DETAILS_BYTES);
        g_string_append (text, "…");
    }
    uint32_t n_before = pv_interner_get_count (file->interner);
    markers->details.data[row] = pv_interner_add_len (file->interner, text->str, text->len);
    if (pv_interner_get_count (file->interner) > n_before)
        pv_json_count_bytes (json, text->len + PV_INTERNED_BYTES);
}

static void
push_no_data (FirefoxFile *file, FirefoxMarkers *markers)
{
    pv_array_push (&markers->details, 0);
    pv_array_push (&markers->stack, -1);
    pv_array_push (&markers->data_start, FIREFOX_NO_NUMBER);
    pv_array_push (&markers->data_end, FIREFOX_NO_NUMBER);
    pv_json_count_bytes (file->json, 2 * (2 * sizeof (int32_t) + 2 * sizeof (double)));
}

/* --- columns --- */

static void
take_weight_type (FirefoxFile *file, FirefoxWeightType *type)
{
    const char *text = pv_json_get_string (file->json, NULL);
    if (g_strcmp0 (text, "tracing-ms") == 0)
        *type = FIREFOX_TIME;
    else if (g_strcmp0 (text, "bytes") == 0)
        *type = FIREFOX_BYTES;
}

static void
take_column (FirefoxFile *file, const FirefoxColumn *column, void *table)
{
    void *at = (char *)table + column->offset;
    switch ((Kind)column->kind) {
    case INDEX:
        pv_json_append_int32s (file->json, at, -1);
        break;
    case ADDRESS:
        pv_json_append_int64s (file->json, at, -1);
        break;
    case NUMBER:
        pv_json_append_numbers (file->json, at, FIREFOX_NO_NUMBER);
        break;
    case DATA:
        if (pv_json_enter_array (file->json))
            while (pv_json_next_element (file->json)) {
                push_no_data (file, table);
                take_data (file, table);
            }
        break;
    case WEIGHT_TYPE:
        take_weight_type (file, at);
        break;
    }
}

static const FirefoxColumn *
find_column (PvJson *json, const FirefoxColumn *columns)
{
    const char *name = pv_json_get_key (json, NULL);
    while (columns->name != NULL && strcmp (columns->name, name) != 0)
        columns++;
    return columns->name != NULL ? columns : NULL;
}

/* --- rows --- */

typedef struct {
    const FirefoxColumn *column_at[MAX_POSITIONS]; /* NULL: not known */
} Schema;

static void
take_schema (FirefoxFile *file, const FirefoxColumn *columns, Schema *schema)
{
    static const char *const no_keys[] = {NULL};
    int key;
    *schema = (Schema){0};
    if (!pv_json_enter_object (file->json))
        return;
    while (pv_json_next_key (file->json, no_keys, &key)) {
        int64_t position = pv_json_get_integer (file->json, -1);
        if (position >= 0 && position < MAX_POSITIONS)
            schema->column_at[position] = find_column (file->json, columns);
    }
}

static void
push_empty_cell (FirefoxFile *file, const FirefoxColumn *column, void *table)
{
    void *at = (char *)table + column->offset;
    switch ((Kind)column->kind) {
    case INDEX:
        pv_array_push ((PvInt32Column *)at, -1);
        pv_json_count_bytes (file->json, 2 * sizeof (int32_t));
        break;
    case ADDRESS:
        pv_array_push ((PvInt64Column *)at, -1);
        pv_json_count_bytes (file->json, 2 * sizeof (int64_t));
        break;
    case NUMBER:
        pv_array_push ((PvNumberColumn *)at, FIREFOX_NO_NUMBER);
        pv_json_count_bytes (file->json, 2 * sizeof (double));
        break;
    case DATA:
        push_no_data (file, table);
        break;
    case WEIGHT_TYPE:
        break;
    }
}

/* Fills the last cell of a column. */
static void
take_cell (FirefoxFile *file, const FirefoxColumn *column, void *table)
{
    PvJson *json = file->json;
    void *at = (char *)table + column->offset;
    PvInt32Column *indexes = at;
    PvInt64Column *addresses = at;
    PvNumberColumn *numbers = at;
    switch ((Kind)column->kind) {
    case INDEX:
        indexes->data[indexes->len - 1] =
            (int32_t)CLAMP (pv_json_get_integer (json, -1), -1, INT32_MAX);
        break;
    case ADDRESS:
        addresses->data[addresses->len - 1] = pv_json_get_integer (json, -1);
        break;
    case NUMBER:
        numbers->data[numbers->len - 1] = pv_json_get_number (json, FIREFOX_NO_NUMBER);
        break;
    case DATA:
        take_data (file, table);
        break;
    case WEIGHT_TYPE:
        break;
    }
}

static void
take_row (FirefoxFile *file, const Schema *schema, void *table)
{
    for (size_t p = 0; p < MAX_POSITIONS; p++)
        if (schema->column_at[p] != NULL)
            push_empty_cell (file, schema->column_at[p], table);
    if (!pv_json_enter_array (file->json))
        return;
    for (size_t p = 0; pv_json_next_element (file->json); p++)
        if (p < MAX_POSITIONS && schema->column_at[p] != NULL)
            take_cell (file, schema->column_at[p], table);
}

bool
firefox_take_table (FirefoxFile *file, const FirefoxColumn *columns, void *table)
{
    g_assert (file != NULL && columns != NULL && table != NULL);
    enum { SCHEMA, ROWS };
    static const char *const keys[] = {"schema", "data", NULL};
    PvJson *json = file->json;
    bool has_schema = false;
    Schema schema;
    int key;
    if (!pv_json_enter_object (json))
        return false;
    while (pv_json_next_key (json, keys, &key)) {
        const FirefoxColumn *column;
        if (key == SCHEMA) {
            take_schema (file, columns, &schema);
            has_schema = true;
        } else if (key == ROWS && has_schema) {
            if (pv_json_enter_array (json))
                while (pv_json_next_element (json))
                    take_row (file, &schema, table);
        } else if ((column = find_column (json, columns)) != NULL) {
            take_column (file, column, table);
        }
    }
    return has_schema;
}

/* --- the tables --- */

const FirefoxColumn firefox_columns_of_stacks[] = {
    COLUMN ("frame", INDEX, FirefoxTables, stack_frame),
    COLUMN ("prefix", INDEX, FirefoxTables, stack_prefix),
    COLUMN ("prefixOffset", INDEX, FirefoxTables, stack_offset),
    COLUMN ("category", INDEX, FirefoxTables, stack_category),
    {NULL},
};

const FirefoxColumn firefox_columns_of_frames[] = {
    COLUMN ("address", ADDRESS, FirefoxTables, frame_address),
    COLUMN ("inlineDepth", INDEX, FirefoxTables, frame_depth),
    COLUMN ("category", INDEX, FirefoxTables, frame_category),
    COLUMN ("func", INDEX, FirefoxTables, frame_function),
    COLUMN ("line", INDEX, FirefoxTables, frame_line),
    COLUMN ("lib", INDEX, FirefoxTables, frame_library),
    COLUMN ("location", INDEX, FirefoxTables, frame_location),
    {NULL},
};

const FirefoxColumn firefox_columns_of_functions[] = {
    COLUMN ("name", INDEX, FirefoxTables, function_name),
    COLUMN ("resource", INDEX, FirefoxTables, function_resource),
    COLUMN ("fileName", INDEX, FirefoxTables, function_file),
    COLUMN ("source", INDEX, FirefoxTables, function_source),
    COLUMN ("lineNumber", INDEX, FirefoxTables, function_line),
    COLUMN ("isJS", INDEX, FirefoxTables, function_is_js),
    {NULL},
};

const FirefoxColumn firefox_columns_of_resources[] = {
    COLUMN ("lib", INDEX, FirefoxTables, resource_library),
    COLUMN ("name", INDEX, FirefoxTables, resource_name),
    {NULL},
};

const FirefoxColumn firefox_columns_of_sources[] = {
    COLUMN ("filename", INDEX, FirefoxTables, source_file),
    {NULL},
};

const FirefoxColumn firefox_columns_of_samples[] = {
    COLUMN ("stack", INDEX, FirefoxSamples, stack),
    COLUMN ("time", NUMBER, FirefoxSamples, time),
    COLUMN ("timeDeltas", NUMBER, FirefoxSamples, time_delta),
    COLUMN ("weight", NUMBER, FirefoxSamples, weight),
    COLUMN ("weightType", WEIGHT_TYPE, FirefoxSamples, weight_type),
    COLUMN ("threadCPUDelta", NUMBER, FirefoxSamples, cpu_delta),
    COLUMN ("duration", NUMBER, FirefoxSamples, weight), /* of allocations, in old versions */
    COLUMN ("memoryAddress", ADDRESS, FirefoxSamples, memory_address),
    {NULL},
};

const FirefoxColumn firefox_columns_of_counter_samples[] = {
    COLUMN ("time", NUMBER, FirefoxCounterSamples, time),
    COLUMN ("timeDeltas", NUMBER, FirefoxCounterSamples, time_delta),
    COLUMN ("count", NUMBER, FirefoxCounterSamples, count),
    {NULL},
};

const FirefoxColumn firefox_columns_of_markers[] = {
    COLUMN ("name", INDEX, FirefoxMarkers, name),
    COLUMN ("startTime", NUMBER, FirefoxMarkers, start),
    COLUMN ("endTime", NUMBER, FirefoxMarkers, end),
    COLUMN ("time", NUMBER, FirefoxMarkers, time),
    COLUMN ("phase", INDEX, FirefoxMarkers, phase),
    COLUMN ("category", INDEX, FirefoxMarkers, category),
    COLUMN ("data", DATA, FirefoxMarkers, details),
    {NULL},
};
