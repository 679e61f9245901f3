/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "record/advice/checks-private.h"

void pv_heaptrack_check (PvCheck *check); /* as in PvRecorder */
