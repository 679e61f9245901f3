/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/script/script-modules.h"

/*
 * The lines below a header. Lines repeat a lot, so each is looked at once and then known by its
 * bytes. A location is a frame's line, with those of the frames inlined into it before, and the
 * place in the source after each of them, if that was printed.
 */
typedef struct ScriptLine ScriptLine;

typedef struct {
    PvProfileBuilder *builder;
    ScriptModules modules;
    PvHashMap line_of_text;
    PV_ARRAY (ScriptLine) lines; /* row 0: not a frame */
    PvHashMap location_of_lines; /* of several lines */
    PV_ARRAY (PvGivenFrame) given;

    /* State of the sample that is being read. */
    PV_ARRAY (uint32_t) group; /* lines of the location that is not complete yet */
    bool has_host;             /* the group has the frame that its others are inlined into */
    bool was_kernel;
    bool has_tabs; /* frames in lines of their own begin with a tab, as perf prints them */
    uint32_t n_addresses;
    PV_ARRAY (PvLocationId) locations; /* leaf first */
} ScriptFrames;

void script_frames_init (ScriptFrames *frames, PvProfileBuilder *builder);
void script_frames_clear (ScriptFrames *frames);

/* Forgets the sample that was read. */
void script_frames_begin (ScriptFrames *frames);
/* Takes the next line of the sample. False: it is neither a frame nor a place in the source. */
bool script_frames_take (ScriptFrames *frames, PvText line);
/* Takes the sample's only frame, a part of a line with other fields. */
void script_frames_take_only (ScriptFrames *frames, PvText frame);
/* The stack of the lines taken since begin; 0: none. Sets *ret_end to how it ended. */
PvStackId script_frames_end (ScriptFrames *frames, PvStackEnd *ret_end);

/* Approximately. */
uint64_t script_frames_count_bytes (const ScriptFrames *frames);
