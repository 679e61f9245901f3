/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Code generated at run time. A JIT compiler writes a jitdump, and maps it once so that its path
 * is recorded. It has a header, then records {u32 id, u32 total_size, u64 timestamp} of loaded code
 * (with its name), moved code, and what precedes its code: source lines and rules of unwinding.
 * Specification: tools/perf/Documentation/jitdump-specification.txt.
 *
 * JIT compilers reuse the addresses of discarded code. Code that overlaps older code goes up one
 * layer; each layer is a module of its own with names that do not overlap.
 */
#include "core/read/jit/jitdump.h"

#include <glib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/array.h"
#include "core/base/cursor.h"
#include "core/base/idmap.h"
#include "core/base/path.h"

#define JITDUMP_MAGIC    0x4A695444u
#define JITDUMP_TSC_FLAG 1u
#define MAX_LAYERS       4096u

enum {
    JIT_CODE_LOAD = 0,
    JIT_CODE_MOVE = 1,
    JIT_CODE_DEBUG_INFO = 2,
    JIT_CODE_CLOSE = 3,
    JIT_CODE_UNWINDING_INFO = 4,
};

typedef struct {
    uint64_t start, end;
    uint32_t layer;
} Occupied;

typedef struct {
    PvModuleId module; /* 0: not created yet */
    PV_ARRAY (PvNamedRange) ranges;
    size_t n_published; /* ranges that the builder has */
} Layer;

struct PvJitCode {
    PvArena *arena;
    const char *path; /* of the jitdump; NULL: none */
    GTree *occupied;  /* by start, without overlaps: the topmost code */
    PV_ARRAY (Layer) layers;
    PV_ARRAY (PvJitLoad) loads;     /* by time */
    PV_ARRAY (PvNamedRange) ranges; /* of loads */
    size_t next;
    bool is_untimed;
};

static int
compare_starts (const void *a, const void *b)
{
    const Occupied *x = a, *y = b;
    return pv_order (x->start, y->start);
}

PvJitCode *
pv_jit_code_new (void)
{
    PvJitCode *jit = g_new0 (PvJitCode, 1);
    jit->arena = pv_arena_new ();
    jit->occupied = g_tree_new (compare_starts);
    return jit;
}

void
pv_jit_code_free (PvJitCode *jit)
{
    if (jit == NULL)
        return;
    for (size_t i = 0; i < jit->layers.len; i++)
        pv_array_clear (&jit->layers.data[i].ranges);
    pv_array_clear (&jit->layers);
    pv_array_clear (&jit->loads);
    pv_array_clear (&jit->ranges);
    g_tree_unref (jit->occupied);
    pv_arena_free (jit->arena);
    g_free (jit);
}

/* Layers */

static void
occupy (PvJitCode *jit, uint64_t start, uint64_t end, uint32_t layer)
{
    Occupied *piece = pv_arena_alloc (jit->arena, sizeof *piece);
    *piece = (Occupied){start, end, layer};
    g_tree_insert (jit->occupied, piece, piece);
}

/* The first piece that ends after addr. */
static Occupied *
first_ending_after (PvJitCode *jit, uint64_t addr)
{
    Occupied key = {.start = addr};
    GTreeNode *after = g_tree_upper_bound (jit->occupied, &key);
    GTreeNode *before =
        after != NULL ? g_tree_node_previous (after) : g_tree_node_last (jit->occupied);
    Occupied *piece = before != NULL ? g_tree_node_value (before) : NULL;
    if (piece != NULL && piece->end > addr)
        return piece;
    return after != NULL ? g_tree_node_value (after) : NULL;
}

/* Removes [start, end) from all pieces; true and the highest layer of those, if there were any. */
static bool
clear_range (PvJitCode *jit, uint64_t start, uint64_t end, uint32_t *ret_highest)
{
    bool any = false;
    Occupied *piece;
    while ((piece = first_ending_after (jit, start)) != NULL && piece->start < end) {
        *ret_highest = any ? MAX (*ret_highest, piece->layer) : piece->layer;
        any = true;
        Occupied old = *piece;
        g_tree_remove (jit->occupied, piece);
        if (old.start < start)
            occupy (jit, old.start, start, old.layer);
        if (old.end > end) {
            occupy (jit, end, old.end, old.layer);
            break;
        }
    }
    return any;
}

