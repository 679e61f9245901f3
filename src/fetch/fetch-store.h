/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

/*
 * A file on its way into the folder for saved answers: written under a hidden name that is locked
 * for as long as it is, so that one left by a program that was killed is known and removed.
 */
typedef struct {
    char *work_path; /* NULL: none, or committed */
    int fd;          /* or -1 */
} PvFetchStore;

/* Makes the folder, if need be, and the file. False with PV_FETCH_ERROR_CANNOT_SAVE; the same for
 * the functions below. */
bool pv_fetch_store_begin (PvFetchStore *ret_store, GError **error);
bool pv_fetch_store_write (PvFetchStore *store, const void *data, size_t size, GError **error);

/* Gives it the name for what was fetched, and returns its path. head: its first bytes. */
char *pv_fetch_store_commit (PvFetchStore *store, const char *url, const void *head, size_t size,
                             GError **error);

/* Removes what was not committed. */
void pv_fetch_store_clear (PvFetchStore *store);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PvFetchStore, pv_fetch_store_clear)

/* The folder for saved answers, whether or not it exists. */
char *pv_fetch_get_folder (void);

/* The name of the file for an answer of this URL, without number and folder. */
char *pv_fetch_make_name (const char *url, GDateTime *when, const void *head, size_t size);
