/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order in the file: sample types, samples, mappings, locations, functions, facts, and strings
 * last, since any of the others may add new ones. Readers of Protocol Buffers accept fields in any
 * order.
 */
#include "core/write/pprof.h"

#include <string.h>

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/base/intern.h"
#include "core/model/profile/period.h"
#include "core/write/escape.h"
#include "core/write/gzip-file.h"
#include "core/write/pprof-wire.h"

/* Field numbers in profile.proto. */
enum {
    PROFILE_SAMPLE_TYPE = 1,
    PROFILE_SAMPLE = 2,
    PROFILE_MAPPING = 3,
    PROFILE_LOCATION = 4,
    PROFILE_FUNCTION = 5,
    PROFILE_STRING_TABLE = 6,
    PROFILE_DROP_FRAMES = 7,
    PROFILE_KEEP_FRAMES = 8,
    PROFILE_TIME_NANOS = 9,
    PROFILE_DURATION_NANOS = 10,
    PROFILE_PERIOD_TYPE = 11,
    PROFILE_PERIOD = 12,
    PROFILE_COMMENT = 13,
    PROFILE_DEFAULT_SAMPLE_TYPE = 14,
    PROFILE_DOC_URL = 15,
};
enum { VALUE_TYPE_TYPE = 1, VALUE_TYPE_UNIT = 2 };
enum { SAMPLE_LOCATION_ID = 1, SAMPLE_VALUE = 2, SAMPLE_LABEL = 3 };
enum { LABEL_KEY = 1, LABEL_STR = 2, LABEL_NUM = 3, LABEL_NUM_UNIT = 4 };
enum {
    MAPPING_ID = 1,
    MAPPING_MEMORY_START = 2,
    MAPPING_MEMORY_LIMIT = 3,
    MAPPING_FILE_OFFSET = 4,
    MAPPING_FILENAME = 5,
    MAPPING_BUILD_ID = 6,
    MAPPING_HAS_FUNCTIONS = 7,
    MAPPING_HAS_FILENAMES = 8,
    MAPPING_HAS_LINE_NUMBERS = 9,
    MAPPING_HAS_INLINE_FRAMES = 10,
};
enum { LOCATION_ID = 1, LOCATION_MAPPING_ID = 2, LOCATION_ADDRESS = 3, LOCATION_LINE = 4 };
enum { LINE_FUNCTION_ID = 1, LINE_LINE = 2 };
enum {
    FUNCTION_ID = 1,
    FUNCTION_NAME = 2,
    FUNCTION_SYSTEM_NAME = 3,
    FUNCTION_FILENAME = 4,
    FUNCTION_START_LINE = 5,
};

#define PAGE_BYTES       ((uint64_t)4096)
#define NANOS_PER_SECOND INT64_C (1000000000)
/* Invented addresses for modules with unknown load address: far apart, in the lower half of 64
 * bits. */
#define INVENTED_START    (UINT64_C (1) << 46)
#define INVENTED_DISTANCE (UINT64_C (1) << 36)

typedef struct {
    PvStringId name;
    PvStringId system_name;
    PvStringId file;
    uint32_t start_line;
} FunctionRow;

typedef struct {
    uint32_t function; /* id, from 1 */
    uint32_t line;
} LineRow;

typedef struct {
    PvModuleId module;
    uint32_t n_lines;
    size_t first_line;
    uint64_t address; /* in the module's own kind; see place_mapping () */
    bool has_address;
} LocationRow;

/* Facts about a module for its mapping in the file. */
typedef struct {
    uint64_t lowest; /* lowest address used, in the module's kind; UINT64_MAX: none */
    uint64_t highest;
    uint64_t start; /* memory_start, once placed */
    uint64_t limit;
    uint32_t number; /* id, from 1; 0: unused, or no mapping */
    bool is_used;
    bool has_functions, has_filenames, has_lines, has_inlined;
} ModuleRow;

