/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/legacy/legacy-session.h"

/* Names of addresses, in Go's comments and Java's lists. */

/* Takes the comments that Go writes below a stack: names for session->addrs, and labels, whose set
 * is returned. Removes addresses without names from both ends of session->addrs. */
uint32_t legacy_take_go_comments (LegacySession *session);
/* Takes the lines with names of Java's ids. */
void legacy_take_java_names (LegacySession *session);
PvLocationId legacy_java_location (LegacySession *session, uint64_t id);
