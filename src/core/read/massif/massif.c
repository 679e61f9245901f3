/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Valgrind's massif: snapshots of a heap, of which some have a tree of what allocated it,
 *   snapshot=12
 *   time=345
 *   mem_heap_B=678
 *   mem_heap_extra_B=90
 *   mem_stacks_B=0
 *   heap_tree=detailed
 *   n1: 678 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 *    n0: 678 0x1234: main (shop.c:5)
 * Children are callers, each a blank further to the right; what they lack of their parent's bytes
 * is of stacks that end there.
 *
 * A snapshot becomes a dump of a series. Those without a tree have only amounts, which get a place
 * of their own. The dump shown at first is the peak, or the last one with a tree.
 *
 * Other tools of Valgrind write their execution trees in this form (--xtree-memory-file=X.ms):
 * there a snapshot is what was counted, of which the first line of its tree has the name and
 * meaning, n8: 13 curBk : currently allocated Blocks and all are of one time.
 */
#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "core/base/array.h"
#include "core/base/format.h"
#include "core/base/idmap.h"
#include "core/read/massif/massif-text.h"
#include "core/read/unpack/reader.h"

#define LINES_PER_CHECK 4096u
#define MAX_DEPTH       256u /* massif's --depth is 200 at most */
#define MAX_WEIGHT      ((uint64_t)INT64_MAX / 4)
#define MAX_DUMPS       10000u
#define MAX_EVENTS      32u
#define NS_PER_MS       UINT64_C (1000000)
#define NS_PER_S        UINT64_C (1000000000)

typedef enum { HEAP, EXTRA, STACKS, N_AMOUNTS } Amount;

static const char *const keys[N_AMOUNTS] = {"mem_heap_B=", "mem_heap_extra_B=", "mem_stacks_B="};
static const char *const names[N_AMOUNTS] = {"heap", "extra", "stacks"};

typedef struct {
    uint64_t number;
    uint64_t time;
    uint64_t amounts[N_AMOUNTS];
    bool has_tree;
    bool is_peak;
} Snapshot;

/* A node whose children are being read. */
typedef struct {
    uint64_t n_children; /* still to come */
    uint64_t rest_bytes; /* which no child has */
} Node;

typedef struct {
    PvProfileBuilder *builder;
    const PvReadContext *context;
    PvText text; /* the part not read yet */
    const char *start;
    size_t size_bytes;
    uint64_t n_lines, n_bad_lines;

    /* Found out by a first look at all lines. */
    uint64_t n_snapshots, n_trees;
    uint64_t last_tree; /* which of the snapshots has it, from 1; 0: none */
    bool has_peak;
    uint64_t highest[N_AMOUNTS];
    uint64_t n_events; /* snapshots that are an event of an execution tree */
    bool is_in_ms;
    bool has_another; /* profile, behind this one */

    uint32_t set, n_columns;
    PvText events[MAX_EVENTS];            /* names, by column */
    uint32_t column_of_amount[N_AMOUNTS]; /* UINT32_MAX: none */
    uint32_t column_of_total;             /* of all amounts; the same if there is just one */
    PvHashMap location_of_text;
    PvHashMap module_of_path;
    PvLocationId small_places, unknown_stacks, overhead, stacks;
    uint64_t n_named; /* locations without an address */
    PvModuleId own_module;
    PV_ARRAY (Node) nodes;
    PV_ARRAY (PvLocationId) path; /* of the nodes but the first, leaf first */
    uint64_t time_ns;             /* of the dump before */
    uint32_t n_dumps;
} Reading;

static bool
may_continue (Reading *self, uint64_t done)
{
    if (++self->n_lines % LINES_PER_CHECK != 0)
        return true;
    pv_job_set_done (self->context->job, done);
    return !pv_job_is_cancelled (self->context->job);
}

/* --- snapshots --- */

/* Reads the lines of a snapshot before its tree. False after the last one. */
static bool
next_snapshot (Reading *self, PvText *text, Snapshot *ret, uint64_t part)
{
    PvText line;
    bool is_inside = false;
    *ret = (Snapshot){0};
    while (pv_text_next_line (text, &line) &&
           may_continue (self, (uint64_t)(text->at - self->start) / 4 * part)) {
        if (pv_text_take (&line, "snapshot=")) {
            *ret = (Snapshot){0};
            is_inside = pv_text_parse_number (line, &ret->number);
        } else if (pv_text_take (&line, "time=")) {
            pv_text_parse_number (line, &ret->time);
        } else if (pv_text_take (&line, "heap_tree=")) {
            ret->is_peak = pv_text_equals (line, "peak");
            ret->has_tree = ret->is_peak || pv_text_equals (line, "detailed");
            if (is_inside)
                return true;
        } else if (pv_text_begins (line, "time_unit: ")) {
            self->has_another = true;
        } else {
            for (Amount a = HEAP; a < N_AMOUNTS; a++)
                if (pv_text_take (&line, keys[a]))
                    pv_text_parse_number (line, &ret->amounts[a]);
        }
    }
    return false;
}

