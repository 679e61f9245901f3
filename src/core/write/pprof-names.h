/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/address-names.h"
#include "core/write/pprof-wire.h"

/* Appends an unpacked pprof profile to *out, with functions for those of its locations that have an
 * address with a name and no function yet, and the warning as a comment. False if it is damaged, or
 * there is nothing to add. Any thread. */
bool pv_pprof_add_names (const void *data, size_t size_bytes, const PvAddressNames *names,
                         PvWire *out);
