/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Folded stacks, as stackcollapse-*.pl and flamegraph.pl of Brendan Gregg's FlameGraph, inferno,
 * async-profiler and bpftrace's scripts have them: a line for each stack, outermost frame first,
 *   frame;frame;frame COUNT
 * or, made by difffolded.pl, two counts: before and after. A difference may be negative. Frames end
 * in "_[k]" (kernel), "_[j]" (JIT), "_[0]" (interpreted), "_[1]" (compiled by C1), "_[i]" (inlined
 * into the frame before) or "_[w]" (stack of the waker) if the tool knows.
 *
 * Lines are often sorted, so most of a stack is that of the line before: its bytes are compared,
 * and the frames of the common part are not looked at again.
 */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/model/profile/symbols.h"
#include "core/read/folded/folded-line.h"
#include "core/read/text/text-tasks.h"
#include "core/read/unpack/reader.h"

enum { LINES_PER_CHECK = 4096, N_KINDS = 6, MAX_COLUMNS = 5 };

#define MAX_COUNT ((uint64_t)INT64_MAX / 4)
/* Fractions of sums below are kept, as rounding would change shares by one in so many. */
#define MIN_ROUNDED_SUM 100u

/* The part of a line with one location: a frame, and the ones inlined into it. */
typedef struct {
    size_t end; /* of its bytes in the line, without the separator */
    PvStackId stack;
} Step;

/* The same before its stack is known. */
typedef struct {
    PvText text;
    PvHash hash;
} NewStep;

typedef struct {
    PvProfileBuilder *builder;
    const PvReadContext *context;
    PvText text; /* the part not read yet */
    const char *start;
    size_t size_bytes;

    /* Found out by a first look at all lines. */
    bool has_two_counts;
    bool has_negatives; /* then every count is a difference, of one side or the other */
    bool has_fractions;
    bool has_threads; /* every stack begins with one */
    bool is_shallow;  /* some have frames, but none has several */
    uint64_t sum;     /* of all counts, rounded down, or more than MIN_ROUNDED_SUM */
    uint32_t scale;   /* one of the file is so many: a power of ten */
    uint64_t n_stacks, n_bad_lines, n_lines;
    bool has_amounts; /* a stack has a count that is not 0 */

    uint32_t set;
    uint32_t carry[PV_N_SIDES]; /* of fractions, in billionths */
    PvModuleId modules[N_KINDS];
    PvHashMap locations; /* by the bytes of a step */
    PvHashMap threads;   /* by the bytes of a first frame */
    PvTextTasks tasks;
    PV_ARRAY (PvGivenFrame) frames;
    PV_ARRAY (Step) steps;    /* of the line before */
    PV_ARRAY (NewStep) ahead; /* of the line, beyond those that are in the one before */
    PvText before;            /* its stack */
    PvThreadId thread;
    uint64_t ordinal;
} Reading;

/* Where the first frame of a stack ends. */
static PvText
first_frame (PvText stack)
{
    const char *end = pv_text_find_char (stack, ';');
    return (PvText){stack.at, end != NULL ? end : stack.end};
}

static bool
has_no_frames (PvText stack)
{
    return pv_text_equals (stack, PV_NO_STACK);
}

/* --- first look --- */

static bool
may_continue (Reading *self, uint64_t done)
{
    if (++self->n_lines % LINES_PER_CHECK != 0)
        return true;
    pv_job_set_done (self->context->job, done);
    return !pv_job_is_cancelled (self->context->job);
}

static bool
is_count (FoldedNumber number)
{
    return number.whole > 0 || number.billionths > 0;
}

/* A power of ten that makes whole numbers of counts like this one, if scale did of those before. */
static uint32_t
refine_scale (uint32_t scale, FoldedNumber number)
{
    while (number.billionths % (FOLDED_BILLION / scale) != 0)
        scale *= 10;
    return scale;
}

static void
look_at_number (Reading *self, FoldedNumber number)
{
    if (self->sum < MIN_ROUNDED_SUM) {
        self->sum += MIN (number.whole, MIN_ROUNDED_SUM);
        self->scale = refine_scale (self->scale, number);
    }
}

