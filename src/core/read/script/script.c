/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text of perf script: a header for each sample, its frames, leaf first, and an empty line:
 *   COMM PID/TID [CPU] SECONDS: PERIOD EVENT:
 *       ADDRESS SYMBOL+OFFSET (MODULE)
 * Most parts may be missing, even the whole header. Without call stacks, the frame is at the end of
 * the header, and there are no empty lines; blanks before the name of the program then make a
 * header look like a frame. Before all samples there may be a description of the recording, in
 * lines that begin with "#".
 */
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/read/script/script-frames.h"
#include "core/read/script/script-text.h"
#include "core/read/text/text-tasks.h"
#include "core/read/unpack/reader.h"

#define LINES_PER_CHECK 4096u
#define MAX_WEIGHT      ((uint64_t)INT64_MAX / 4)
#define MAX_EVENTS      1024u
#define MAX_ERRORS      4u /* different messages in a note */

typedef struct {
    PvProfileBuilder *builder;
    const PvReadContext *context;
    PvText text; /* the part not read yet */
    const char *start;
    size_t size_bytes;
    ScriptLayout layout;
    uint64_t n_lines, n_bad_lines;
    uint64_t n_errors; /* of decoding a hardware trace */
    GPtrArray *errors; /* their messages, each once */
    GString *events;   /* for the summary */

    ScriptFrames frames;
    PvTextTasks tasks;
    PvThreadId last_thread;
    GHashTable *comms;
    PvHashMap sets;    /* by event; number + 1 */
    PvText last_event; /* of the header before ... */
    uint32_t last_set; /* ... and its set + 1 */
    uint32_t n_sets;
    bool has_preferred;
    bool has_lines_of_set[MAX_EVENTS]; /* its samples have frames in lines of their own */

    bool has_sample; /* a header was read, and its sample is not complete */
    bool is_flat;    /* the header has the frame */
    bool has_lines;  /* frames are in lines of their own */
    PvNewSample sample;
    uint32_t set;
    uint64_t weight;
    uint64_t n_samples, n_stacks;
} Reading;

/* --- the description --- */

/* "# hostname : shop" */
static bool
get_fact (PvText line, const char *key, PvText *ret_value)
{
    if (!pv_text_take (&line, "#") || !pv_text_take_next (&line, key) ||
        !pv_text_take_next (&line, ":"))
        return false;
    *ret_value = pv_text_trim (line);
    return true;
}

static uint64_t
get_number_after (PvText text, const char *key)
{
    const char *at = pv_text_find (text, key);
    uint64_t number = 0;
    text.at = at != NULL ? at + strlen (key) : text.end;
    pv_text_take_number (&text, &number);
    return MIN (number, UINT32_MAX);
}

/* "name = cycles:u, , id = { 5, 6 }, ... { sample_period, sample_freq } = 4000, ... freq = 1, ..."
 */
static void
take_event_fact (Reading *self, PvText value)
{
    if (!pv_text_take (&value, "name = ") || self->events->len > 4096)
        return;
    const char *end = pv_text_find (value, ", ");
    PvText name = {value.at, end != NULL ? end : value.end};
    uint64_t period = get_number_after (value, "sample_freq } = ");
    if (pv_text_begins (name, "dummy"))
        return;
    if (self->events->len > 0)
        g_string_append (self->events, ", ");
    g_string_append_len (self->events, name.at, (gssize)pv_text_len (name));
    if (get_number_after (value, ", freq = ") == 1)
        g_string_append_printf (self->events, " at %" G_GUINT64_FORMAT " Hz", period);
    else if (period > 1)
        g_string_append_printf (self->events, " every %" G_GUINT64_FORMAT, period);
}

static void
take_fact (Reading *self, PvText line)
{
    PvFacts *facts = pv_profile_builder_facts (self->builder);
    const struct {
        const char *key;
        const char **fact;
    } texts[] = {
        {"hostname", &facts->host}, {"os release", &facts->kernel_release}, {"arch", &facts->arch},
        {"cpudesc", &facts->cpu},   {"cmdline", &facts->command},
    };
    PvText value;
    for (size_t i = 0; i < G_N_ELEMENTS (texts); i++)
        if (get_fact (line, texts[i].key, &value) && pv_text_len (value) > 0)
            *texts[i].fact = pv_text_keep (value, self->builder);
    if (get_fact (line, "perf version", &value)) {
        g_autofree char *recorder =
            g_strdup_printf ("perf %.*s", (int)MIN (pv_text_len (value), 256), value.at);
        facts->recorder = pv_profile_builder_string (self->builder, recorder);
    } else if (get_fact (line, "nrcpus online", &value)) {
        facts->n_cpus = (uint32_t)MIN (get_number_after (value, ""), UINT16_MAX);
    } else if (get_fact (line, "total memory", &value)) {
        facts->memory_bytes = get_number_after (value, "") * 1024;
    } else if (get_fact (line, "event", &value)) {
        take_event_fact (self, value);
    }
}

