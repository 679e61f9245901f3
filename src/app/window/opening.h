/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/window/window.h"

/* How several files are opened at once. */
typedef enum {
    PV_OPEN_EACH, /* one document each, but dumps of one process become a series; asks about many */
    PV_OPEN_TABS, /* the same without a question */
    PV_OPEN_MERGED,
    PV_OPEN_SERIES,
} PvOpenAs;

/* Opens local files and folders in new tabs: at once, or after a worker has checked which files
 * belong together. Copies its arguments. options may be NULL. */
void pv_open_files (PvWindow *window, const char *const *paths, PvOpenAs as,
                    const PvOpenOptions *options);

/* Opens each PvSourceSpec of an array, which must not change any more, in a tab of its own, in this
 * order; many of them bit by bit. options may be NULL. */
void pv_open_specs (PvWindow *window, GPtrArray *specs, const PvOpenOptions *options);

/* Returns a PvSourceSpec for each tab that a folder is opened in. It reads the files; any thread.
 * Free with g_ptr_array_unref (). */
GPtrArray *pv_open_list_folder (const char *folder, PvJob *job);

/* Opens dropped or chosen files (GFile), as PV_OPEN_EACH. */
void pv_open_file_list (PvWindow *window, GListModel *files);

/* Compares, as pv_window_compare (), once what is fetched for it is there: that gets tabs of its
 * own. Nothing is compared if it cannot be fetched. */
void pv_open_comparison (PvWindow *window, const PvSourceSpec *comparison,
                         const PvOpenOptions *options);

/* Records the same as this document, see pv_document_can_record_again (), once more, in a new tab,
 * and compares with it what there is of the new recording: again and again, until that has ended.
 */
void pv_record_and_compare (PvWindow *window, PvDocument *recorded);

/* Shows local files, or the profiles in folders, as runs in order. words: the query, of which
 * side_words choose samples; these, words and options may be NULL. Copies its arguments. */
void pv_open_runs (PvWindow *window, const char *const *paths, const char *const *words,
                   const char *const *side_words, const PvOpenOptions *options);

/* Returns the URL in dropped, pasted or typed text, or NULL; g_free () it. */
char *pv_open_find_url (const char *text);

/* Adds the actions that open, record, fetch and compare to a new window, and what is dropped on it
 * is opened. */
void pv_opening_add_actions (PvWindow *window);
