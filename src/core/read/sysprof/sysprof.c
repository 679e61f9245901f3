/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Captures of Sysprof, and of what is traced with its library: samples, allocations, marks and
 * counters of all processes in one file, with what they had mapped. The file is not in order: it is
 * walked once for what must be known first, and then in the order of time.
 *
 * A capture also has command lines of all processes, environments, mounts and the name of the
 * machine. These are not looked at, or only for the names of programs.
 */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/error.h"
#include "core/read/sysprof/sysprof-counters.h"
#include "core/read/sysprof/sysprof-files.h"
#include "core/read/sysprof/sysprof-sets.h"
#include "core/read/unpack/reader.h"

enum {
    VERSION_OFFSET = 4,
    TIME_OFFSET = 8,
    TIME_BYTES = 64,
    FRAMES_PER_CHECK = 4096,
};

typedef struct {
    uint64_t time_ns;
    size_t at; /* of a frame */
} Event;

typedef struct {
    PvProfileBuilder *builder;
    const PvReadContext *context;
    SysprofCapture capture;
    SysprofSymbols symbols;
    SysprofFiles files;
    SysprofPlaces places;
    SysprofSets sets;
    SysprofCounters counters;
    PV_ARRAY (Event) events; /* frames to read in the order of time */
    uint64_t n_of_type[SYSPROF_N_TYPES];
    uint64_t n_damaged;
    size_t end; /* of the frames that can be read */
    bool is_full;
} Reading;

/* --- the first walk --- */

/* True if at most 1 / part of the memory that is allowed for the file is in use. */
static bool
has_memory (Reading *self, unsigned part)
{
    uint64_t used_bytes =
        pv_profile_builder_count_bytes (self->builder) +
        sysprof_symbols_count_bytes (&self->symbols) + sysprof_files_count_bytes (&self->files) +
        sysprof_places_count_bytes (&self->places) + sysprof_sets_count_bytes (&self->sets) +
        sysprof_counters_count_bytes (&self->counters) + self->events.cap * sizeof (Event);
    uint64_t max_bytes = pv_budget_get_bytes (&self->context->budget, self->capture.size_bytes);
    bool is_fine = used_bytes <= max_bytes / part;
    self->is_full |= !is_fine;
    return is_fine;
}

static bool
go_on (Reading *self, uint64_t n_done, unsigned part)
{
    return n_done % FRAMES_PER_CHECK != 0 ||
           (!pv_job_is_cancelled (self->context->job) && has_memory (self, part));
}

/* Takes only metadata that say nothing about the person who recorded. */
static void
take_metadata (Reading *self, const SysprofFrame *frame)
{
    PvFacts *facts = pv_profile_builder_facts (self->builder);
    SysprofMetadata metadata;
    if (!sysprof_take_metadata (frame, &metadata)) {
        self->n_damaged++;
        return;
    }
    if (pv_text_equals (metadata.id, "org.gnome.sysprof.version")) {
        g_autofree char *recorder =
            g_strdup_printf ("Sysprof %.*s", (int)pv_text_len (metadata.text), metadata.text.at);
        facts->recorder = pv_profile_builder_string (self->builder, recorder);
    } else if (pv_text_equals (metadata.id, "uname.release")) {
        facts->kernel_release = pv_text_keep (metadata.text, self->builder);
    } else if (pv_text_equals (metadata.id, "uname.machine")) {
        facts->arch = pv_text_keep (metadata.text, self->builder);
    } else if (pv_text_equals (metadata.id, "n-cpu")) {
        uint64_t n_cpus = 0;
        pv_text_take_number (&metadata.text, &n_cpus);
        facts->n_cpus = (uint32_t)MIN (n_cpus, UINT16_MAX);
    }
}