/* --- threads --- */

static PvThreadId
get_thread (Reading *self, const ScriptHeader *header)
{
    if (pv_text_len (header->task) == 0)
        return 0;
    PvThreadId thread = pv_text_tasks_get (&self->tasks, header->comm, header->pid, header->tid);
    if (G_UNLIKELY (thread > self->last_thread)) {
        self->last_thread = thread;
        g_hash_table_add (self->comms, pv_text_copy (header->comm));
    }
    return thread;
}

/* --- events --- */

static bool
is_clock (PvText event)
{
    return pv_text_begins (event, "cpu-clock") || pv_text_begins (event, "task-clock");
}

/* "sched:sched_switch"; but "cycles:u" is an event with modifiers. */
static bool
is_tracepoint (PvText event)
{
    const char *colon = pv_text_find_char (event, ':');
    if (colon == NULL || pv_text_find_char (event, '/') != NULL)
        return false;
    for (colon++; colon < event.end; colon++)
        if (strchr ("ukhGHpPSDIWeb", *colon) == NULL)
            return true;
    return false;
}

/* Without periods, samples are counted, not what they stand for. */
static uint32_t
add_set (Reading *self, const ScriptHeader *header)
{
    PvText event = header->event;
    g_autofree char *name = pv_text_copy (event);
    bool is_samples = !header->has_period && !is_tracepoint (event);
    g_autofree char *full_name =
        is_samples ? g_strconcat (name, " samples", NULL) : g_strdup (name);
    const char *unnamed = header->has_period ? "events" : "samples";
    uint32_t set =
        pv_profile_builder_add_set (self->builder, name[0] != '\0' ? full_name : unnamed, false);
    bool is_time = is_clock (event) && header->has_period;
    pv_profile_builder_add_measure (self->builder, set, NULL, is_time ? PV_UNIT_NS : PV_UNIT_COUNT,
                                    PV_AGGREGATION_SUM);
    return set;
}

/* Events that measure CPU time come first, whatever their order in the file. */
static void
prefer_cpu_time (Reading *self, PvText event, uint32_t set)
{
    bool is_cycles = pv_text_find (event, "cycles") != NULL;
    if (self->has_preferred || !(is_clock (event) || is_cycles))
        return;
    self->has_preferred = true;
    pv_profile_builder_prefer_set (self->builder, set);
}

/* The event's set; false if there are too many events. */
static bool
find_set (Reading *self, const ScriptHeader *header, uint32_t *ret_set)
{
    PvText event = header->event, last = self->last_event;
    if (self->last_set == 0 || !pv_text_is_same (event, last)) {
        uint32_t *slot = pv_hash_map_slot (&self->sets, pv_text_hash (event, 0));
        if (*slot == 0 && self->n_sets < MAX_EVENTS) {
            *slot = add_set (self, header) + 1;
            prefer_cpu_time (self, event, *slot - 1);
            self->n_sets++;
        } else if (*slot == 0) {
            *slot = UINT32_MAX; /* one too many */
        }
        self->last_event = event;
        self->last_set = *slot;
    }
    *ret_set = self->last_set - 1;
    return self->last_set != UINT32_MAX;
}

/* --- samples --- */

static void
end_sample (Reading *self)
{
    if (!self->has_sample)
        return;
    PvStackEnd end;
    self->sample.stack = script_frames_end (&self->frames, &end);
    self->sample.stack_end = (uint8_t)(self->has_lines ? end : PV_STACK_END_NOT_RECORDED);
    pv_profile_builder_add_sample (self->builder, self->set, &self->sample, &self->weight);
    self->n_samples++;
    self->n_stacks += self->has_lines;
    self->has_sample = false;
    self->has_lines &= !self->layout.has_no_headers;
}