/* Splits "NAME : MEANING" off the first line of a tree, if that is of an event. */
static bool
peek_event (PvText rest, PvText *ret_name, PvText *ret_meaning)
{
    PvText line, colon;
    MassifNode node;
    if (!pv_text_next_line (&rest, &line) || !massif_parse_node (line, &node))
        return false;
    *ret_name = pv_text_take_word (&node.text);
    colon = pv_text_take_word (&node.text);
    *ret_meaning = node.text;
    return pv_text_len (*ret_name) > 0 && pv_text_equals (colon, ":");
}

static void
look (Reading *self)
{
    PvText text = self->text, name, meaning;
    Snapshot snapshot;
    while (next_snapshot (self, &text, &snapshot, 1)) {
        self->n_snapshots++;
        self->n_events += snapshot.has_tree && peek_event (text, &name, &meaning);
        self->n_trees += snapshot.has_tree;
        self->last_tree = snapshot.has_tree ? self->n_snapshots : self->last_tree;
        self->has_peak |= snapshot.is_peak;
        for (Amount a = HEAP; a < N_AMOUNTS; a++)
            self->highest[a] = MAX (self->highest[a], snapshot.amounts[a]);
    }
}

/* --- locations --- */

static PvLocationId
add_location (Reading *self, const MassifFrame *frame)
{
    PvModuleId module = massif_get_module (self->builder, &self->module_of_path, frame->object);
    PvLocationId location =
        pv_profile_builder_add_location (self->builder, module, frame->address, PV_LOCATION_RETURN);
    PvGivenFrame given = massif_give_frame (self->builder, frame);
    pv_profile_builder_give_frames (self->builder, location, &given, 1);
    return location;
}

/* The location of memory without a function, made on first use. */
static PvLocationId
get_place (Reading *self, PvLocationId *location, const char *name)
{
    if (*location != 0)
        return *location;
    if (self->own_module == 0) {
        PvModule module = {.path = "", .name = "[massif]", .address_kind = PV_ADDRESS_ORDINAL};
        self->own_module = pv_profile_builder_add_module (self->builder, &module);
    }
    *location = pv_profile_builder_add_location (self->builder, self->own_module, self->n_named++,
                                                 PV_LOCATION_NAMED);
    PvGivenFrame given = {.name = pv_profile_builder_string (self->builder, name)};
    pv_profile_builder_give_frames (self->builder, *location, &given, 1);
    return *location;
}

static PvLocationId
get_location (Reading *self, PvText text)
{
    MassifFrame frame;
    if (!massif_parse_frame (text, &frame))
        return get_place (self, &self->small_places, "[below massif’s threshold]");
    uint32_t *slot = pv_hash_map_slot (&self->location_of_text, pv_text_hash (text, 0));
    if (*slot == 0)
        *slot = add_location (self, &frame);
    return *slot;
}

/* --- samples --- */

static void
add_sample (Reading *self, Amount amount, const PvLocationId *leaf_first, size_t n, uint64_t bytes)
{
    uint64_t weights[MAX_EVENTS] = {0};
    uint32_t column = self->column_of_amount[amount];
    if (column == UINT32_MAX || bytes == 0)
        return;
    weights[column] = weights[self->column_of_total] = MIN (bytes, MAX_WEIGHT);
    PvNewSample sample = {
        .time_ns = self->time_ns,
        .stack = pv_profile_builder_chain (self->builder, leaf_first, n),
        .cpu = PV_CPU_UNKNOWN,
        .stack_end = PV_STACK_END_UNKNOWN,
    };
    pv_profile_builder_add_sample (self->builder, self->set, &sample, weights);
}

/* Ends the nodes that have all their children. The first is the whole heap, no function. */
static void
end_nodes (Reading *self)
{
    while (self->nodes.len > 0 && self->nodes.data[self->nodes.len - 1].n_children == 0) {
        const Node *node = &self->nodes.data[--self->nodes.len];
        size_t depth = MIN (self->nodes.len, MAX_DEPTH);
        if (self->nodes.len <= MAX_DEPTH)
            add_sample (self, HEAP, self->path.data, depth, node->rest_bytes);
    }
}

static void
begin_node (Reading *self, const MassifNode *read)
{
    size_t depth = self->nodes.len;
    if (depth > 0) {
        Node *parent = &self->nodes.data[depth - 1];
        parent->n_children--;
        /* The bytes of deeper nodes count as their parent's own. */
        if (depth <= MAX_DEPTH)
            parent->rest_bytes -= MIN (parent->rest_bytes, read->size_bytes);
    }
    if (depth > 0 && depth <= MAX_DEPTH) {
        self->path.len = depth - 1;
        PvLocationId location = get_location (self, read->text);
        pv_array_push (&self->path, location);
    }
    Node node = {read->n_children, read->size_bytes};
    pv_array_push (&self->nodes, node);
}