static void
take_first (Reading *self, const SysprofFrame *frame)
{
    SysprofChunk chunk;
    Event event = {frame->time_ns, frame->at};
    if (frame->type < SYSPROF_N_TYPES)
        self->n_of_type[frame->type]++;
    switch (frame->type) {
    case SYSPROF_SAMPLE:
    case SYSPROF_MAP:
    case SYSPROF_PROCESS:
    case SYSPROF_FORK:
    case SYSPROF_EXIT:
    case SYSPROF_MARK:
    case SYSPROF_LOG:
    case SYSPROF_ALLOCATION:
        pv_array_push (&self->events, event);
        break;
    case SYSPROF_JITMAP:
        sysprof_symbols_add_jit (&self->symbols, frame);
        break;
    case SYSPROF_COUNTER_DEFINITION:
        self->n_damaged += !sysprof_counters_define (&self->counters, &self->capture, frame);
        break;
    case SYSPROF_COUNTER_VALUES:
        self->n_damaged += !sysprof_counters_add_values (&self->counters, frame);
        break;
    case SYSPROF_METADATA:
        take_metadata (self, frame);
        break;
    case SYSPROF_FILE_CHUNK:
        if (sysprof_take_chunk (&self->capture, frame, &chunk))
            sysprof_files_add (&self->files, &chunk);
        else
            self->n_damaged++;
        break;
    default: /* traces, and what is newer than this */
        break;
    }
}

static void
walk_all (Reading *self)
{
    SysprofFrame frame;
    size_t at = SYSPROF_HEADER_BYTES;
    /* The rest is for what is made of it. */
    for (uint64_t n = 1; go_on (self, n, 2) && sysprof_next_frame (&self->capture, &at, &frame);
         n++) {
        take_first (self, &frame);
        if (n % FRAMES_PER_CHECK == 0)
            pv_job_set_done (self->context->job, at / 2);
    }
    self->end = at;
}

static int
compare_events (const void *a_, const void *b_)
{
    const Event *a = a_, *b = b_;
    return pv_order (a->time_ns, b->time_ns) ?: pv_order (a->at, b->at);
}

static void
sort_events (Reading *self)
{
    for (size_t i = 1; i < self->events.len; i++)
        if (self->events.data[i].time_ns < self->events.data[i - 1].time_ns) {
            pv_array_sort (&self->events, compare_events);
            return;
        }
}

/* --- embedded files --- */

/* The first processor: "model name	: AMD Ryzen 7". */
static void
take_cpuinfo (Reading *self, const uint8_t *data, size_t size_bytes)
{
    static const char key[] = "model name";
    g_autofree char *text = g_strndup ((const char *)data, size_bytes);
    const char *line = strstr (text, key);
    const char *colon = line != NULL ? strchr (line, ':') : NULL;
    if (colon == NULL)
        return;
    g_autofree char *model = g_strndup (colon + 1, strcspn (colon + 1, "\n"));
    pv_profile_builder_facts (self->builder)->cpu =
        pv_profile_builder_string (self->builder, g_strstrip (model));
}

static void
take_files (Reading *self)
{
    for (size_t i = 0; i < self->files.files.len && has_memory (self, 1); i++) {
        SysprofFile *file = &self->files.files.data[i];
        size_t size_bytes;
        self->symbols.is_damaged |= !file->is_complete && file->kind != SYSPROF_FILE_CPUINFO;
        uint8_t *data = sysprof_file_take (file, &size_bytes);
        if (data == NULL)
            continue;
        if (file->kind == SYSPROF_FILE_SYMBOLS) {
            sysprof_symbols_add_table (&self->symbols, data, size_bytes, self->capture.swap);
        } else if (file->kind == SYSPROF_FILE_KALLSYMS) {
            sysprof_symbols_add_kallsyms (&self->symbols, data, size_bytes);
        } else {
            take_cpuinfo (self, data, size_bytes);
            g_free (data);
        }
    }
    sysprof_symbols_sort (&self->symbols);
}

/* --- the walk in the order of time --- */

static SysprofFrame
get_frame (const Reading *self, size_t i)
{
    SysprofFrame frame = {0};
    size_t at = self->events.data[i].at;
    /* It was a good one before; if the file became shorter, it is one of type 0. */
    sysprof_next_frame (&self->capture, &at, &frame);
    return frame;
}

/* Takes the mappings and allocations of all times, which are needed before the first sample. */
static void
expect_events (Reading *self)
{
    for (size_t i = 0; i < self->events.len && go_on (self, i, 1); i++) {
        SysprofFrame frame = get_frame (self, i);
        SysprofMap map;
        SysprofAllocation allocation;
        if (frame.type == SYSPROF_MAP && sysprof_take_map (&frame, &map))
            sysprof_places_expect_map (&self->places, frame.pid, &map);
        else if (frame.type == SYSPROF_ALLOCATION && sysprof_take_allocation (&frame, &allocation))
            sysprof_sets_expect_allocation (&self->sets, &frame, &allocation);
    }
}