static void
look (Reading *self)
{
    PvText text = self->text, line, name;
    int32_t pid, tid;
    bool has_one_count = false, has_frames = false;
    self->has_threads = self->is_shallow = true;
    self->scale = 1;
    while (pv_text_next_line (&text, &line) &&
           may_continue (self, (uint64_t)(text.at - self->start) / 4)) {
        FoldedLine parsed;
        if (!folded_parse_line (line, &parsed)) {
            self->n_bad_lines += !folded_is_remark (line);
            continue;
        }
        self->n_stacks++;
        has_one_count |= !parsed.has_before;
        self->has_negatives |= parsed.last.is_negative && is_count (parsed.last);
        self->has_fractions |= parsed.last.billionths > 0;
        look_at_number (self, parsed.last);
        if (parsed.has_before)
            look_at_number (self, parsed.before);
        if (has_no_frames (parsed.stack))
            continue;
        has_frames = true;
        self->is_shallow = self->is_shallow && pv_text_find_char (parsed.stack, ';') == NULL;
        self->has_threads = self->has_threads &&
                            folded_parse_thread (first_frame (parsed.stack), &name, &pid, &tid);
    }
    self->has_two_counts = self->n_stacks > 0 && !has_one_count;
    self->has_threads = self->has_threads && has_frames;
    self->is_shallow = self->is_shallow && has_frames;
    if (self->sum >= MIN_ROUNDED_SUM)
        self->scale = 1;
}

/* --- frames --- */

/* How a frame's name ends, and which module that makes it one of. */
static const struct {
    const char *mark;
    const char *module;
    PvModuleKind kind;
} kinds[N_KINDS] = {
    {"", "[unknown]", PV_MODULE_UNKNOWN},
    {"_[k]", "[kernel]", PV_MODULE_KERNEL},
    {"_[j]", "[jit]", PV_MODULE_JIT},
    {"_[w]", "[waker]", PV_MODULE_UNKNOWN},
    /* Methods of Java that were interpreted, or compiled in haste, are the same when they are
     * compiled well. */
    {"_[0]", "[jit]", PV_MODULE_JIT},
    {"_[1]", "[jit]", PV_MODULE_JIT},
};

/* Alone it is a name. */
static bool
has_mark (PvText frame, const char *mark)
{
    return pv_text_ends (frame, mark) && !pv_text_equals (frame, mark);
}

static bool
is_inlined (PvText frame)
{
    return has_mark (frame, "_[i]");
}

static size_t
find_kind (PvText frame)
{
    if (!pv_text_ends (frame, "]"))
        return 0;
    for (size_t k = 1; k < N_KINDS; k++)
        if (has_mark (frame, kinds[k].mark))
            return k;
    return 0;
}

/* The kind that has the module. */
static size_t
find_first_kind (size_t kind)
{
    size_t first = 0;
    while (strcmp (kinds[first].module, kinds[kind].module) != 0)
        first++;
    return first;
}

static PvModuleId
get_module (Reading *self, size_t kind)
{
    if (self->modules[kind] == 0) {
        PvModule module = {
            .path = "",
            .name = kinds[kind].module,
            .kind = kinds[kind].kind,
            .address_kind = PV_ADDRESS_ORDINAL,
            .is_kernel = kinds[kind].kind == PV_MODULE_KERNEL,
        };
        self->modules[kind] = pv_profile_builder_add_module (self->builder, &module);
    }
    return self->modules[kind];
}

/* "0x7f5a", "[unknown]", or "??" and "???" of other tools */
static bool
is_without_name (PvText name)
{
    static const char *const none[] = {"[unknown]", "??", "???"};
    for (size_t i = 0; i < G_N_ELEMENTS (none); i++)
        if (pv_text_equals (name, none[i]))
            return true;
    uint64_t address;
    return pv_text_take (&name, "0x") && pv_text_take_hex (&name, &address) && name.at == name.end;
}

