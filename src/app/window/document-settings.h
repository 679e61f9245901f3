/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "app/document/document.h"

/* Gives a document, which is not loaded yet, what settings have for all documents, for as long as
 * it lives: folders of symbols, also those that are added later, and suppressions of leaks, where
 * it was asked for none. Main loop only. */
void pv_document_settings_follow (PvDocument *document);

/* Adds a folder or an archive with files of a recording to this document, and to all that follow,
 * open or opened later, until the program ends. */
void pv_document_settings_add_path (PvDocument *document, const char *path);
