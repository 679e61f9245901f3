/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Tarballs made by `perf archive`: a build-id tree in one file, to copy from the recorded machine
 * to this one.
 */

/* Unpacks into a new temporary folder that only the user may enter. Returns its path, to be freed;
 * NULL if the file is not a tarball or cannot be unpacked at all. Leaves out entries after
 * damage. */
char *pv_symbol_archive_unpack (const char *path);

/* Removes the folder and everything in it. */
void pv_symbol_archive_remove (const char *folder);