struct PvPprofWriter {
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    uint32_t n_columns;
    PvStringId default_column;
    uint64_t duration_ns;
    bool has_dropped;

    PvWriter *out;
    PvGzipFile *file;
    PvWire message; /* reused */
    PvWire part;    /* a message within it */
    PvInterner *strings;
    PvIdMap kept_strings; /* address of a string -> its id + 1 */

    PV_ARRAY (FunctionRow) functions;
    PvHashMap function_ids;
    PV_ARRAY (LocationRow) locations;
    PV_ARRAY (LineRow) lines;
    PV_ARRAY (LineRow) new_lines; /* reused */
    PvHashMap location_ids;
    uint32_t *whole_location; /* per location of the profile: its id with the whole chain */
    ModuleRow *modules;
    bool *is_other; /* by module: its build-id may be that of another file; NULL: none */
    PV_ARRAY (PvModuleId) used_modules; /* in order of first use */
};

static PvStringId
add_string (PvPprofWriter *writer, const char *string)
{
    return string != NULL ? pv_interner_add (writer->strings, string) : 0;
}

/* The same for a string that the profile or its symbols own, of which some are long and come often:
 * it is only read once. */
static PvStringId
add_kept_string (PvPprofWriter *writer, const char *string)
{
    if (string == NULL)
        return 0;
    uint32_t *slot = pv_id_map_slot (&writer->kept_strings, (uint64_t)(uintptr_t)string);
    if (*slot == 0)
        *slot = add_string (writer, string) + 1;
    return *slot - 1;
}

/* Makes the part a field of the message, and begins a new part. */
static void
end_part (PvPprofWriter *writer, unsigned field)
{
    pv_wire_append_bytes (&writer->message, field, writer->part.bytes.data, writer->part.bytes.len);
    writer->part.bytes.len = 0;
}

static void
write_message (PvPprofWriter *writer, unsigned field)
{
    PvWire head = {0};
    pv_wire_append_varint (&head, (uint64_t)field << 3 | 2);
    pv_wire_append_varint (&head, writer->message.bytes.len);
    pv_gzip_file_write (writer->file, head.bytes.data, head.bytes.len);
    pv_gzip_file_write (writer->file, writer->message.bytes.data, writer->message.bytes.len);
    pv_wire_clear (&head);
    writer->message.bytes.len = 0;
}

PvPprofWriter *
pv_pprof_writer_new (const PvPprofHeader *header, PvWriter *out)
{
    g_assert (header != NULL && out != NULL);
    PvPprofWriter *writer = g_new0 (PvPprofWriter, 1);
    writer->profile = header->profile;
    writer->symbols = header->symbols;
    writer->n_columns = header->n_columns;
    writer->duration_ns = header->duration_ns;
    writer->has_dropped = header->has_dropped;
    writer->out = out;
    writer->file = pv_gzip_file_new (out);
    writer->strings = pv_interner_new ();
    writer->whole_location = g_new0 (uint32_t, MAX (header->profile->n_locations, 1));
    writer->modules = g_new0 (ModuleRow, MAX (header->profile->n_modules, 1));
    writer->is_other = pv_symbol_table_find_other_files (header->symbols);
    for (uint32_t i = 0; i < header->n_columns; i++) {
        PvStringId name = add_string (writer, header->columns[i].name);
        pv_wire_append_number (&writer->message, VALUE_TYPE_TYPE, name);
        pv_wire_append_number (&writer->message, VALUE_TYPE_UNIT,
                               add_string (writer, header->columns[i].unit));
        write_message (writer, PROFILE_SAMPLE_TYPE);
        if (i == header->default_column)
            writer->default_column = name;
    }
    return writer;
}

