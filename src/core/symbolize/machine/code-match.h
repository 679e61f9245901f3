/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

#include "core/symbolize/machine/machine-code.h"

/* True if two parts, perhaps of two builds of a program, are the same instructions one by one.
 * Values that a linker fills in may differ: the addresses of data, and of functions whose names are
 * the same. Linear in their size; any thread. */
bool pv_machine_code_match (const PvMachineCode *a, const PvCodePart *a_part,
                            const PvMachineCode *b, const PvCodePart *b_part);
