/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

/* Where functions of the kernel have no names, processors may as well be idle; and where a thread
 * is switched, text may be of waits. */
static bool
is_of_kernel (const PvFunction *function, const PvModule *module)
{
    static const char *const switches[] = {"schedule",           "__schedule",  "schedule_",
                                           "finish_task_switch", "io_schedule", "__switch_to"};
    if (!module->is_kernel || function->kind != PV_FUNCTION_NAMED)
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS (switches); i++)
        if (g_str_has_prefix (function->short_name, switches[i]))
            return false;
    return true;
}

const PvFindingRule pv_rule_kernel = {
    .word = "kernel",
    .place = PV_RULE_AT_LEAF,
    .matches = is_of_kernel,
    .least = 0.25,
    .is_shown_by_module = true,
    .is_broad = true,
    .title = N_ ("The kernel (%s) takes %s of %s"),
    .detail = N_ ("The call tree tells which calls of the program lead there."),
};