static void
push_frame (Reading *self, PvText text)
{
    if (find_kind (text) > 0 || is_inlined (text))
        text.end -= strlen ("_[k]");
    PvGivenFrame frame = {
        .name = pv_text_keep (text, self->builder),
        .is_unknown = is_without_name (text),
    };
    pv_array_push (&self->frames, frame);
}

/* A frame, and those inlined into it, outermost first. */
static PvLocationId
add_location (Reading *self, PvText step)
{
    PvModuleId module = get_module (self, find_first_kind (find_kind (first_frame (step))));
    PvLocationId location =
        pv_profile_builder_add_location (self->builder, module, self->ordinal++, PV_LOCATION_NAMED);
    self->frames.len = 0;
    while (pv_text_len (step) > 0) {
        PvText frame = first_frame (step);
        if (pv_text_len (frame) > 0)
            push_frame (self, frame);
        step.at = frame.end < step.end ? frame.end + 1 : step.end;
    }
    for (size_t i = 0, n = self->frames.len; i < n / 2; i++) {
        PvGivenFrame other = self->frames.data[i];
        self->frames.data[i] = self->frames.data[n - 1 - i];
        self->frames.data[n - 1 - i] = other;
    }
    pv_profile_builder_give_frames (self->builder, location, self->frames.data,
                                    (uint32_t)self->frames.len);
    return location;
}

static PvLocationId
get_location (Reading *self, PvText text, PvHash hash)
{
    uint32_t *slot = pv_hash_map_slot (&self->locations, hash);
    if (*slot == 0)
        *slot = add_location (self, text);
    return *slot;
}

/* --- stacks --- */

static size_t
count_equal_bytes (PvText a, PvText b)
{
    size_t n = MIN (pv_text_len (a), pv_text_len (b)), i = 0;
    for (; i + sizeof (uint64_t) <= n; i += sizeof (uint64_t)) {
        uint64_t x, y;
        memcpy (&x, a.at + i, sizeof x);
        memcpy (&y, b.at + i, sizeof y);
        if (x != y)
            break;
    }
    while (i < n && a.at[i] == b.at[i])
        i++;
    return i;
}

/* Keeps the steps that this stack has in common with the one before. */
static void
keep_common (Reading *self, PvText stack)
{
    size_t n_equal = count_equal_bytes (stack, self->before), n = 0;
    while (n < self->steps.len && self->steps.data[n].end < n_equal)
        n++; /* with the separator after it */
    if (n > 0) {
        PvText next = first_frame ((PvText){stack.at + self->steps.data[n - 1].end + 1, stack.end});
        n -= is_inlined (next); /* belongs to that step, or it would be there */
    }
    self->steps.len = n;
}

/* Takes a frame, and those inlined into it. */
static PvText
next_step (PvText *rest)
{
    PvText step = first_frame (*rest);
    while (step.end < rest->end && pv_text_len (step) > 0) {
        PvText next = first_frame ((PvText){step.end + 1, rest->end});
        if (!is_inlined (next))
            break;
        step.end = next.end;
    }
    rest->at = step.end < rest->end ? step.end + 1 : rest->end;
    return step;
}

/* All steps are found first, so that the memory of their locations comes at the same time. */
static void
find_steps (Reading *self, PvText rest)
{
    self->ahead.len = 0;
    while (pv_text_len (rest) > 0) {
        PvText text = next_step (&rest);
        if (pv_text_len (text) == 0)
            continue;
        NewStep step = {text, pv_text_hash (text, 0)};
        pv_hash_map_prefetch (&self->locations, step.hash);
        pv_array_push (&self->ahead, step);
    }
}

static PvStackId
take_stack (Reading *self, PvText stack)
{
    keep_common (self, stack);
    size_t n = self->steps.len;
    PvText rest = {stack.at + (n > 0 ? self->steps.data[n - 1].end + 1 : 0), stack.end};
    PvStackId parent = n > 0 ? self->steps.data[n - 1].stack : 0;
    find_steps (self, rest);
    for (size_t i = 0; i < self->ahead.len; i++) {
        NewStep step = self->ahead.data[i];
        parent = pv_profile_builder_stack (self->builder, parent,
                                           get_location (self, step.text, step.hash));
        Step taken = {(size_t)(step.text.end - stack.at), parent};
        pv_array_push (&self->steps, taken);
    }
    self->before = stack;
    return parent;
}

