/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

/*
 * A file that is being written into the folder for saved answers. Until it is committed, it has a
 * hidden name and is locked, so that a later fetch can recognize and remove the files of killed
 * programs. Any thread; a store belongs to one thread.
 */
typedef struct {
    char *work_path; /* NULL: not begun, or committed */
    int fd;          /* or -1 */
} PvFetchStore;

/* Makes the folder, if needed, and the file. False with PV_FETCH_ERROR_CANNOT_SAVE; the same for
 * the functions below. */
bool pv_fetch_store_begin (PvFetchStore *ret_store, GError **error);
bool pv_fetch_store_write (PvFetchStore *store, const void *data, size_t size, GError **error);

/* Gives the file its final name, after the URL and its first bytes (head), and returns its path. */
char *pv_fetch_store_commit (PvFetchStore *store, const char *url, const void *head, size_t size,
                             GError **error);

/* Puts the file in the place of one that was committed. False without an error: that one stays. */
bool pv_fetch_store_replace (PvFetchStore *store, const char *path);

/* Closes the file, and removes it unless it was committed. */
void pv_fetch_store_clear (PvFetchStore *store);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvFetchStore, pv_fetch_store_clear)

/* The folder for saved answers, whether or not it exists. */
char *pv_fetch_get_folder (void);

/* The name of the file for an answer from this URL, without folder. */
char *pv_fetch_make_name (const char *url, GDateTime *when, const void *head, size_t size);
