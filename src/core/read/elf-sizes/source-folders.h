/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/array.h"
#include "core/base/idmap.h"

/*
 * Source files in their folders, as far as folders tell files apart. Files are of places, such as
 * the functions of one namespace: where all files of a place are in one folder, that folder tells
 * nothing there; nor does a folder that has only one folder or file of that place.
 *
 * First all files are added and put where they are, then they can be listed. Initialise with zeros.
 * Paths must live as long.
 */
enum { SOURCE_FOLDERS_MAX = 16 };

/* A folder's path ends in "/". */
typedef struct {
    const char *path;
    uint32_t len;
    uint32_t parent; /* index + 1; 0: none */
} SourceNode;

typedef struct {
    PV_ARRAY (SourceNode) nodes;
    PvIdMap file_of_path; /* by pointer: index + 1 */
    PvHashMap node_of_path;
    PvHashMap child_of_place; /* by place and folder: the only child, or UINT32_MAX */
    size_t common_len;        /* of the folder that all files are in */
    const char *common;       /* NULL: no file yet */
} SourceFolders;

void source_folders_clear (SourceFolders *folders);

/* A file for source_folders_put (); the same path gives the same one. is_full: the path says in
 * which folder the file is. */
uint32_t source_folders_add (SourceFolders *folders, const char *path, bool is_full);

/* place is any number but 0. */
void source_folders_put (SourceFolders *folders, uint32_t place, uint32_t file);

/* The folders that tell a file of a place from others there, outermost first, then the file itself.
 * Returns their number. */
unsigned source_folders_list (SourceFolders *folders, uint32_t place, uint32_t file,
                              uint32_t ret_nodes[SOURCE_FOLDERS_MAX + 1]);

/* Name to show for a folder or file: its path in the folder that all are in. Not terminated. */
const char *source_folders_get_name (const SourceFolders *folders, uint32_t node, size_t *ret_len);