static uint32_t
add_to_layer (PvJitCode *jit, uint64_t start, uint64_t size_bytes, const PvNamedRange *ranges,
              size_t n_ranges)
{
    uint32_t layer = 0;
    if (clear_range (jit, start, start + size_bytes, &layer))
        layer = MIN (layer + 1, MAX_LAYERS - 1);
    occupy (jit, start, start + size_bytes, layer);
    if (layer >= jit->layers.len)
        pv_array_resize (&jit->layers, layer + 1);
    pv_array_append (&jit->layers.data[layer].ranges, ranges, n_ranges);
    return layer;
}

uint32_t
pv_jit_code_add (PvJitCode *jit, const PvNamedRange *code)
{
    return add_to_layer (jit, code->start, code->size_bytes, code, 1);
}

static void
publish_layer (const PvJitCode *jit, PvProfileBuilder *builder, Layer *layer)
{
    if (layer->module == 0 || layer->ranges.len == layer->n_published)
        return;
    pv_profile_builder_set_named_ranges (builder, layer->module, layer->ranges.data,
                                         layer->ranges.len);
    pv_profile_builder_module (builder, layer->module)->code_path =
        pv_profile_builder_string (builder, jit->path);
    layer->n_published = layer->ranges.len;
}

void
pv_jit_code_set_base_module (PvJitCode *jit, PvProfileBuilder *builder, PvModuleId module)
{
    if (jit->layers.len == 0)
        pv_array_resize (&jit->layers, 1);
    jit->layers.data[0].module = module;
    publish_layer (jit, builder, &jit->layers.data[0]);
}

PvModuleId
pv_jit_code_module (PvJitCode *jit, PvProfileBuilder *builder, uint32_t layer,
                    const PvModule *template_)
{
    Layer *self = &jit->layers.data[layer];
    if (self->module == 0) {
        self->module = pv_profile_builder_add_module (builder, template_);
        if (jit->path != NULL)
            publish_layer (jit, builder, self);
    }
    return self->module;
}

void
pv_jit_code_publish (PvJitCode *jit, PvProfileBuilder *builder)
{
    for (size_t i = 0; i < jit->layers.len; i++)
        publish_layer (jit, builder, &jit->layers.data[i]);
}

/* The file */

typedef struct {
    PvJitCode *jit;
    const PvJitClock *conversion; /* NULL: not needed */
    bool is_untimed;
    bool swap;
    const uint8_t *data;   /* all of the dump */
    size_t n_left;         /* lines that may yet be given to moved code */
    PvIdMap load_of_index; /* code index -> load + 1 */
    const uint8_t *debug;  /* body of the last DEBUG_INFO; NULL: none */
    size_t debug_size_bytes;
    uint64_t debug_addr;
    uint64_t unwind_offset;     /* of the .eh_frame of the next load */
    uint32_t unwind_size_bytes; /* 0: none */
    uint64_t n_moved_left;      /* bytes of code and rules that may yet be given to moved code */
} DumpReader;

bool
pv_jit_code_is_dump_path (const char *path, int32_t *ret_pid)
{
    const char *name = pv_path_get_base (path);
    if (!g_str_has_prefix (name, "jit-"))
        return false;
    char *end;
    int64_t pid = g_ascii_strtoll (name + 4, &end, 10);
    if (end == name + 4 || strcmp (end, ".dump") != 0 || pid <= 0 || pid > INT32_MAX)
        return false;
    *ret_pid = (int32_t)pid;
    return true;
}