void
pv_pprof_writer_free (PvPprofWriter *writer)
{
    if (writer == NULL)
        return;
    pv_gzip_file_free (writer->file);
    pv_wire_clear (&writer->message);
    pv_wire_clear (&writer->part);
    pv_interner_free (writer->strings);
    pv_id_map_clear (&writer->kept_strings);
    pv_array_clear (&writer->functions);
    pv_hash_map_clear (&writer->function_ids);
    pv_array_clear (&writer->locations);
    pv_array_clear (&writer->lines);
    pv_array_clear (&writer->new_lines);
    pv_hash_map_clear (&writer->location_ids);
    g_free (writer->whole_location);
    g_free (writer->modules);
    g_free (writer->is_other);
    pv_array_clear (&writer->used_modules);
    g_free (writer);
}

/* Functions and locations */

/* If a name equals its system name and looks like C++, pprof shortens it and cuts off parameters
 * and template arguments. It keeps names without a system name. */
static bool
is_safe_system_name (const PvFunction *function)
{
    return strcmp (function->raw_name, function->name) != 0 ||
           strpbrk (function->name, "<>[]:") == NULL;
}

static uint32_t
add_function (PvPprofWriter *writer, const PvFrame *frame)
{
    const PvFunction *function = &writer->symbols->functions[frame->function];
    /* The file of the line; if the declaration is in another file, its start line does not
     * apply. */
    const char *file = frame->file != NULL ? frame->file : function->file;
    FunctionRow row = {
        .name = add_kept_string (writer, function->name),
        .file = add_kept_string (writer, file),
        .start_line = g_strcmp0 (file, function->file) == 0 ? function->line : 0,
    };
    if (function->raw_name != NULL && is_safe_system_name (function))
        row.system_name = add_kept_string (writer, function->raw_name);
    uint32_t *slot = pv_hash_map_slot (&writer->function_ids, pv_hash_bytes (&row, sizeof row, 0));
    if (*slot == 0) {
        pv_array_push (&writer->functions, row);
        *slot = (uint32_t)writer->functions.len;
    }
    return *slot;
}

/* True if the name says less than a location without any. */
static bool
is_nothing (const PvPprofWriter *writer, const PvFunction *function)
{
    return strcmp (function->name, "??") == 0 ||
           (pv_function_is_unmapped (function, writer->profile) &&
            !g_str_has_prefix (function->name, "0x"));
}

/* True if readers would find another file than the one that ran. */
static bool
has_other_file (const PvPprofWriter *writer, PvModuleId module)
{
    return writer->is_other != NULL && writer->is_other[module];
}

/* A function that is known by its address alone has no line if the location has the address. */
static void
add_lines (PvPprofWriter *writer, const PvFrame *frames, uint32_t n_frames, bool may_be_named,
           ModuleRow *module)
{
    writer->new_lines.len = 0;
    for (uint32_t i = 0; i < n_frames; i++) {
        const PvFunction *function = &writer->symbols->functions[frames[i].function];
        if (function->kind == PV_FUNCTION_UNKNOWN &&
            (may_be_named || is_nothing (writer, function)))
            continue;
        LineRow line = {add_function (writer, &frames[i]), frames[i].line};
        pv_array_push (&writer->new_lines, line);
        module->has_functions = true;
        module->has_filenames |= frames[i].file != NULL || function->file != NULL;
        module->has_lines |= frames[i].line != 0;
        module->has_inlined |= frames[i].is_inlined && i + 1 < n_frames;
    }
}

/* NULL: no mapping, as its addresses are outside all mappings. Unnamed kernel code gets a mapping
 * of its own, separate from programs, as does code made at run time. */
static const char *
name_mapping (const PvModule *module)
{
    if (module->path != NULL && (*module->path != '\0' || module->build_id_size > 0))
        return module->path;
    if (module->kind == PV_MODULE_JIT)
        return *module->name == '[' ? module->name : "[JIT]";
    return module->is_kernel && *module->name != '\0' ? module->name : NULL;
}

static ModuleRow *
use_module (PvPprofWriter *writer, PvModuleId id)
{
    ModuleRow *row = &writer->modules[id];
    if (!row->is_used) {
        row->is_used = true;
        row->lowest = UINT64_MAX;
        if (id != 0 && name_mapping (&writer->profile->modules[id]) != NULL)
            pv_array_push (&writer->used_modules, id);
    }
    return row;
}

