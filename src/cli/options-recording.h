/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "cli/options.h"

/*
 * The options of --record as they were given. Private to options*.c.
 */
typedef struct {
    char *kind; /* NULL: nothing is recorded, and none of the others may be given */
    char *output;
    int pid;
    gboolean is_system, is_privileged;
    char *call_graph;
    int frequency_hz;
    char **events;
    double seconds;
    char *memory_limit;
    char **environment;
    char *dump_interval;
} PvRecordWords;

void pv_record_words_init (PvRecordWords *words);
void pv_record_words_clear (PvRecordWords *words);

/* words must live until all is parsed. Free with g_option_group_unref (), or give it away. */
GOptionGroup *pv_record_words_make_group (PvRecordWords *words);

/* Whether an argument begins the command that is recorded: the first "--" behind --record. Its
 * place, or argc. */
int pv_record_words_find_command (int argc, char **argv);

/* Makes options->record_plan, and takes options->record_seconds over. command: what to launch,
 * NULL-terminated, is copied; NULL: there was no "--". False with a G_OPTION_ERROR. */
bool pv_record_words_finish (const PvRecordWords *words, char *const *command, PvOptions *options,
                             GError **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvRecordWords, pv_record_words_clear)
