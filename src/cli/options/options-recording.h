/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "cli/options/options.h"

/*
 * The options of --record as given. Private to options*.c.
 */
typedef struct {
    char *kind_help; /* as long as the entries */
    char *kind;      /* NULL: no --record; the other options are errors then */
    char *output;
    int pid;
    gboolean is_system, is_privileged;
    char *call_graph;
    int frequency_hz;
    int buffer_mib;
    char **events;
    double seconds;
    char *memory_limit;
    char **environment;
    char *dump_interval;
    char *interleaved, *until;
    char *range, *build;
} PvRecordWords;

void pv_record_words_init (PvRecordWords *words);
void pv_record_words_clear (PvRecordWords *words);

/* GOptionEntry, with an empty one at the end. words must outlive parsing. Unref the array. */
GArray *pv_record_words_make_entries (PvRecordWords *words);

/* Index of the "--" that starts the recorded command: the first one after --record
 * or --bisect; or argc. */
int pv_record_words_find_command (int argc, char **argv);

/* Sets options->record_plan and options->record_seconds. command: what to launch, NULL-terminated,
 * copied; NULL if there was no "--". False with a G_OPTION_ERROR. */
bool pv_record_words_finish (const PvRecordWords *words, char *const *command, PvOptions *options,
                             GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvRecordWords, pv_record_words_clear)