static uint32_t
add_location (PvPprofWriter *writer, PvLocationId location, const PvFrame *frames,
              uint32_t n_frames)
{
    const PvProfile *profile = writer->profile;
    LocationRow row = {0};
    if (location != 0)
        row.module = profile->module_of_location[location];
    else if (n_frames > 0)
        row.module = writer->symbols->functions[frames[0].function].module;
    ModuleRow *module = use_module (writer, row.module);
    row.has_address = location != 0 && profile->kind_of_location[location] != PV_LOCATION_NAMED &&
                      profile->modules[row.module].address_kind != PV_ADDRESS_ORDINAL;
    if (row.has_address) {
        row.address = pv_profile_lookup_address (profile, location);
        module->lowest = MIN (module->lowest, row.address);
        module->highest = MAX (module->highest, row.address);
    }
    bool may_be_named = row.has_address && !has_other_file (writer, row.module);
    add_lines (writer, frames, n_frames, may_be_named, module);
    struct {
        uint64_t address, module;
    } place = {row.address, (uint64_t)row.module << 1 | row.has_address};
    size_t lines_bytes = writer->new_lines.len * sizeof (LineRow);
    PvHash key = pv_hash_bytes (writer->new_lines.data, lines_bytes,
                                pv_hash_bytes (&place, sizeof place, 0).a);
    uint32_t *slot = pv_hash_map_slot (&writer->location_ids, key);
    if (*slot == 0) {
        row.first_line = writer->lines.len;
        row.n_lines = (uint32_t)writer->new_lines.len;
        pv_array_append (&writer->lines, writer->new_lines.data, writer->new_lines.len);
        pv_array_push (&writer->locations, row);
        *slot = (uint32_t)writer->locations.len;
    }
    return *slot;
}

uint32_t
pv_pprof_writer_location (PvPprofWriter *writer, PvLocationId location, const PvFrame *frames,
                          uint32_t n_frames)
{
    uint32_t n_whole = 0;
    const PvFrame *whole = NULL;
    if (location != 0)
        whole = pv_symbol_table_frames (writer->symbols, location, &n_whole);
    if (location == 0 || frames != whole || n_frames != n_whole)
        return add_location (writer, location, frames, n_frames);
    if (writer->whole_location[location] == 0)
        writer->whole_location[location] = add_location (writer, location, frames, n_frames);
    return writer->whole_location[location];
}

/* Samples */

static void
append_label (PvPprofWriter *writer, const PvLabel *label)
{
    pv_wire_append_number (&writer->part, LABEL_KEY, add_kept_string (writer, label->key));
    if (label->text != NULL)
        pv_wire_append_number (&writer->part, LABEL_STR, add_kept_string (writer, label->text));
    else
        pv_wire_append_number (&writer->part, LABEL_NUM, (uint64_t)label->number);
    if (label->text == NULL)
        pv_wire_append_number (&writer->part, LABEL_NUM_UNIT,
                               add_kept_string (writer, label->unit));
    end_part (writer, SAMPLE_LABEL);
}

/* Appends a label unless the sample's own labels have its key. */
static void
append_own_label (PvPprofWriter *writer, const PvLabel *label, uint32_t label_set)
{
    const PvProfile *profile = writer->profile;
    uint32_t first = label_set != 0 ? profile->first_label_of_set[label_set] : 0;
    uint32_t end = label_set != 0 ? profile->first_label_of_set[label_set + 1] : 0;
    for (uint32_t i = first; i < end; i++) {
        if (strcmp (profile->labels[i].key, label->key) == 0)
            return;
    }
    append_label (writer, label);
}

