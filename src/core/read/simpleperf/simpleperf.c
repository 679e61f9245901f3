/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sections are described in simpleperf's record_file_format.h and record_file.proto. A file is
 *   u32 size; char path[]; u32 kind; u64 first_addr; u32 n; {u64 addr; u32 size; char name[];}[n];
 *   then for dex files: u32 n; u64 offsets[n]; for others, in newer versions: u64 first_offset
 * or, since 2021, a protobuf message with the same members. first_addr and first_offset are the
 * link address and the offset in the file of the first segment with code; offsets of kernel modules
 * are counted from where they were loaded.
 */
#include "core/read/simpleperf/simpleperf.h"

#include <string.h>

#include "core/base/arena.h"
#include "core/base/array.h"
#include "core/base/cursor.h"
#include "core/base/path.h"

typedef enum {
    FILE_KERNEL,
    FILE_KERNEL_MODULE,
    FILE_ELF,
    FILE_DEX, /* Java's classes, in any kind of file */
    FILE_MAP, /* perf-PID.map */
} FileKind;

typedef struct {
    uint32_t kind;
    uint64_t first_addr, first_offset;
    bool has_offset;
    bool are_starts; /* names have no sizes yet: each reaches to the next */
    bool is_given;   /* a module has its names */
    PV_ARRAY (PvNamedRange) names;
} File;

struct PvSimpleperf {
    PvArena *arena;
    GHashTable *files; /* path -> File */
    GHashTable *infos;
    GHashTable *events;        /* "TYPE,CONFIG" -> name */
    bool has_infos;            /* the section was there */
    PV_ARRAY (uint8_t) pieces; /* of a record */
    size_t n_again;            /* names that were given to further modules of a file */
};

/* Limits the memory for crafted files, in which many modules have one path. */
#define MOST_NAMES_AGAIN ((size_t)4 << 20)

static const char kernel_path[] = "[kernel.kallsyms]";

static void
free_file (gpointer data)
{
    File *file = data;
    pv_array_clear (&file->names);
    g_free (file);
}

PvSimpleperf *
pv_simpleperf_new (void)
{
    PvSimpleperf *self = g_new0 (PvSimpleperf, 1);
    self->arena = pv_arena_new ();
    self->files = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, free_file);
    self->infos = g_hash_table_new (g_str_hash, g_str_equal);
    self->events = g_hash_table_new (g_str_hash, g_str_equal);
    return self;
}

void
pv_simpleperf_free (PvSimpleperf *self)
{
    g_hash_table_unref (self->files);
    g_hash_table_unref (self->infos);
    g_hash_table_unref (self->events);
    pv_array_clear (&self->pieces);
    pv_arena_free (self->arena);
    g_free (self);
}

bool
pv_simpleperf_is_used (const PvSimpleperf *self)
{
    return g_hash_table_size (self->files) > 0 || g_hash_table_size (self->infos) > 0;
}

/* --- files --- */

/* The file with this path, made on first use. */
static File *
get_file (PvSimpleperf *self, const char *path)
{
    File *file = g_hash_table_lookup (self->files, path);
    if (file == NULL) {
        file = g_new0 (File, 1);
        g_hash_table_insert (self->files, (gpointer)path, file);
    }
    return file;
}

/* A string's copy; NULL (and failed): it has no end. */
static const char *
take_string (PvSimpleperf *self, PvCursor *cursor)
{
    size_t len;
    const char *string = pv_cursor_string (cursor, &len);
    return string != NULL ? pv_arena_strndup (self->arena, string, len) : NULL;
}

static void
add_name (File *file, uint64_t addr, uint64_t size_bytes, const char *name)
{
    PvNamedRange range = {.start = addr, .size_bytes = size_bytes, .name = name};
    if (size_bytes > 0 && name != NULL && name[0] != '\0')
        pv_array_push (&file->names, range);
}

