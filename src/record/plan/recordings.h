/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "record/plan/plan.h"

/*
 * The user's folder of recordings, profview/recordings in the data folder (0700, files 0600). A
 * recording is a file, or a folder of dumps. Blocking; any thread.
 */
typedef struct {
    char *path;
    char *name; /* for people, valid UTF-8, without the ending */
    bool is_folder;
    uint64_t size_bytes;
    int64_t recorded_at_s; /* since 1970 */
} PvRecordedFile;

char *pv_recordings_get_folder (void);

/* Renames an existing, non-empty plan->output within its folder, so that it is kept until there is
 * a recording to replace it. *ret_aside: the new name; NULL if there was no such file. False with a
 * G_FILE_ERROR if the file was not renamed. */
bool pv_recordings_set_aside (const PvRecordPlan *plan, char **ret_aside, GError **error);
/* Renames it back, replacing whatever is at path now. */
void pv_recordings_put_back (const char *aside, const char *path);

/* A new, empty file of mode 0600 (jemalloc: folder, 0700) for a plan: plan->output, or by default
 * "server 2026-11-21 17.05.12.data" in the folder of recordings. If plan->output exists, it must be
 * a regular file, which is truncated, or an empty folder. The path is absolute. NULL with a
 * G_FILE_ERROR whose message is a sentence that names it. */
char *pv_recordings_create (const PvRecordPlan *plan, GError **error);

/* Deletes what pv_recordings_create () created, in any folder: a file, or the dumps in a folder and
 * then the folder if it is empty. Does not follow symbolic links. */
bool pv_recordings_remove (const char *path, GError **error);

/* Size in bytes of a file, or of the first 10,000 files in a folder; 0 if it is missing. */
uint64_t pv_recordings_get_size (const char *path);

/* The name for a plan's recording, without folder and number. Public for tests. */
char *pv_recordings_make_name (const PvRecordPlan *plan, GDateTime *when);

/* Array of PvRecordedFile, newest first. Free with g_ptr_array_unref (). */
GPtrArray *pv_recordings_list (void);

/* Deletes a recording in the folder; refuses other paths. False with a G_FILE_ERROR. */
bool pv_recordings_delete (const char *path, GError **error);

bool pv_recordings_is_in_folder (const char *path);
