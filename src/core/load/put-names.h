/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

#include "core/base/address-names.h"

/* Writes into the file target what is in the profile at path, with the names: of pprof as functions
 * of its own, and before profiles of gperftools and jemalloc as the section that jeprof writes.
 * Packed files stay so. False if that is not possible, or there is nothing to add; target may then
 * have anything in it. Blocking; any thread. */
bool pv_load_put_names (const char *path, const PvAddressNames *names, const char *target);