static void
take_file (PvSimpleperf *self, PvCursor *cursor)
{
    const char *path = take_string (self, cursor);
    if (path == NULL)
        return;
    File *file = get_file (self, path);
    file->kind = pv_cursor_u32 (cursor);
    file->first_addr = pv_cursor_u64 (cursor);
    for (uint32_t n = pv_cursor_u32 (cursor); n > 0 && !cursor->failed; n--) {
        uint64_t addr = pv_cursor_u64 (cursor);
        uint32_t size_bytes = pv_cursor_u32 (cursor);
        add_name (file, addr, size_bytes, take_string (self, cursor));
    }
    file->has_offset = file->kind != FILE_DEX && pv_cursor_left (cursor) >= 8;
    if (file->has_offset)
        file->first_offset = pv_cursor_u64 (cursor);
}

/* A field of a protobuf message: a number, or bytes. */
typedef struct {
    uint64_t tag; /* its number */
    uint64_t number;
    PvCursor bytes;
} Field;

static bool
next_field (PvCursor *message, Field *ret)
{
    enum { VARINT, FIXED_64, BYTES, FIXED_32 = 5 };
    if (pv_cursor_left (message) == 0)
        return false;
    uint64_t key = pv_cursor_varint (message);
    *ret = (Field){.tag = key >> 3};
    switch (key & 7) {
    case VARINT:
        ret->number = pv_cursor_varint (message);
        break;
    case FIXED_64:
        ret->number = pv_cursor_u64 (message);
        break;
    case BYTES:
        ret->number = pv_cursor_varint (message);
        ret->bytes = pv_cursor_sub (message, (size_t)ret->number);
        break;
    case FIXED_32:
        ret->number = pv_cursor_u32 (message);
        break;
    default:
        return false;
    }
    return !message->failed;
}

static const char *
keep_bytes (PvSimpleperf *self, PvCursor bytes)
{
    return pv_arena_strndup (self->arena, (const char *)bytes.pos, pv_cursor_left (&bytes));
}

static void
take_symbol_message (PvSimpleperf *self, File *file, PvCursor message)
{
    uint64_t addr = 0, size_bytes = 0;
    const char *name = NULL;
    for (Field field; next_field (&message, &field);) {
        if (field.tag == 1)
            addr = field.number;
        else if (field.tag == 2)
            size_bytes = field.number;
        else if (field.tag == 3)
            name = keep_bytes (self, field.bytes);
    }
    add_name (file, addr, size_bytes, name);
}

static void
take_file_message (PvSimpleperf *self, PvCursor message)
{
    enum { PATH = 1, KIND, FIRST_ADDR, SYMBOL, ELF = 6, KERNEL_MODULE };
    PvCursor first = message;
    const char *path = NULL;
    for (Field field; path == NULL && next_field (&first, &field);)
        if (field.tag == PATH)
            path = keep_bytes (self, field.bytes);
    if (path == NULL)
        return;
    File *file = get_file (self, path);
    for (Field field, inner; next_field (&message, &field);) {
        if (field.tag == KIND)
            file->kind = (uint32_t)MIN (field.number, UINT32_MAX);
        else if (field.tag == FIRST_ADDR)
            file->first_addr = field.number;
        else if (field.tag == SYMBOL)
            take_symbol_message (self, file, field.bytes);
        else if (field.tag == ELF || field.tag == KERNEL_MODULE) {
            file->has_offset = true; /* 0 is left out */
            while (next_field (&field.bytes, &inner))
                file->first_offset = inner.tag == 1 ? inner.number : file->first_offset;
        }
    }
}

/* Takes lines "sched:sched_switch,2,47". */
static void
take_events (PvSimpleperf *self)
{
    const char *text = g_hash_table_lookup (self->infos, "event_type_info");
    g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        const char *config = strrchr (*line, ',');
        const char *type = config != NULL ? memrchr (*line, ',', (size_t)(config - *line)) : NULL;
        const char *key =
            type != NULL ? pv_arena_strndup (self->arena, type + 1, strlen (type + 1)) : NULL;
        if (key != NULL && !g_hash_table_contains (self->events, key))
            g_hash_table_insert (self->events, (gpointer)key,
                                 pv_arena_strndup (self->arena, *line, (size_t)(type - *line)));
    }
}