/* Begins the next sample. frame: its only one, in the same line; NULL: none, or in lines below. */
static void
begin_sample (Reading *self, const ScriptHeader *header, const PvText *frame)
{
    end_sample (self);
    if (!find_set (self, header, &self->set)) {
        self->n_bad_lines++;
        return;
    }
    self->sample = (PvNewSample){
        .time_ns = header->time_ns,
        .thread = get_thread (self, header),
        .cpu = header->cpu >= 0 ? (uint16_t)header->cpu : PV_CPU_UNKNOWN,
    };
    self->weight = header->has_period ? MIN (header->period, MAX_WEIGHT) : 1;
    self->has_sample = true;
    self->has_lines = false;
    script_frames_begin (&self->frames);
    self->is_flat = frame != NULL;
    if (self->is_flat)
        script_frames_take_only (&self->frames, *frame);
}

/* True for a header of something else: of records that perf prints with --show-mmap-events and the
 * like, of metrics, and of parts of stacks that belong to earlier samples. */
static bool
is_other_header (const ScriptHeader *header)
{
    PvText event = header->event;
    return pv_text_begins (event, "PERF_RECORD_") || pv_text_equals (event, "DEFERRED") ||
           (pv_text_equals (event, "metric") && event.at[-1] == '\t');
}

static void
take_header (Reading *self, const ScriptHeader *header)
{
    PvText frame;
    end_sample (self);
    if (is_other_header (header))
        return;
    uint32_t set = self->last_set - 1;
    bool has_lines = self->last_set != 0 && set < MAX_EVENTS && self->has_lines_of_set[set] &&
                     pv_text_is_same (header->event, self->last_event);
    bool is_flat = !has_lines && script_find_frame (header->rest, &frame);
    begin_sample (self, header, is_flat ? &frame : NULL);
}

/* Takes a header with a frame behind it of a text whose headers have little in them. False: it is
 * not one. */
static bool
take_flat_header (Reading *self, PvText line)
{
    ScriptHeader header;
    PvText frame;
    if (!self->layout.has_some_headers || self->layout.has_gaps || self->frames.has_tabs ||
        *line.at == '\t' || !script_find_frame (line, &frame))
        return false;
    script_parse_some_header ((PvText){line.at, frame.at}, &header);
    begin_sample (self, &header, &frame);
    return true;
}

/* Takes a header in a line of its own of such a text. */
static bool
take_some_header (Reading *self, PvText line)
{
    ScriptHeader header;
    if (self->has_sample || *line.at == '\t')
        return false;
    script_parse_some_header (line, &header);
    if (!is_other_header (&header))
        begin_sample (self, &header, NULL);
    return true;
}

/* Takes a frame of a text without headers, where each line may be a sample. */
static bool
take_bare_frame (Reading *self, PvText line)
{
    ScriptHeader none = {.task = {line.at, line.at}, .pid = -1, .tid = -1, .cpu = -1};
    PvText frame;
    bool is_flat = !self->layout.has_gaps && *line.at != '\t';
    none.comm = none.event = none.task;
    if (!self->layout.has_no_headers || !script_is_usual_frame (line))
        return false;
    if (is_flat && !script_find_frame (line, &frame))
        frame = pv_text_trim (line);
    if (is_flat || !self->has_sample)
        begin_sample (self, &none, is_flat ? &frame : NULL);
    self->has_lines = !is_flat;
    return is_flat || script_frames_take (&self->frames, line);
}

/* Takes a line below a header. False: it is not one of the sample's. */
static bool
take_frame_line (Reading *self, PvText line)
{
    if (!self->has_sample || !pv_text_is_blank (*line.at))
        return false;
    /* The number in the header was another field than the frame. */
    if (self->is_flat && script_is_usual_frame (line)) {
        script_frames_begin (&self->frames);
        self->is_flat = false;
    }
    if (!script_frames_take (&self->frames, line))
        return false;
    self->has_lines = !self->is_flat;
    if (self->has_lines && self->set < MAX_EVENTS)
        self->has_lines_of_set[self->set] = true;
    return true;
}

static void
take_error (Reading *self, const ScriptError *error)
{
    g_autofree char *message = pv_text_copy (error->message);
    self->n_errors++;
    if (self->errors->len < MAX_ERRORS && message[0] != '\0' &&
        !g_ptr_array_find_with_equal_func (self->errors, message, g_str_equal, NULL))
        g_ptr_array_add (self->errors, g_steal_pointer (&message));
}

/* True if the next line is a frame, so that this one is a header. */
static bool
is_before_frame (const Reading *self)
{
    PvText rest = self->text, next;
    return pv_text_next_line (&rest, &next) && pv_text_begins (next, "\t") &&
           script_is_usual_frame (next);
}

