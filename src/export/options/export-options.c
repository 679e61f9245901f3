/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/options/export-options.h"

void
pv_export_options_init (PvExportOptions *options)
{
    g_assert (options != NULL);
    *options = (PvExportOptions){.chart = PV_N_CHARTS,
                                 .limit = PV_LIMIT_DEFAULT,
                                 .min_percent = PV_MIN_PERCENT_DEFAULT,
                                 .n_graph_nodes = -1,
                                 .node_fraction = -1,
                                 .edge_fraction = -1,
                                 .n_callers = -1,
                                 .n_callees = -1};
}

void
pv_export_options_clear (PvExportOptions *options)
{
    g_assert (options != NULL);
    g_free (options->function);
    g_free (options->scale_function);
    g_free (options->sum_field);
    pv_export_options_init (options);
}
