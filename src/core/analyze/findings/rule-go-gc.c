/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

static const char *const names[] = {"runtime.gcBgMarkWorker*",
                                    "runtime.gcDrain*",
                                    "runtime.gcAssistAlloc*",
                                    "runtime.bgsweep*",
                                    "runtime.sweepone",
                                    "runtime.(*sweepLocked).sweep",
                                    "runtime.(*mspan).sweep",
                                    "runtime.gcStart*",
                                    "runtime.gcMarkDone*",
                                    "runtime.gcMarkTermination*",
                                    "runtime.scanobject*",
                                    "runtime.scanblock*",
                                    "runtime.scanstack*",
                                    "runtime.scanSpan*",
                                    "runtime.greyobject",
                                    "runtime.markroot*",
                                    "runtime.wbBufFlush*",
                                    "runtime.bgscavenge*",
                                    "runtime.gcSweep",
                                    "runtime.(*gcWork).*",
                                    "runtime.deductSweepCredit",
                                    "runtime.gcFlushBgCredit",
                                    NULL};

const PvFindingRule pv_rule_go_gc = {
    .word = "go-gc",
    .names = names,
    .least = 0.08,
    .title = N_ ("Go’s garbage collector (%s) takes %s of %s"),
    .detail = N_ ("Allocate less, or let the heap grow further between collections with "
                  "GOGC or GOMEMLIMIT. A heap profile by alloc_space tells who allocates."),
};
