/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "export/report/report-table.h"

/* False, with a G_OPTION_ERROR_BAD_VALUE about the option ("--print=timeline"), if samples have no
 * times. */
bool pv_timeline_check (const char *option, const PvProfile *profile, PvMeasureId measure,
                        GError **error);

/*
 * Writes what --print=timeline prints: the weight of each thread in each of --bins equal parts of
 * the query's time. False, with nothing passed to the sink, if an expression is invalid or
 * pv_timeline_check () fails.
 */
bool pv_timeline_write (const PvReport *report, GError **error);

/* The same of --print=phases: stretches of time with like stacks, see phases.h. */
bool pv_timeline_write_phases (const PvReport *report, GError **error);