/* --- threads --- */

static PvThreadId
add_thread (Reading *self, PvText frame)
{
    PvText text;
    int32_t pid, tid;
    if (!folded_parse_thread (frame, &text, &pid, &tid))
        return 0;
    return pv_text_tasks_get (&self->tasks, text, pid, tid);
}

static PvThreadId
get_thread (Reading *self, PvText stack)
{
    if (!self->has_threads)
        return 0;
    PvText frame = first_frame (stack);
    uint32_t *slot = pv_hash_map_slot (&self->threads, pv_text_hash (frame, 0));
    if (*slot == 0)
        *slot = add_thread (self, frame);
    return *slot;
}

/* --- samples --- */

/* Rounded so that the sum of all is right. Both sides of a sample have a sum. */
static uint64_t
round_count (Reading *self, PvSide side, FoldedNumber number)
{
    if (self->scale > 1)
        return number.whole * self->scale + number.billionths / (FOLDED_BILLION / self->scale);
    uint32_t carry = self->carry[side] + number.billionths;
    self->carry[side] = carry % FOLDED_BILLION;
    return MIN (number.whole, MAX_COUNT) + carry / FOLDED_BILLION;
}

/* Names the unit of a measure's amounts, as a number of the file. */
static void
name_unit (Reading *self, uint32_t column)
{
    g_autofree char *unit = pv_format_digits (1.0 / self->scale, 1);
    if (self->scale > 1)
        pv_profile_builder_name_unit (self->builder, self->set, column, unit);
}

static void
add_pair (Reading *self, const char *name, const char *const *suffixes, uint32_t n_columns)
{
    static const PvMeasurePart parts[] = {PV_PART_BOTH, PV_PART_SIDE, PV_PART_SIDE, PV_PART_SAMPLES,
                                          PV_PART_SAMPLES};
    static const PvSide sides[] = {PV_SIDE_NEW, PV_SIDE_BASE, PV_SIDE_NEW, PV_SIDE_BASE,
                                   PV_SIDE_NEW};
    uint32_t pair = pv_profile_builder_add_pair (self->builder);
    for (uint32_t c = 0; c < n_columns; c++) {
        g_autofree char *column_name = g_strconcat (name, suffixes[c], NULL);
        pv_profile_builder_add_measure (self->builder, self->set, column_name, PV_UNIT_COUNT,
                                        PV_AGGREGATION_SUM);
        name_unit (self, c);
        pv_profile_builder_set_part (self->builder, self->set, c, pair, parts[c], sides[c]);
    }
}

static void
add_columns (Reading *self)
{
    static const char *const suffixes[] = {"", "-base", "-new", "-base-samples", "-new-samples"};
    static const char *const signed_suffixes[] = {"", "-negative", "-positive"};
    /* Fractions are time or the like; whole numbers, samples. */
    const char *name = self->has_fractions ? "amount" : "samples";
    self->set = pv_profile_builder_add_set (self->builder, name, false);
    if (self->has_two_counts) {
        const PvCompared compared = {.name_of_side = {_ ("first count"), _ ("second count")}};
        add_pair (self, name, suffixes,
                  self->has_fractions ? MAX_COLUMNS - PV_N_SIDES : MAX_COLUMNS);
        pv_profile_builder_set_compared (self->builder, &compared);
    } else if (self->has_negatives) {
        add_pair (self, name, signed_suffixes, G_N_ELEMENTS (signed_suffixes));
    } else {
        pv_profile_builder_add_measure (self->builder, self->set, name, PV_UNIT_COUNT,
                                        PV_AGGREGATION_SUM);
        name_unit (self, 0);
    }
}

