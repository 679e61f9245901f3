/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * Names and passwords from the file that the environment variable NETRC names, or else ~/.netrc:
 * words like "machine HOST login NAME password WORD", and "default" in place of "machine HOST" for
 * all hosts that come later. See curl's and ftp's manual pages.
 */

/* Finds the name and password for a host in the text of such a file; false if it has none. The
 * caller frees both. */
bool pv_netrc_find (const char *text, size_t size_bytes, const char *host, char **ret_user,
                    char **ret_password);

/* The same in the user's file; false if there is no such file. Reads it, so not for the main
 * thread. Warns on standard error where others may read it too. */
bool pv_netrc_look_up (const char *host, char **ret_user, char **ret_password);