/* Takes the recorder's own message, "Lost 12 samples". False: it is another message. */
static bool
take_lost (Reading *self, const SysprofFrame *frame, const SysprofLog *log)
{
    PvText message = log->message;
    uint64_t n_lost;
    if (!pv_text_equals (log->domain, "Sampler") || !pv_text_take (&message, "Lost ") ||
        !pv_text_take_number (&message, &n_lost) || n_lost == 0 || n_lost > UINT32_MAX)
        return false;
    pv_profile_builder_add_lost (self->builder, frame->time_ns, n_lost);
    return true;
}

/* False: the frame is damaged. */
static bool
take_event (Reading *self, const SysprofFrame *frame)
{
    SysprofStack stack;
    SysprofMap map;
    SysprofAllocation allocation;
    SysprofMark mark;
    SysprofLog log;
    int32_t child;
    switch (frame->type) {
    case SYSPROF_SAMPLE:
        if (!sysprof_take_sample (frame, &stack))
            return false;
        sysprof_sets_add_sample (&self->sets, frame, &stack);
        return true;
    case SYSPROF_MAP:
        if (!sysprof_take_map (frame, &map))
            return false;
        sysprof_places_add_map (&self->places, frame->pid, &map);
        return true;
    case SYSPROF_PROCESS:
        sysprof_places_name_process (&self->places, frame->pid, sysprof_take_process (frame));
        return true;
    case SYSPROF_FORK:
        if (!sysprof_take_fork (frame, &child))
            return false;
        sysprof_places_fork (&self->places, frame->pid, child, frame->time_ns);
        return true;
    case SYSPROF_EXIT:
        sysprof_places_exit (&self->places, frame->pid, frame->time_ns);
        return true;
    case SYSPROF_MARK:
        if (!sysprof_take_mark (frame, &mark))
            return false;
        sysprof_sets_add_mark (&self->sets, frame, &mark);
        return true;
    case SYSPROF_LOG:
        if (!sysprof_take_log (frame, &log))
            return false;
        if (!take_lost (self, frame, &log))
            sysprof_sets_add_log (&self->sets, frame, &log);
        return true;
    case SYSPROF_ALLOCATION:
        if (!sysprof_take_allocation (frame, &allocation))
            return false;
        sysprof_sets_add_allocation (&self->sets, frame, &allocation);
        return true;
    default:
        return false;
    }
}

static void
take_events (Reading *self)
{
    size_t size_bytes = self->capture.size_bytes;
    for (size_t i = 0; i < self->events.len && go_on (self, i, 1); i++) {
        SysprofFrame frame = get_frame (self, i);
        self->n_damaged += !take_event (self, &frame);
        if (i % FRAMES_PER_CHECK == 0)
            pv_job_set_done (self->context->job,
                             size_bytes / 2 + (uint64_t)((double)i / (double)self->events.len *
                                                         ((double)size_bytes / 2)));
    }
}

/* --- facts and notes --- */

static void
add_facts (Reading *self)
{
    if (self->capture.size_bytes < TIME_OFFSET + TIME_BYTES)
        return;
    g_autofree char *time = g_strndup ((const char *)self->capture.data + TIME_OFFSET, TIME_BYTES);
    g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
    g_autoptr (GDateTime) date = g_date_time_new_from_iso8601 (time, utc);
    if (date != NULL)
        pv_profile_builder_facts (self->builder)->recorded_at = MAX (g_date_time_to_unix (date), 0);
}

static unsigned
count (const Reading *self, SysprofType type)
{
    return (unsigned)MIN (self->n_of_type[type], G_MAXUINT);
}

static void
note_left_out (Reading *self)
{
    PvProfileBuilder *builder = self->builder;
    unsigned n_counters = (unsigned)MIN (self->counters.n_left_out, G_MAXUINT);
    unsigned n_calls = count (self, SYSPROF_TRACE);
    unsigned n_messages = count (self, SYSPROF_DBUS_MESSAGE);
    if (n_counters > 0)
        pv_note_info (
            builder,
            g_dngettext (
                GETTEXT_PACKAGE, "%u counter of the capture (such as CPU or memory) is not shown.",
                "%u counters of the capture (such as CPU or memory) are not shown.", n_counters),
            n_counters);
    if (n_calls > 0)
        pv_note_info (builder,
                      g_dngettext (GETTEXT_PACKAGE,
                                   "%u record of a traced (not sampled) function is not shown.",
                                   "%u records of traced (not sampled) functions are not shown.",
                                   n_calls),
                      n_calls);
    if (n_messages > 0)
        pv_note_info (builder,
                      g_dngettext (GETTEXT_PACKAGE, "%u D-Bus message is not shown.",
                                   "%u D-Bus messages are not shown.", n_messages),
                      n_messages);
}