static void
take_infos (PvSimpleperf *self, PvCursor *cursor)
{
    while (pv_cursor_left (cursor) > 0) {
        const char *key = take_string (self, cursor), *value = take_string (self, cursor);
        if (value != NULL)
            g_hash_table_replace (self->infos, (gpointer)key, (gpointer)value);
    }
}

bool
pv_simpleperf_take_feature (PvSimpleperf *self, uint32_t feature, const uint8_t *data,
                            size_t size_bytes)
{
    PvCursor cursor = pv_cursor (data, size_bytes, false);
    if (feature == PV_SIMPLEPERF_FEATURE_INFO && !self->has_infos) {
        self->has_infos = true;
        take_infos (self, &cursor);
        take_events (self);
        return true;
    }
    if (feature != PV_SIMPLEPERF_FEATURE_FILES && feature != PV_SIMPLEPERF_FEATURE_FILES_2)
        return false;
    while (pv_cursor_left (&cursor) >= 4) {
        PvCursor file = pv_cursor_sub (&cursor, pv_cursor_u32 (&cursor));
        if (feature == PV_SIMPLEPERF_FEATURE_FILES)
            take_file (self, &file);
        else
            take_file_message (self, file);
    }
    return false;
}

/* --- records --- */

/* Takes lines "ffffffff81000000 T name". */
static void
take_kernel_symbols (PvSimpleperf *self, PvCursor *cursor)
{
    uint32_t size_bytes = pv_cursor_u32 (cursor);
    const char *at = (const char *)cursor->pos,
               *end = at + MIN (size_bytes, pv_cursor_left (cursor));
    File *file = get_file (self, kernel_path);
    while (at < end) {
        const char *line_end = memchr (at, '\n', (size_t)(end - at));
        g_autofree char *line = g_strndup (at, (size_t)((line_end != NULL ? line_end : end) - at));
        char *rest;
        uint64_t addr = g_ascii_strtoull (line, &rest, 16);
        bool is_code = rest > line && rest[0] == ' ' && rest[1] != '\0' &&
                       strchr ("tTwW", rest[1]) != NULL && rest[2] == ' ';
        char *name = is_code ? g_strdelimit (rest + 3, "\t", '\0') : NULL;
        if (is_code)
            add_name (file, addr, 1, pv_arena_strndup (self->arena, name, strlen (name)));
        at = line_end != NULL ? line_end + 1 : end;
    }
    file->are_starts = true;
}

void
pv_simpleperf_take_record (PvSimpleperf *self, uint32_t type, const uint8_t *data,
                           size_t size_bytes)
{
    PvCursor cursor = pv_cursor (data, size_bytes, false);
    if (type == PV_SIMPLEPERF_RECORD_KERNEL_SYMBOLS)
        take_kernel_symbols (self, &cursor);
}

/* The upper bits are in place of perf's misc bits. */
size_t
pv_simpleperf_get_size (const uint8_t *record)
{
    PvCursor cursor = pv_cursor (record + 4, 4, false);
    size_t high = pv_cursor_u16 (&cursor), low = pv_cursor_u16 (&cursor);
    return high << 16 | low;
}

const uint8_t *
pv_simpleperf_join (PvSimpleperf *self, const uint8_t *piece, size_t size_bytes,
                    size_t *ret_size_bytes)
{
    PvCursor header = pv_cursor (piece, size_bytes, false);
    if (pv_cursor_u32 (&header) == PV_SIMPLEPERF_RECORD_PIECE) {
        pv_array_append (&self->pieces, piece + 8, size_bytes - 8);
        return NULL;
    }
    size_t len = self->pieces.len;
    bool is_whole = len >= 8 && pv_simpleperf_get_size (self->pieces.data) == len;
    *ret_size_bytes = len;
    self->pieces.len = 0;
    return is_whole ? pv_arena_memdup (self->arena, self->pieces.data, len) : NULL;
}

/* --- what was taken --- */