static void
append_name_and_id (PvPprofWriter *writer, const char *name_key, const char *name,
                    const char *id_key, int32_t id, uint32_t label_set)
{
    PvLabel name_label = {.key = name_key, .text = name};
    PvLabel id_label = {.key = id_key, .number = id};
    if (name != NULL && *name != '\0')
        append_own_label (writer, &name_label, label_set);
    if (id >= 0)
        append_own_label (writer, &id_label, label_set);
}

static void
append_labels (PvPprofWriter *writer, PvThreadId thread, uint32_t label_set)
{
    const PvProfile *profile = writer->profile;
    if (thread != 0) {
        const PvThread *row = &profile->threads[thread];
        append_name_and_id (writer, "thread", row->name, "tid", row->tid, label_set);
        if (row->process != 0) {
            const PvProcess *process = &profile->processes[row->process];
            append_name_and_id (writer, "process", process->name, "pid", process->pid, label_set);
        }
    }
    if (label_set == 0)
        return;
    for (uint32_t i = profile->first_label_of_set[label_set];
         i < profile->first_label_of_set[label_set + 1]; i++)
        append_label (writer, &profile->labels[i]);
}

bool
pv_pprof_writer_add_sample (PvPprofWriter *writer, const uint64_t *locations, uint32_t n_locations,
                            const int64_t *values, PvThreadId thread, uint32_t label_set)
{
    pv_wire_append_packed (&writer->message, SAMPLE_LOCATION_ID, locations, n_locations);
    pv_wire_append_packed (&writer->message, SAMPLE_VALUE, (const uint64_t *)values,
                           writer->n_columns);
    append_labels (writer, thread, label_set);
    write_message (writer, PROFILE_SAMPLE);
    return writer->out->code == 0;
}

/* Tables */

/* Chooses the module's range in memory; start is added to addresses that are file offsets. */
static void
place_mapping (PvPprofWriter *writer, PvModuleId id, uint32_t index)
{
    const PvModule *module = &writer->profile->modules[id];
    ModuleRow *row = &writer->modules[id];
    bool has_addresses = row->lowest != UINT64_MAX;
    uint64_t end = row->highest < UINT64_MAX - PAGE_BYTES
                       ? (row->highest / PAGE_BYTES + 1) * PAGE_BYTES
                       : UINT64_MAX;
    if (module->address_kind == PV_ADDRESS_FILE_OFFSET) {
        row->start = module->load_addr;
        if (row->start == 0 || (has_addresses && row->start > UINT64_MAX - end))
            row->start = INVENTED_START + index * INVENTED_DISTANCE;
        row->limit = has_addresses ? row->start + end : row->start;
    } else if (module->address_kind == PV_ADDRESS_RUNTIME && has_addresses) {
        row->start = row->lowest / PAGE_BYTES * PAGE_BYTES;
        if (module->load_addr != 0)
            row->start = MIN (module->load_addr, row->lowest);
        row->limit = end;
    }
    if (row->limit != 0 && module->end_addr > row->start)
        row->limit = MAX (row->limit, module->end_addr);
}

/* pprof assumes that the first mapping is the program. */
static void
order_mappings (PvPprofWriter *writer)
{
    const PvModule *modules = writer->profile->modules;
    size_t n = writer->used_modules.len, n_ordered = 0;
    g_autofree PvModuleId *ordered = g_new (PvModuleId, MAX (n, 1));
    for (int is_main = 1; is_main >= 0; is_main--) {
        for (size_t i = 0; i < n; i++) {
            if (modules[writer->used_modules.data[i]].is_main == (is_main == 1))
                ordered[n_ordered++] = writer->used_modules.data[i];
        }
    }
    for (size_t i = 0; i < n; i++) {
        writer->used_modules.data[i] = ordered[i];
        writer->modules[ordered[i]].number = (uint32_t)i + 1;
        place_mapping (writer, ordered[i], (uint32_t)i);
    }
}

/* For the kernel, pprof expects the address of a reference symbol, whose name follows the file
 * name. */