static void
note_problems (Reading *self)
{
    PvProfileBuilder *builder = self->builder;
    unsigned version = self->capture.data[VERSION_OFFSET];
    if (version != SYSPROF_VERSION)
        pv_note_warning (builder,
                         _ ("The capture is of version %u of its format; Profview knows version "
                            "%d. Something may be missing or wrong."),
                         version, SYSPROF_VERSION);
    if (self->is_full)
        pv_reader_note_out_of_memory (builder);
    else if (sysprof_has_magic (self->capture.data + self->end,
                                self->capture.size_bytes - self->end))
        pv_reader_note_several (builder);
    else if (self->end < self->capture.size_bytes)
        pv_note_truncated (
            builder,
            _ ("The capture is cut off or damaged. Everything up to that point is shown."));
    pv_profile_builder_add_skipped (builder, self->n_damaged);
    if (self->symbols.is_damaged)
        pv_note_warning (builder,
                         _ ("The names in the capture are damaged. Some functions may have none."));
    unsigned n_frees = (unsigned)MIN (self->sets.n_unknown_frees, G_MAXUINT);
    if (n_frees > 0)
        pv_note_info (
            builder,
            g_dngettext (GETTEXT_PACKAGE,
                         "%u block was freed that is not among the allocations in the capture.",
                         "%u blocks were freed that are not among the allocations in the capture.",
                         n_frees),
            n_frees);
}

static void
note_empty (Reading *self)
{
    const SysprofSets *sets = &self->sets;
    if (self->n_of_type[SYSPROF_SAMPLE] > 0 || sets->allocations.exists)
        return;
    if (sets->marks.exists)
        pv_note_info (
            self->builder,
            _ ("The capture has no samples, only marks: they are in Marks on the page Timeline."));
    else if (self->counters.n_samples > 0)
        pv_note_info (
            self->builder,
            _ ("The capture has no samples, only counters: profview --print=counters lists them."));
    else
        pv_note_nothing (self->builder,
                         _ ("The capture contains no samples, allocations or marks. Perhaps the "
                            "recorder had no permission, or was stopped before it wrote any."));
}

/* --- the file --- */

static void
clear (Reading *self)
{
    sysprof_counters_clear (&self->counters);
    sysprof_sets_clear (&self->sets);
    sysprof_places_clear (&self->places);
    sysprof_symbols_clear (&self->symbols);
    sysprof_files_clear (&self->files);
    pv_array_clear (&self->events);
}

static bool
read_sysprof (PvMappedFile *file, const char *path, PvProfileBuilder *builder,
              const PvReadContext *context, GError **error)
{
    (void)path;
    const uint8_t *data = pv_mapped_file_get_data (file);
    size_t size_bytes = pv_mapped_file_get_size (file);
    if (!sysprof_has_magic (data, size_bytes) || size_bytes < SYSPROF_HEADER_BYTES)
        return pv_read_fail (error, PV_READ_ERROR_CORRUPT, _ ("The file ends within its header"));
    Reading self = {.builder = builder, .context = context};
    self.capture = sysprof_capture (data, size_bytes);
    sysprof_places_init (&self.places, builder, &self.symbols);
    sysprof_sets_init (&self.sets, builder, &self.places);
    add_facts (&self);
    walk_all (&self);
    take_files (&self);
    sort_events (&self);
    expect_events (&self);
    take_events (&self);
    sysprof_counters_finish (&self.counters, &self.places);
    sysprof_places_finish (&self.places);
    sysprof_sets_finish (&self.sets);
    note_problems (&self);
    note_left_out (&self);
    note_empty (&self);
    clear (&self);
    return true;
}

const PvReader pv_sysprof_reader = {
    .name = "Sysprof",
    .media_type = "application/x-sysprof-capture",
    .recordings = "Sysprof",
    .is_recording = true,
    .sniff = sysprof_has_magic,
    .sniff_after_lines = sysprof_has_magic,
    .read = read_sysprof,
};
