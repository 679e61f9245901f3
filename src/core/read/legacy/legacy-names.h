/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/legacy/legacy-session.h"

/* Names of addresses: in the comments of Go, and in the lists of Java. */

/* Takes the comments that Go writes below a stack: names for session->addrs, from which those
 * without one are taken out at both ends, and labels, of which it returns the set. */
uint32_t legacy_take_go_comments (LegacySession *session);
/* The lines with names of Java's ids. */
void legacy_take_java_names (LegacySession *session);
PvLocationId legacy_java_location (LegacySession *session, uint64_t id);
