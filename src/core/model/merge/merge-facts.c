/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts and notes about a recording as a whole, from several files.
 */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/model/merge/merge-private.h"

static void
take_text (PvMerger *merger, const char **text, const char *other)
{
    if (*text == NULL)
        *text = pv_profile_builder_string (merger->builder, other);
}

/* The earlier of two times, of which 0 is unknown. */
static int64_t
earlier (int64_t a, int64_t b)
{
    return a == 0 ? b : b == 0 ? a : MIN (a, b);
}

static uint64_t
add_up (uint64_t a, uint64_t b)
{
    uint64_t sum;
    return __builtin_add_overflow (a, b, &sum) ? UINT64_MAX : sum;
}

/* All of both, each once. */
static GPtrArray *
unite (char **texts, char **more)
{
    GPtrArray *all = g_ptr_array_new ();
    g_autoptr (GHashTable) known = g_hash_table_new (g_str_hash, g_str_equal);
    for (; *texts != NULL; texts++) {
        if (g_hash_table_add (known, *texts))
            g_ptr_array_add (all, *texts);
    }
    for (; *more != NULL; more++) {
        if (g_hash_table_add (known, *more))
            g_ptr_array_add (all, *more);
    }
    return all;
}

/* The items of both lists, each once. */
static const char *
join_lists (PvMerger *merger, const char *text, const char *other, const char *separator)
{
    if (other == NULL || (text != NULL && strcmp (text, other) == 0))
        return text;
    g_auto (GStrv) known = g_strsplit (text != NULL ? text : "", separator, -1);
    g_auto (GStrv) more = g_strsplit (other, separator, -1);
    g_autoptr (GPtrArray) texts = unite (known, more);
    g_ptr_array_add (texts, NULL);
    g_autofree char *joined = g_strjoinv (separator, (char **)texts->pdata);
    return pv_profile_builder_string (merger->builder, joined);
}

/* The lines of both, each once. */
static const char *
join_lines (PvMerger *merger, const char *text, const char *other)
{
    if (other == NULL || (text != NULL && strcmp (text, other) == 0))
        return text;
    g_auto (GStrv) known = g_strsplit (text != NULL ? text : "", "\n", -1);
    g_auto (GStrv) more = g_strsplit (other, "\n", -1);
    g_autoptr (GPtrArray) lines = unite (known, more);
    return pv_profile_builder_lines (merger->builder, (const char *const *)lines->pdata,
                                     lines->len);
}

static bool
differ (const char *a, const char *b)
{
    return a != NULL && b != NULL && strcmp (a, b) != 0;
}

static void
add_note (PvMerger *merger, const PvNote *note, const char *name)
{
    PvProfileBuilder *builder = merger->builder;
    for (size_t i = 0; i < merger->notes.len; i++) {
        PvMergedNote *known = &merger->notes.data[i];
        if (strcmp (known->note.text, note->text) != 0)
            continue;
        known->n_files += known->last_file != merger->n_profiles;
        known->last_file = merger->n_profiles;
        return;
    }
    if (merger->notes.len >= PV_MERGE_MAX_NOTES)
        return;
    PvMergedNote merged = {
        .note = {note->severity, note->kind, note->module,
                 pv_profile_builder_sentence (builder, note->text)},
        .first_name = pv_profile_builder_string (builder, name),
        .n_files = 1,
        .last_file = merger->n_profiles,
    };
    pv_array_push (&merger->notes, merged);
}

static void
add_notes (PvMerger *merger, const PvNote *notes, uint32_t n_notes, const char *name)
{
    for (uint32_t i = 0; i < n_notes; i++) {
        PvNote note = notes[i];
        if (note.kind == PV_NOTE_FRACTIONS)
            continue; /* all get the same unit */
        note.module = pv_merge_module (merger, note.module);
        add_note (merger, &note, name);
    }
}

/* Before the profile is counted. */
void
pv_merge_facts (PvMerger *merger, const PvProfile *profile, const char *name)
{
    PvFacts *facts = &merger->builder->facts;
    const PvFacts *other = &profile->facts;
    if (differ (facts->host, other->host) || differ (facts->arch, other->arch)) {
        PvNote note = {PV_NOTE_WARNING, PV_NOTE_OTHER_MACHINE, 0,
                       _ ("This file is from a different machine than the first one.")};
        add_note (merger, &note, name);
    }
    take_text (merger, &facts->format, other->format);
    if (facts->media_type == NULL)
        facts->media_type = other->media_type;
    take_text (merger, &facts->command, other->command);
    take_text (merger, &facts->recorded_with, other->recorded_with);
    take_text (merger, &facts->host, other->host);
    take_text (merger, &facts->kernel_release, other->kernel_release);
    take_text (merger, &facts->arch, other->arch);
    take_text (merger, &facts->cpu, other->cpu);
    take_text (merger, &facts->recorder, other->recorder);
    take_text (merger, &facts->call_graph, other->call_graph);
    take_text (merger, &facts->period, other->period);
    take_text (merger, &facts->doc_url, other->doc_url);
    facts->events = join_lists (merger, facts->events, other->events, ", ");
    facts->comment = join_lines (merger, facts->comment, other->comment);
    facts->n_cpus = MAX (facts->n_cpus, other->n_cpus);
    facts->memory_bytes = MAX (facts->memory_bytes, other->memory_bytes);
    facts->recorded_at = earlier (facts->recorded_at, other->recorded_at);
    facts->recorded_at_ns = earlier (facts->recorded_at_ns, other->recorded_at_ns);
    facts->modified_at = earlier (facts->modified_at, other->modified_at);
    facts->modified_at_ns = earlier (facts->modified_at_ns, other->modified_at_ns);
    facts->profiled_ns = add_up (facts->profiled_ns, other->profiled_ns);
    facts->size_bytes = add_up (facts->size_bytes, other->size_bytes);
    add_notes (merger, profile->notes, profile->n_notes, name);
    /* A pack's frames come with their names, and these notes are all that tells which lack one. */
    if (profile->packed_names != NULL)
        add_notes (merger, profile->packed_names->notes, profile->packed_names->n_notes, name);
}

/* Says which files a note is about, if not all. */
void
pv_merge_add_notes (PvMerger *merger)
{
    for (size_t i = 0; i < merger->notes.len; i++) {
        const PvMergedNote *merged = &merger->notes.data[i];
        const PvNote *note = &merged->note;
        if (merged->n_files == merger->n_profiles)
            pv_profile_builder_note (merger->builder, note->severity, note->kind, note->module,
                                     "%s", note->text);
        else if (merged->n_files == 1)
            /* Translators: the name of a file, and what is to be said of it. */
            pv_profile_builder_note (merger->builder, note->severity, note->kind, note->module,
                                     _ ("%s: %s"), merged->first_name, note->text);
        else
            pv_profile_builder_note (merger->builder, note->severity, note->kind, note->module,
                                     /* Translators: the name of a file, a number of files, and
                                      * what is to be said of them. */
                                     g_dngettext (GETTEXT_PACKAGE, "%s and %u other file: %s",
                                                  "%s and %u other files: %s", merged->n_files - 1),
                                     merged->first_name, merged->n_files - 1, note->text);
    }
}