/* Takes a line that is neither a header nor a frame. */
static void
take_other_line (Reading *self, PvText line)
{
    ScriptError error;
    if (*line.at == '#') {
        take_fact (self, line);
    } else if (pv_text_len (pv_text_trim (line)) == 0) {
        end_sample (self);
    } else if (script_parse_error (line, &error)) {
        take_error (self, &error);
    } else if (script_is_record (line)) {
        end_sample (self);
    } else if (self->layout.has_some_headers && !self->has_sample && is_before_frame (self)) {
        take_some_header (self, line);
    } else if (script_is_trailer (line)) {
        /* It stands where the empty line would be. */
        if (self->layout.has_some_headers || self->layout.has_no_headers)
            end_sample (self);
    } else if (!self->layout.has_some_headers || !take_some_header (self, line)) {
        self->n_bad_lines += *line.at != '\t';
    }
}

static void
take_line (Reading *self, PvText line)
{
    ScriptHeader header;
    if (line.at == line.end)
        end_sample (self);
    else if (self->has_lines && pv_text_is_blank (*line.at) &&
             script_frames_take (&self->frames, line))
        return;
    else if (script_parse_header (line, &header))
        take_header (self, &header);
    else if (!take_flat_header (self, line) && !take_bare_frame (self, line) &&
             !take_frame_line (self, line))
        take_other_line (self, line);
}

/* --- the file --- */

static bool
has_memory (Reading *self)
{
    return pv_reader_has_memory (self->builder, self->context, self->size_bytes,
                                 (self->sets.mask + UINT64_C (1)) * sizeof (PvHashSlot) +
                                     pv_text_tasks_count_bytes (&self->tasks) +
                                     script_frames_count_bytes (&self->frames));
}

/* From time to time. */
static bool
may_continue (Reading *self)
{
    if (++self->n_lines % LINES_PER_CHECK != 0)
        return true;
    pv_job_set_done (self->context->job, (uint64_t)(self->text.at - self->start));
    return !pv_job_is_cancelled (self->context->job) && has_memory (self);
}

static void
take_lines (Reading *self)
{
    PvText line;
    while (pv_text_next_line (&self->text, &line) && may_continue (self))
        take_line (self, line);
    end_sample (self);
}

static void
add_notes (Reading *self)
{
    pv_reader_note_bad_lines (self->builder, self->n_bad_lines);
    if (self->n_errors > 0) {
        g_ptr_array_add (self->errors, NULL);
        g_autofree char *messages = g_strjoinv (", ", (char **)self->errors->pdata);
        pv_profile_builder_note (
            self->builder, PV_NOTE_WARNING, PV_NOTE_LOST_SAMPLES, 0,
            _ ("Gaps in the hardware trace: %" PRIu64 " (%s). What ran then is missing."),
            self->n_errors, messages);
    }
    if (self->n_samples > 0 && self->n_stacks == 0)
        pv_profile_builder_note (
            self->builder, PV_NOTE_INFO, PV_NOTE_NO_CALL_GRAPH, 0,
            _ ("Recorded without call stacks: each sample is one frame. To see callers, record "
               "with frame pointers or with copied stacks (DWARF)."));
}

static void
set_facts (Reading *self)
{
    PvFacts *facts = pv_profile_builder_facts (self->builder);
    if (self->n_samples > 0 && self->n_stacks == 0)
        facts->call_graph = "none";
    if (self->events->len > 0)
        facts->events = pv_profile_builder_string (self->builder, self->events->str);
}

static void
clear (Reading *self)
{
    script_frames_clear (&self->frames);
    pv_text_tasks_clear (&self->tasks);
    pv_hash_map_clear (&self->sets);
    g_hash_table_unref (self->comms);
    g_ptr_array_unref (self->errors);
    g_string_free (self->events, TRUE);
}

static bool
read_script (PvMappedFile *file, const char *path, PvProfileBuilder *builder,
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
        .events = g_string_new (NULL),
        .errors = g_ptr_array_new_with_free_func (g_free),
        .comms = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
    };
    script_frames_init (&self.frames, builder);
    pv_text_tasks_init (&self.tasks, builder, true);
    pv_text_take (&self.text, "\xef\xbb\xbf");
    script_find_layout (self.text, true, &self.layout);
    take_lines (&self);
    if (self.n_sets == 0)
        add_set (&self, &(ScriptHeader){.event = {data, data}});
    script_modules_finish (&self.frames.modules, self.comms);
    set_facts (&self);
    add_notes (&self);
    clear (&self);
    return true;
}

const PvReader pv_perf_script_reader = {
    .name = "perf script",
    .media_type = "application/x-perf-script",
    .is_recording = true,
    .sniff = script_sniff,
    .sniff_after_lines = script_sniff_after_lines,
    .read = read_script,
};
