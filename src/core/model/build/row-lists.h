/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/array.h"
#include "core/model/profile/profile.h"

/* Growing arrays of rows of each table: PvModuleList, PvNoteList and so on. */
#define PV_LIST_OF_ROWS(id, name, T) typedef PV_ARRAY (T) T##List;
PV_PROFILE_TABLES (PV_LIST_OF_ROWS)

/* A list of rows of any table. */
typedef PV_ARRAY (void) PvRowList;