static uint64_t
convert_time (const DumpReader *reader, uint64_t time)
{
    const PvJitClock *conversion = reader->conversion;
    if (reader->is_untimed)
        return 0;
    if (conversion == NULL || conversion->shift >= 64)
        return time;
    uint64_t quotient = time >> conversion->shift;
    uint64_t remainder = time & (((uint64_t)1 << conversion->shift) - 1);
    return conversion->zero + quotient * conversion->mult +
           ((remainder * conversion->mult) >> conversion->shift);
}

/* A table is damaged if it speaks of other addresses: Node.js 20 writes names of files that contain
 * zeros. */
static bool
is_line_table (const DumpReader *reader, const PvNamedRange *code)
{
    if (reader->debug == NULL || reader->debug_addr != code->start)
        return false;
    PvCursor cursor = pv_cursor (reader->debug, reader->debug_size_bytes, reader->swap);
    uint64_t n = pv_cursor_u64 (&cursor);
    for (uint64_t i = 0; i < n && !cursor.failed; i++) {
        uint64_t addr = pv_cursor_u64 (&cursor);
        pv_cursor_skip (&cursor, 8); /* line, discriminator */
        pv_cursor_string (&cursor, NULL);
        if (addr < code->start || addr - code->start > code->size_bytes)
            return false;
    }
    return !cursor.failed;
}

/* Adds a range that goes on to the end of the code, and ends the one before it. */
static void
add_range (DumpReader *reader, PvJitLoad *load, const PvNamedRange *code, uint64_t start)
{
    PvJitCode *jit = reader->jit;
    PvNamedRange range = *code;
    uint64_t skipped = start - code->start;
    range.start = start;
    range.size_bytes -= skipped;
    if (range.code_offset != 0)
        range.code_offset += skipped;
    if (load->n_ranges > 0) {
        PvNamedRange *last = &jit->ranges.data[jit->ranges.len - 1];
        last->size_bytes = start - last->start;
    }
    pv_array_push (&jit->ranges, range);
    load->n_ranges++;
}

/* Strings of the dump are kept once, however many ranges have them. */
static const char *
keep_text (DumpReader *reader, const char *text, size_t len)
{
    return pv_arena_strndup (reader->jit->arena, text, MIN (len, PV_MAX_JIT_NAME_BYTES));
}

/* Adds a range for each source line. */
static void
add_line_ranges (DumpReader *reader, PvJitLoad *load, const PvNamedRange *code)
{
    PvCursor cursor = pv_cursor (reader->debug, reader->debug_size_bytes, reader->swap);
    uint64_t n = pv_cursor_u64 (&cursor), last = 0;
    PvNamedRange range = *code;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t addr = pv_cursor_u64 (&cursor);
        range.line = pv_cursor_u32 (&cursor);
        pv_cursor_u32 (&cursor);
        size_t len;
        const char *file = pv_cursor_string (&cursor, &len);
        if (strcmp (file, "\xff") != 0 && g_strcmp0 (file, range.file) != 0)
            range.file = keep_text (reader, file, len);
        if (addr - code->start >= code->size_bytes || (load->n_ranges > 0 && addr <= last))
            continue;
        /* Code before the first line belongs to that line. */
        add_range (reader, load, &range, load->n_ranges > 0 ? addr : code->start);
        last = addr;
    }
}

/* Begins a load; false if it is left out. */
static bool
begin_load (DumpReader *reader, uint64_t time, const PvNamedRange *code, PvJitLoad *ret_load)
{
    PvJitCode *jit = reader->jit;
    *ret_load = (PvJitLoad){
        .time_ns = convert_time (reader, time),
        .start = code->start,
        .size_bytes = code->size_bytes,
        .first_range = (uint32_t)jit->ranges.len,
    };
    return code->size_bytes > 0 && code->start + code->size_bytes >= code->start &&
           jit->loads.len < UINT32_MAX - 1;
}

static void
end_load (DumpReader *reader, const PvJitLoad *load, uint64_t index)
{
    pv_array_push (&reader->jit->loads, *load);
    *pv_id_map_slot (&reader->load_of_index, index) = (uint32_t)reader->jit->loads.len;
}

