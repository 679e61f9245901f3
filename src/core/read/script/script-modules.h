/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/model/build/builder.h"
#include "core/read/script/script-frame.h"

/*
 * Modules of the frames. perf prints a module's path, or a word in brackets.
 *
 * Addresses of the kernel are those it had. Those in programs and libraries are offsets in the file
 * with newer and older perf, and addresses in the process with some between (5.0 or so) and where
 * samples have no call stacks. The text does not say which; but no file is as large as addresses in
 * a process are, so one large address tells for all.
 */
typedef struct {
    PvProfileBuilder *builder;
    PvHashMap module_of_text;
    PV_ARRAY (PvModuleId) files;
    bool has_runtime_addresses;
} ScriptModules;

void script_modules_clear (ScriptModules *modules);

/* The module of a frame. */
PvModuleId script_modules_get (ScriptModules *modules, const ScriptFrame *frame);

/* At the end: what can only be known then. comms are the names of all programs. */
void script_modules_finish (ScriptModules *modules, GHashTable *comms);