void
pv_simpleperf_set_facts (const PvSimpleperf *self, PvProfileBuilder *builder)
{
    PvFacts *facts = pv_profile_builder_facts (builder);
    const char *version = g_hash_table_lookup (self->infos, "simpleperf_version");
    const char *device = g_hash_table_lookup (self->infos, "product_props");
    g_autofree char *recorder =
        g_strconcat ("simpleperf", version != NULL ? " " : NULL, version, NULL);
    g_autofree char *host = g_strdelimit (g_strdup (device != NULL ? device : ""), ":", ' ');
    if (pv_simpleperf_is_used (self))
        facts->recorder = pv_profile_builder_string (builder, recorder);
    if (device != NULL)
        facts->host = pv_profile_builder_string (builder, host);
}

char *
pv_simpleperf_make_event_name (const PvSimpleperf *self, uint32_t type, uint64_t config,
                               const char *suffix)
{
    g_autofree char *numbers =
        g_strdup_printf ("%" G_GUINT32_FORMAT ",%" G_GUINT64_FORMAT, type, config);
    const char *name = g_hash_table_lookup (self->events, numbers);
    return name != NULL ? g_strconcat (name, suffix, NULL) : NULL;
}

bool
pv_simpleperf_is_jit_path (const char *path)
{
    return strstr (path, "_jit_app_cache:") != NULL ||
           strstr (path, "_jit_zygote_cache:") != NULL ||
           g_str_has_prefix (pv_path_get_base (path), "TemporaryFile");
}

bool
pv_simpleperf_has_methods (const PvSimpleperf *self, const char *path)
{
    if (g_hash_table_size (self->files) == 0)
        return false;
    const File *file = g_hash_table_lookup (self->files, path);
    return file != NULL && (file->kind == FILE_DEX || pv_simpleperf_is_jit_path (path));
}

bool
pv_simpleperf_get_link_offset (const PvSimpleperf *self, const char *path, uint64_t file_offset,
                               uint64_t *ret_offset)
{
    const File *file = g_hash_table_lookup (self->files, path);
    if (file == NULL || (file->kind != FILE_ELF && file->kind != FILE_DEX))
        return false;
    *ret_offset = file->first_addr;
    if (file->kind == FILE_DEX)
        *ret_offset = file_offset;
    else if (file->has_offset)
        *ret_offset += file_offset - file->first_offset;
    return true;
}

size_t
pv_simpleperf_get_names (const PvSimpleperf *self, const char *path, const PvNamedRange **ret_names)
{
    const File *file = g_hash_table_lookup (self->files, path);
    *ret_names = file != NULL ? file->names.data : NULL;
    return file != NULL ? file->names.len : 0;
}

static int
compare_names (const void *a_, const void *b_)
{
    const PvNamedRange *a = a_, *b = b_;
    return pv_order (a->start, b->start);
}

static void
set_sizes (File *file)
{
    qsort (file->names.data, file->names.len, sizeof *file->names.data, compare_names);
    for (size_t i = 0; i + 1 < file->names.len; i++) {
        PvNamedRange *range = &file->names.data[i];
        range->size_bytes = MAX (range[1].start - range->start, 1);
    }
    file->are_starts = false;
}

void
pv_simpleperf_name_module (PvSimpleperf *self, PvProfileBuilder *builder, PvModuleId id)
{
    const PvModule *module = pv_profile_builder_module (builder, id);
    g_autofree char *map_path = g_path_get_basename (module->path);
    bool is_jit = module->kind == PV_MODULE_JIT;
    File *file = g_hash_table_lookup (self->files, is_jit ? map_path : module->path);
    if (file == NULL || file->names.len == 0 || module->n_named_ranges > 0 ||
        (file->is_given && file->names.len > MOST_NAMES_AGAIN - self->n_again))
        return;
    self->n_again += file->is_given ? file->names.len : 0;
    file->is_given = true;
    if (file->are_starts)
        set_sizes (file);
    PV_ARRAY (PvNamedRange) names = {0};
    pv_array_append (&names, file->names.data, file->names.len);
    for (size_t i = 0; file->kind == FILE_KERNEL_MODULE && i < names.len; i++)
        names.data[i].start += module->load_addr + file->first_offset - file->first_addr;
    pv_profile_builder_set_named_ranges (builder, id, names.data, names.len);
    pv_array_clear (&names);
}
