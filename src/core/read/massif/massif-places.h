/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/idmap.h"
#include "core/model/build/builder.h"
#include "core/read/massif/massif-text.h"

/* Makes a profile's strings and modules from frames of Valgrind's tools. One thread at a time. */

/* The builder's own copy; NULL for an empty text. */
const char *massif_keep (PvProfileBuilder *builder, PvText text);

/* The module of an object file, made on first use; the unknown one for an empty path. */
PvModuleId massif_get_module (PvProfileBuilder *builder, PvHashMap *module_of_path, PvText path);