static void
read_load (DumpReader *reader, uint64_t time, PvCursor *cursor)
{
    PvNamedRange code = {0};
    PvJitLoad load;
    pv_cursor_skip (cursor, 8); /* pid, tid */
    pv_cursor_u64 (cursor);     /* vma */
    code.start = pv_cursor_u64 (cursor);
    code.size_bytes = pv_cursor_u64 (cursor);
    uint64_t index = pv_cursor_u64 (cursor);
    size_t len;
    const char *name = pv_cursor_string (cursor, &len);
    if (cursor->failed || !begin_load (reader, time, &code, &load))
        return;
    code.name = keep_text (reader, name, len);
    if (code.size_bytes <= pv_cursor_left (cursor))
        code.code_offset = (uint64_t)(cursor->pos - reader->data);
    code.unwind_offset = reader->unwind_offset;
    code.unwind_size_bytes = reader->unwind_size_bytes;
    reader->unwind_size_bytes = 0;
    if (is_line_table (reader, &code))
        add_line_ranges (reader, &load, &code);
    reader->debug = NULL;
    if (load.n_ranges == 0)
        add_range (reader, &load, &code, code.start);
    end_load (reader, &load, index);
}

/* Gives moved code the rules of unwinding that it had. */
static void
move_rules (DumpReader *reader, const PvNamedRange *from, PvNamedRange *code)
{
    uint64_t n_bytes = code->size_bytes + from->unwind_size_bytes;
    if (n_bytes > reader->n_moved_left)
        return;
    reader->n_moved_left -= n_bytes;
    code->unwind_offset = from->unwind_offset;
    code->unwind_size_bytes = from->unwind_size_bytes;
}

/* The same bytes, lines and rules at another address. */
static void
read_move (DumpReader *reader, uint64_t time, PvCursor *cursor)
{
    PvNamedRange code = {0};
    PvJitLoad load;
    pv_cursor_skip (cursor, 16); /* pid, tid, vma */
    pv_cursor_u64 (cursor);      /* old address */
    code.start = pv_cursor_u64 (cursor);
    code.size_bytes = pv_cursor_u64 (cursor);
    uint64_t index = pv_cursor_u64 (cursor);
    uint32_t moved = pv_id_map_find (&reader->load_of_index, index);
    if (cursor->failed || moved == 0 || !begin_load (reader, time, &code, &load))
        return;
    const PvJitLoad from = reader->jit->loads.data[moved - 1];
    const PvNamedRange first = reader->jit->ranges.data[from.first_range];
    code.name = first.name;
    code.code_offset = code.size_bytes <= from.size_bytes ? first.code_offset : 0;
    if (code.size_bytes == from.size_bytes && first.unwind_size_bytes > 0)
        move_rules (reader, &first, &code);
    bool has_lines = code.size_bytes == from.size_bytes && from.n_ranges <= reader->n_left;
    for (uint32_t r = 0; has_lines && r < from.n_ranges; r++) {
        const PvNamedRange line = reader->jit->ranges.data[from.first_range + r];
        code.file = line.file;
        code.line = line.line;
        add_range (reader, &load, &code, code.start + (line.start - from.start));
    }
    reader->n_left -= load.n_ranges;
    if (!has_lines)
        add_range (reader, &load, &code, code.start);
    reader->debug = NULL;
    end_load (reader, &load, index);
}

/* Sizes of .eh_frame with its index, of the index alone, and of both in memory; then their bytes.
 */
static void
read_unwinding_info (DumpReader *reader, PvCursor *body)
{
    uint64_t size_bytes = pv_cursor_u64 (body);
    uint64_t index_bytes = pv_cursor_u64 (body);
    pv_cursor_u64 (body);
    bool is_whole = !body->failed && size_bytes <= pv_cursor_left (body) &&
                    index_bytes <= size_bytes && size_bytes <= UINT32_MAX;
    reader->unwind_offset = (uint64_t)(body->pos - reader->data);
    reader->unwind_size_bytes = is_whole ? (uint32_t)(size_bytes - index_bytes) : 0;
}