static bool
has_memory (Reading *self)
{
    uint64_t n_slots = (uint64_t)self->location_of_text.mask + self->module_of_path.mask;
    return pv_reader_has_memory (self->builder, self->context, self->size_bytes,
                                 n_slots * sizeof (PvHashSlot) + self->nodes.cap * sizeof (Node));
}

/* False: not to go on. */
static bool
take_tree (Reading *self)
{
    PvText rest = self->text, line;
    MassifNode node;
    bool is_first = true, continues = true;
    self->nodes.len = self->path.len = 0;
    while (continues && (is_first || self->nodes.len > 0) && pv_text_next_line (&rest, &line) &&
           massif_parse_node (line, &node)) {
        self->text = rest;
        is_first = false;
        begin_node (self, &node);
        end_nodes (self);
        continues = may_continue (self, (uint64_t)(rest.at - self->start)) &&
                    (self->n_lines % LINES_PER_CHECK != 0 || has_memory (self));
    }
    self->n_bad_lines += is_first || (continues && self->nodes.len > 0);
    for (size_t i = 0; i < self->nodes.len; i++)
        self->nodes.data[i].n_children = 0; /* which are missing */
    end_nodes (self);
    return continues;
}

/* Times are in whole milliseconds, and no two are the same. Other units than milliseconds, such as
 * instructions, only give an order. */
static void
add_dump (Reading *self, const Snapshot *snapshot)
{
    uint64_t time_ns =
        snapshot->time < UINT64_MAX / 2 / NS_PER_MS ? snapshot->time * NS_PER_MS : UINT64_MAX / 2;
    if (!self->is_in_ms)
        time_ns = (self->n_dumps + 1) * NS_PER_S;
    self->time_ns = MAX (time_ns, self->time_ns + NS_PER_MS);
    g_autofree char *name =
        snapshot->is_peak ? g_strdup_printf (_ ("snapshot %" PRIu64 " (peak)"), snapshot->number)
                          : g_strdup_printf (_ ("snapshot %" PRIu64), snapshot->number);
    self->n_dumps++;
    PvDump dump = {.name = name,
                   .time_ns = self->time_ns,
                   .is_main =
                       self->has_peak ? snapshot->is_peak : self->n_dumps == self->last_tree};
    pv_profile_builder_add_dump (self->builder, &dump);
}

/* The column of an event, which is added at its first snapshot; UINT32_MAX: there are too many. */
static uint32_t
get_event_column (Reading *self, PvText name, PvText meaning)
{
    for (uint32_t c = 0; c < self->n_columns; c++)
        if (pv_text_is_same (self->events[c], name))
            return c;
    if (self->n_columns == MAX_EVENTS)
        return UINT32_MAX;
    g_autofree char *text = pv_text_copy (name);
    pv_profile_builder_add_measure (self->builder, self->set, text,
                                    pv_text_names_bytes (meaning) ? PV_UNIT_BYTES : PV_UNIT_COUNT,
                                    PV_AGGREGATION_SUM);
    self->events[self->n_columns] = name;
    return self->n_columns++;
}

/* Columns come first, as samples have a weight of each. */
static void
add_event_columns (Reading *self)
{
    PvText text = self->text, name, meaning;
    Snapshot snapshot;
    self->set = pv_profile_builder_add_set (self->builder, "heap", false);
    pv_profile_builder_set_exact (self->builder, self->set);
    while (next_snapshot (self, &text, &snapshot, 1))
        if (peek_event (text, &name, &meaning))
            get_event_column (self, name, meaning);
}

static void
take_events (Reading *self)
{
    PvText name, meaning;
    Snapshot snapshot;
    bool continues = true;
    while (continues && next_snapshot (self, &self->text, &snapshot, 4)) {
        if (!peek_event (self->text, &name, &meaning))
            continue;
        self->column_of_amount[HEAP] = self->column_of_total =
            get_event_column (self, name, meaning);
        continues = take_tree (self);
    }
}

static void
take_snapshots (Reading *self)
{
    Snapshot snapshot;
    bool continues = true;
    while (continues && self->n_dumps < MAX_DUMPS &&
           next_snapshot (self, &self->text, &snapshot, 4)) {
        add_dump (self, &snapshot);
        PvLocationId overhead = get_place (self, &self->overhead, "[heap overhead]");
        PvLocationId stacks = get_place (self, &self->stacks, "[stacks]");
        add_sample (self, EXTRA, &overhead, 1, snapshot.amounts[EXTRA]);
        add_sample (self, STACKS, &stacks, 1, snapshot.amounts[STACKS]);
        if (snapshot.has_tree) {
            continues = take_tree (self);
        } else {
            PvLocationId unknown = get_place (self, &self->unknown_stacks, "[without call stacks]");
            add_sample (self, HEAP, &unknown, 1, snapshot.amounts[HEAP]);
        }
    }
}

