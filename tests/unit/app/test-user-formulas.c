/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The user's own formulas: kept once per name, in their order, and offered where there are measures
 * for them. */
#include "../cases.h"
#include "app/work/settings.h"
#include "app/work/user-formulas.h"

static const PvMeasure measures[] = {
    {.name = "cycles", .total = 1000},
    {.name = "instructions", .total = 1850},
    {.name = "faults", .total = 0},
};

static const PvProfile profile = {.n_measures = G_N_ELEMENTS (measures),
                                  .n_weights = G_N_ELEMENTS (measures),
                                  .measures = measures};

static void
check_saved (const char *wanted)
{
    g_auto (GStrv) all = pv_user_formulas_list ();

    assert_string (g_strjoinv (" ", all), wanted);
}

TEST (saving)
{
    check_saved ("");
    pv_user_formulas_save ("a=cycles", NULL);
    pv_user_formulas_save ("b=cycles*2", NULL);
    pv_user_formulas_save ("c=cycles*3", NULL);
    check_saved ("a=cycles b=cycles*2 c=cycles*3");
    /* One of its name, or of the one it replaces, is gone, and it takes the first place of them. */
    pv_user_formulas_save (" a =cycles*4", NULL);
    check_saved (" a =cycles*4 b=cycles*2 c=cycles*3");
    pv_user_formulas_save ("d=cycles*5", "b");
    check_saved (" a =cycles*4 d=cycles*5 c=cycles*3");
    pv_user_formulas_save ("c=cycles*6", "a");
    check_saved ("c=cycles*6 d=cycles*5");
    pv_user_formulas_save ("e=cycles", "missing");
    check_saved ("c=cycles*6 d=cycles*5 e=cycles");
    assert_string (pv_user_formulas_get ("d"), "d=cycles*5");
    g_assert_null (pv_user_formulas_get ("b"));
    pv_user_formulas_delete ("d");
    pv_user_formulas_delete ("missing");
    check_saved ("c=cycles*6 e=cycles");
}

static char *
list (const char *const *asked)
{
    g_autoptr (GPtrArray) all = pv_user_formulas_list_all (&profile, asked);
    GString *text = g_string_new (NULL);

    for (guint i = 0; i < all->len; i++)
        g_string_append_printf (text, "%s;", ((PvFormula *)all->pdata[i])->definition);
    return g_string_free (text, FALSE);
}

/* The settings may contain anything. */
TEST (offering)
{
    static const char *const saved[] = {
        "f=faults/cycles", "x=flops/cycles", "half=cycles/", "nonsense", "", "twice=cycles*2", NULL,
    };
    static const char *const replacing[] = {"ipc=2*instructions/cycles", "f=cycles", NULL};
    static const char *const asked[] = {"y=instructions - cycles", "f=faults", "z=flops", NULL};
    g_autofree char *usual = NULL, *own = NULL, *replaced = NULL, *with_asked = NULL;

    g_settings_reset (pv_settings_get (), PV_USER_FORMULAS_KEY);
    usual = list (NULL);
    g_assert_cmpstr (usual, ==, "ipc=instructions/cycles;");
    g_settings_set_strv (pv_settings_get (), PV_USER_FORMULAS_KEY, saved);
    own = list (NULL);
    g_assert_cmpstr (own, ==, "ipc=instructions/cycles;f=faults/cycles;twice=cycles*2;");
    g_settings_set_strv (pv_settings_get (), PV_USER_FORMULAS_KEY, replacing);
    replaced = list (NULL);
    g_assert_cmpstr (replaced, ==, "ipc=2*instructions/cycles;f=cycles;");
    with_asked = list (asked);
    g_assert_cmpstr (with_asked, ==, "ipc=2*instructions/cycles;f=faults;y=instructions - cycles;");
}

TESTS_MAIN (argc, argv)
{
    g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
    pv_test_init (argc, argv);
    return g_test_run ();
}