static PvStringId
add_mapping_name (PvPprofWriter *writer, const PvModule *module, uint64_t *ret_file_offset)
{
    bool has_reference = module->kind == PV_MODULE_KERNEL && module->reference_symbol != NULL &&
                         module->reference_addr != 0;
    g_autofree char *name =
        g_strconcat (name_mapping (module), has_reference ? module->reference_symbol : "", NULL);
    *ret_file_offset = has_reference ? module->reference_addr : 0;
    return add_string (writer, name);
}

static void
write_mapping (PvPprofWriter *writer, PvModuleId id)
{
    const PvModule *module = &writer->profile->modules[id];
    const ModuleRow *row = &writer->modules[id];
    g_autoptr (GString) build_id = g_string_new (NULL);
    uint64_t file_offset;
    PvStringId name = add_mapping_name (writer, module, &file_offset);
    PvWire *message = &writer->message;
    if (!has_other_file (writer, id))
        pv_append_hex (build_id, module->build_id, module->build_id_size);
    pv_wire_append_number (message, MAPPING_ID, row->number);
    pv_wire_append_number (message, MAPPING_MEMORY_START, row->start);
    pv_wire_append_number (message, MAPPING_MEMORY_LIMIT, row->limit);
    pv_wire_append_number (message, MAPPING_FILE_OFFSET, file_offset);
    pv_wire_append_number (message, MAPPING_FILENAME, name);
    pv_wire_append_number (message, MAPPING_BUILD_ID, add_string (writer, build_id->str));
    pv_wire_append_number (message, MAPPING_HAS_FUNCTIONS, row->has_functions);
    pv_wire_append_number (message, MAPPING_HAS_FILENAMES, row->has_filenames);
    pv_wire_append_number (message, MAPPING_HAS_LINE_NUMBERS, row->has_lines);
    pv_wire_append_number (message, MAPPING_HAS_INLINE_FRAMES, row->has_inlined);
    write_message (writer, PROFILE_MAPPING);
}

static void
write_mappings (PvPprofWriter *writer)
{
    order_mappings (writer);
    for (size_t i = 0; i < writer->used_modules.len; i++)
        write_mapping (writer, writer->used_modules.data[i]);
}

static void
write_locations (PvPprofWriter *writer)
{
    for (size_t i = 0; i < writer->locations.len; i++) {
        const LocationRow *row = &writer->locations.data[i];
        const PvModule *module = &writer->profile->modules[row->module];
        const ModuleRow *mapping = &writer->modules[row->module];
        bool is_offset = row->module != 0 && module->address_kind == PV_ADDRESS_FILE_OFFSET;
        pv_wire_append_number (&writer->message, LOCATION_ID, i + 1);
        pv_wire_append_number (&writer->message, LOCATION_MAPPING_ID, mapping->number);
        if (row->has_address)
            pv_wire_append_number (&writer->message, LOCATION_ADDRESS,
                                   row->address + (is_offset ? mapping->start : 0));
        for (size_t l = row->first_line; l < row->first_line + row->n_lines; l++) {
            pv_wire_append_number (&writer->part, LINE_FUNCTION_ID, writer->lines.data[l].function);
            pv_wire_append_number (&writer->part, LINE_LINE, writer->lines.data[l].line);
            end_part (writer, LOCATION_LINE);
        }
        write_message (writer, PROFILE_LOCATION);
    }
}

static void
write_functions (PvPprofWriter *writer)
{
    for (size_t i = 0; i < writer->functions.len; i++) {
        const FunctionRow *row = &writer->functions.data[i];
        pv_wire_append_number (&writer->message, FUNCTION_ID, i + 1);
        pv_wire_append_number (&writer->message, FUNCTION_NAME, row->name);
        pv_wire_append_number (&writer->message, FUNCTION_SYSTEM_NAME, row->system_name);
        pv_wire_append_number (&writer->message, FUNCTION_FILENAME, row->file);
        pv_wire_append_number (&writer->message, FUNCTION_START_LINE, row->start_line);
        write_message (writer, PROFILE_FUNCTION);
    }
}

