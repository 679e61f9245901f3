/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "record/advice/checks-private.h"

/* Adds advice on perf: whether it is installed and permitted, and what the machine can count. */
void pv_perf_check (PvCheck *check);