static void
take_line (Reading *self, const FoldedLine *line)
{
    PvText stack = line->stack;
    uint64_t last = 0, base = 0;
    if (line->last.is_negative)
        base = round_count (self, PV_SIDE_BASE, line->last);
    else
        last = round_count (self, PV_SIDE_NEW, line->last);
    if (self->has_two_counts) {
        stack.end = line->stack_end_before;
        base = round_count (self, PV_SIDE_BASE, line->before);
    }
    PvNewSample sample = {
        .stack = has_no_frames (stack) ? 0 : take_stack (self, stack),
        .thread = get_thread (self, stack),
        .cpu = PV_CPU_UNKNOWN,
        .stack_end = PV_STACK_END_UNKNOWN,
    };
    uint64_t weights[MAX_COLUMNS] = {last};
    if (self->has_two_counts || self->has_negatives) {
        const uint64_t parts[MAX_COLUMNS] = {base + last, base, last, base, last};
        memcpy (weights, parts, sizeof weights);
    }
    if (weights[0] == 0)
        return;
    self->has_amounts = true;
    pv_profile_builder_add_sample (self->builder, self->set, &sample, weights);
}

static bool
has_memory (Reading *self)
{
    if (self->n_lines % LINES_PER_CHECK != 0)
        return true;
    return pv_reader_has_memory (self->builder, self->context, self->size_bytes,
                                 (uint64_t)self->locations.mask * sizeof (PvHashSlot));
}

static void
take_lines (Reading *self)
{
    PvText line;
    while (pv_text_next_line (&self->text, &line)) {
        uint64_t done = self->size_bytes / 4 + (uint64_t)(self->text.at - self->start) / 4 * 3;
        FoldedLine parsed;
        if (!may_continue (self, done) || !has_memory (self))
            return;
        if (folded_parse_line (line, &parsed))
            take_line (self, &parsed);
    }
}

/* --- the file --- */

static void
add_notes (Reading *self)
{
    pv_reader_note_bad_lines (self->builder, self->n_bad_lines);
    if (!self->has_amounts && self->n_stacks > 0)
        pv_note_nothing (
            self->builder,
            _ ("The counts of all stacks in the file are 0. The number at the end of a "
               "line is the count; maybe the program that wrote the file counted "
               "something else."));
    if (self->scale > 1) {
        pv_profile_builder_note_fractions (self->builder, self->scale);
    } else if (self->has_fractions) {
        pv_note_info (self->builder, _ ("The numbers have fractions. They are shown as whole "
                                        "numbers, rounded so that their sum is right."));
    }
    if (self->is_shallow)
        pv_note_info (self->builder,
                      _ ("No line has a “;”, so every stack is taken for a single frame."));
}

static bool
read_folded (PvMappedFile *file, const char *path, PvProfileBuilder *builder,
             const PvReadContext *context, GError **error)
{
    (void)path;
    (void)error;
    const char *data = (const char *)pv_mapped_file_get_data (file);
    size_t size_bytes = pv_mapped_file_get_size (file);
    Reading self = {
        .builder = builder,
        .context = context,
        .text = {data, data + size_bytes},
        .start = data,
        .size_bytes = size_bytes,
        .carry = {FOLDED_BILLION / 2, FOLDED_BILLION / 2},
    };
    pv_text_tasks_init (&self.tasks, builder, false);
    pv_text_take (&self.text, "\xef\xbb\xbf");
    look (&self);
    add_columns (&self);
    take_lines (&self);
    add_notes (&self);
    pv_hash_map_clear (&self.locations);
    pv_hash_map_clear (&self.threads);
    pv_text_tasks_clear (&self.tasks);
    pv_array_clear (&self.frames);
    pv_array_clear (&self.steps);
    pv_array_clear (&self.ahead);
    return true;
}

const PvReader pv_folded_reader = {
    .name = "folded stacks",
    .media_type = "application/x-folded-stacks",
    .others = N_ ("folded stacks"),
    .sniff = folded_sniff,
    .sniff_after_lines = folded_sniff_all,
    .read = read_folded,
};