/* Facts */

static void
append_comment (PvPprofWriter *writer, const char *name, const char *text)
{
    g_autofree char *comment = g_strdup_printf ("%s%s", name, text != NULL ? text : "");
    if (text != NULL && *text != '\0')
        pv_wire_append_number (&writer->message, PROFILE_COMMENT, add_string (writer, comment));
}

static void
append_comments (PvPprofWriter *writer)
{
    const PvFacts *facts = &writer->profile->facts;
    append_comment (writer, "command: ", facts->command);
    append_comment (writer, "recorded with: ", facts->recorded_with);
    append_comment (writer, "host: ", facts->host);
    g_auto (GStrv) lines = g_strsplit (facts->comment != NULL ? facts->comment : "", "\n", -1);
    for (char **line = lines; *line != NULL; line++)
        append_comment (writer, "", *line);
}

static void
append_period (PvPprofWriter *writer)
{
    PvPeriod period;
    if (!pv_period_parse (writer->profile->facts.period, &period) || period.type_length == 0 ||
        period.amount == 0 || period.amount > G_MAXINT64)
        return;
    const char *unit = period.unit == PV_UNIT_NS      ? "nanoseconds"
                       : period.unit == PV_UNIT_BYTES ? "bytes"
                                                      : period.unit_name;
    g_autofree char *type = g_strndup (period.type, period.type_length);
    pv_wire_append_number (&writer->part, VALUE_TYPE_TYPE, add_string (writer, type));
    pv_wire_append_number (&writer->part, VALUE_TYPE_UNIT, add_string (writer, unit));
    end_part (writer, PROFILE_PERIOD_TYPE);
    pv_wire_append_number (&writer->message, PROFILE_PERIOD, (int64_t)period.amount);
}

static void
write_facts (PvPprofWriter *writer)
{
    const PvProfile *profile = writer->profile;
    const PvFacts *facts = &profile->facts;
    PvWire *message = &writer->message;
    int64_t time_ns = facts->recorded_at_ns;
    int64_t time_s = facts->recorded_at;
    /* The file's date is near enough if there are times; but it differs for each copy. */
    if (time_s == 0 && profile->duration_ns > 0)
        time_s = facts->modified_at;
    if (time_ns == 0 && time_s > 0 && time_s <= G_MAXINT64 / NANOS_PER_SECOND)
        time_ns = time_s * NANOS_PER_SECOND;
    if (!writer->has_dropped) {
        pv_wire_append_number (message, PROFILE_DROP_FRAMES,
                               add_string (writer, profile->drop_frames));
        pv_wire_append_number (message, PROFILE_KEEP_FRAMES,
                               add_string (writer, profile->keep_frames));
    }
    pv_wire_append_number (message, PROFILE_TIME_NANOS, (uint64_t)time_ns);
    pv_wire_append_number (message, PROFILE_DURATION_NANOS, writer->duration_ns);
    append_period (writer);
    append_comments (writer);
    pv_wire_append_number (message, PROFILE_DEFAULT_SAMPLE_TYPE, writer->default_column);
    pv_wire_append_number (message, PROFILE_DOC_URL, add_string (writer, facts->doc_url));
    pv_gzip_file_write (writer->file, message->bytes.data, message->bytes.len);
    message->bytes.len = 0;
}

static void
write_strings (PvPprofWriter *writer)
{
    uint32_t n = pv_interner_get_count (writer->strings);
    for (PvStringId id = 0; id < n; id++) {
        const char *string = pv_interner_get (writer->strings, id);
        writer->message.bytes.len = 0;
        pv_array_append (&writer->message.bytes, string, strlen (string));
        write_message (writer, PROFILE_STRING_TABLE);
    }
}

void
pv_pprof_writer_finish (PvPprofWriter *writer)
{
    write_mappings (writer);
    write_locations (writer);
    write_functions (writer);
    write_facts (writer);
    write_strings (writer);
    pv_gzip_file_finish (writer->file);
}
