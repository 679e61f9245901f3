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

/* Gives a file that plan->output names, unless it is empty, another name in its folder, so that it
 * is not lost before there is something to take its place; *ret_aside: that name, NULL if there was
 * no such file. False with a G_FILE_ERROR, then it is where it was. */
bool pv_recordings_set_aside (const PvRecordPlan *plan, char **ret_aside, GError **error);
/* Gives it its name again, in place of whatever has that now. */
void pv_recordings_put_back (const char *aside, const char *path);

/* A new, empty file of mode 0600 (jemalloc: folder, 0700) for a plan, "server 2026-11-21
 * 17.05.12.data", or what plan->output names, which must not exist unless it is a regular file,
 * whose content is then lost, or an empty folder. The path is absolute. NULL with a G_FILE_ERROR
 * whose message is a sentence that names it. */
char *pv_recordings_create (const PvRecordPlan *plan, GError **error);

/* Deletes what pv_recordings_create () made, wherever it is: a file, or the dumps in a folder and
 * then the folder, if nothing else is in there. Symbolic links are not followed. */
bool pv_recordings_remove (const char *path, GError **error);

/* Bytes of a file, or of the files in a folder, of which the first 10,000 count; 0 if there is
 * none. */
uint64_t pv_recordings_get_size (const char *path);

/* The name that a plan's recording is given, without folder and number. Public for tests. */
char *pv_recordings_make_name (const PvRecordPlan *plan, GDateTime *when);

/* Of PvRecordedFile, the newest first. Free with g_ptr_array_unref (). */
GPtrArray *pv_recordings_list (void);

/* Deletes one that is in the folder; others are refused. False with a G_FILE_ERROR. */
bool pv_recordings_delete (const char *path, GError **error);

bool pv_recordings_is_in_folder (const char *path);