static void
read_record (DumpReader *reader, uint32_t id, uint64_t time, PvCursor body)
{
    switch (id) {
    case JIT_CODE_LOAD:
        read_load (reader, time, &body);
        break;
    case JIT_CODE_MOVE:
        read_move (reader, time, &body);
        break;
    case JIT_CODE_DEBUG_INFO:
        reader->debug_addr = pv_cursor_u64 (&body);
        reader->debug = body.pos;
        reader->debug_size_bytes = pv_cursor_left (&body);
        break;
    case JIT_CODE_UNWINDING_INFO:
        read_unwinding_info (reader, &body);
        break;
    default:
        break;
    }
}

static int
compare_loads (const void *a, const void *b)
{
    const PvJitLoad *x = a, *y = b;
    return pv_order (x->time_ns, y->time_ns) ?: pv_order (x->first_range, y->first_range);
}

bool
pv_jit_code_read_dump (PvJitCode *jit, const char *path, const uint8_t *data, size_t size_bytes,
                       const PvJitClock *conversion, bool is_untimed)
{
    PvCursor cursor = pv_cursor (data, size_bytes, false);
    uint32_t magic = pv_cursor_u32 (&cursor);
    if (magic != JITDUMP_MAGIC && magic != GUINT32_SWAP_LE_BE (JITDUMP_MAGIC))
        return false;
    cursor.swap = magic != JITDUMP_MAGIC;
    pv_cursor_u32 (&cursor); /* version */
    uint32_t header_size = pv_cursor_u32 (&cursor);
    pv_cursor_skip (&cursor, 20); /* machine, padding, pid, timestamp */
    uint64_t flags = pv_cursor_u64 (&cursor);
    if (cursor.failed || header_size < 40 || !pv_cursor_skip (&cursor, header_size - 40))
        return false;

    bool is_tsc = (flags & JITDUMP_TSC_FLAG) != 0;
    DumpReader reader = {
        .jit = jit,
        .conversion = is_tsc ? conversion : NULL,
        .is_untimed = is_tsc ? !conversion->is_known : is_untimed,
        .swap = cursor.swap,
        .data = data,
        .n_left = size_bytes / 16,
        .n_moved_left = size_bytes,
    };
    jit->is_untimed = reader.is_untimed;
    jit->path = pv_arena_strndup (jit->arena, path, strlen (path));
    while (pv_cursor_left (&cursor) >= 16) {
        uint32_t id = pv_cursor_u32 (&cursor);
        uint32_t total_size = pv_cursor_u32 (&cursor);
        uint64_t time = pv_cursor_u64 (&cursor);
        if (total_size < 16)
            break;
        PvCursor body = pv_cursor_sub (&cursor, total_size - 16);
        if (body.failed || id == JIT_CODE_CLOSE)
            break;
        read_record (&reader, id, time, body);
    }
    pv_id_map_clear (&reader.load_of_index);

    pv_array_sort (&jit->loads, compare_loads);
    for (size_t i = 0; i < jit->loads.len; i++) {
        PvJitLoad *load = &jit->loads.data[i];
        load->layer = add_to_layer (jit, load->start, load->size_bytes,
                                    jit->ranges.data + load->first_range, load->n_ranges);
    }
    pv_array_clear (&jit->ranges); /* the layers have copies */
    return true;
}

bool
pv_jit_code_has_times (const PvJitCode *jit)
{
    return !jit->is_untimed;
}

bool
pv_jit_code_is_ambiguous (const PvJitCode *jit)
{
    return jit->is_untimed && jit->layers.len > 1;
}

const PvJitLoad *
pv_jit_code_next (PvJitCode *jit, uint64_t time_ns)
{
    if (jit->next == jit->loads.len || jit->loads.data[jit->next].time_ns > time_ns)
        return NULL;
    return &jit->loads.data[jit->next++];
}

uint64_t
pv_jit_code_get_next_time (const PvJitCode *jit)
{
    return jit->next < jit->loads.len ? jit->loads.data[jit->next].time_ns : UINT64_MAX;
}