/* --- the file --- */

static void
add_columns (Reading *self)
{
    uint32_t n_columns = 0;
    bool has_others = self->highest[EXTRA] > 0 || self->highest[STACKS] > 0;
    self->set = pv_profile_builder_add_set (self->builder, "heap", false);
    for (Amount a = HEAP; a < N_AMOUNTS; a++) {
        self->column_of_amount[a] = UINT32_MAX;
        if (self->highest[a] == 0 && (a != HEAP || has_others))
            continue;
        self->column_of_amount[a] = n_columns++;
        pv_profile_builder_add_measure (self->builder, self->set, names[a], PV_UNIT_BYTES,
                                        PV_AGGREGATION_STATE);
    }
    self->column_of_total = n_columns - 1;
    if (n_columns > 1) {
        self->column_of_total = n_columns;
        pv_profile_builder_add_measure (self->builder, self->set, "total", PV_UNIT_BYTES,
                                        PV_AGGREGATION_STATE);
    }
    pv_profile_builder_prefer_set (self->builder, self->set);
    pv_profile_builder_prefer_measure (self->builder, self->column_of_total);
}

static void
take_header (Reading *self)
{
    PvFacts *facts = pv_profile_builder_facts (self->builder);
    PvText text = self->text, line;
    while (pv_text_next_line (&text, &line) && pv_text_len (line) > 0 && *line.at != '#') {
        self->text = text;
        if (pv_text_take (&line, "cmd: "))
            facts->command = pv_text_keep (line, self->builder);
        else if (pv_text_take (&line, "desc: ") && !pv_text_equals (line, "(none)"))
            facts->comment = pv_text_keep (line, self->builder);
        else if (pv_text_take (&line, "time_unit: "))
            self->is_in_ms = pv_text_equals (line, "ms");
    }
}

static void
add_notes (Reading *self)
{
    if (self->n_bad_lines > 0) {
        pv_profile_builder_add_skipped (self->builder, self->n_bad_lines);
        pv_note_truncated (self->builder, _ ("The tree of a snapshot is not complete."));
    }
    if (self->n_trees > 0 && self->n_trees < self->n_snapshots)
        pv_note_info (
            self->builder,
            g_dngettext (GETTEXT_PACKAGE,
                         "%" PRIu64 " of %" PRIu64
                         " snapshot has call stacks. Of the others only the amounts are known. "
                         "More have them with massif’s option --detailed-freq.",
                         "%" PRIu64 " of %" PRIu64
                         " snapshots have call stacks. Of the others only the amounts are known. "
                         "More have them with massif’s option --detailed-freq.",
                         (gulong)self->n_snapshots),
            self->n_trees, self->n_snapshots);
    if (self->n_trees == 0 && self->n_snapshots > 0)
        pv_profile_builder_note (self->builder, PV_NOTE_INFO, PV_NOTE_NO_CALL_GRAPH, 0,
                                 _ ("No snapshot has call stacks."));
}

static bool
read_massif (PvMappedFile *file, const char *path, PvProfileBuilder *builder,
             const PvReadContext *context, GError **error)
{
    (void)path;
    const char *data = (const char *)pv_mapped_file_get_data (file);
    size_t size_bytes = pv_mapped_file_get_size (file);
    Reading self = {
        .builder = builder,
        .context = context,
        .text = {data, data + size_bytes},
        .start = data,
        .size_bytes = size_bytes,
    };
    take_header (&self);
    look (&self);
    pv_profile_builder_set_of_allocations (builder);
    if (self.n_events > 0 && self.n_events == self.n_snapshots) {
        add_event_columns (&self);
        take_events (&self);
    } else {
        add_columns (&self);
        pv_profile_builder_set_dump_times (builder, self.is_in_ms);
        take_snapshots (&self);
    }
    add_notes (&self);
    pv_hash_map_clear (&self.location_of_text);
    pv_hash_map_clear (&self.module_of_path);
    pv_array_clear (&self.nodes);
    pv_array_clear (&self.path);
    return !self.has_another || pv_reader_fail_several (error);
}

const PvReader pv_massif_reader = {
    .name = "massif",
    .media_type = "application/x-valgrind-massif",
    .profiles = "massif",
    .is_recording = true,
    .sniff = massif_sniff,
    .sniff_after_lines = massif_sniff,
    .read = read_massif,
};
