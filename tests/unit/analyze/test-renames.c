/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions of a comparison that have another name on the other side, or are part of another
 * function there: where signs are good, and where they are not.
 */
#include <string.h>

#include "../cases.h"
#include "../made.h"
#include "core/analyze/compare/changes.h"
#include "core/analyze/compare/comparison.h"
#include "core/analyze/renames/renames.h"
#include "folded-profile.h"

static PvComparison
compare (const PvProfile *base, const PvSymbolTable *base_symbols, const PvProfile *newer,
         const PvSymbolTable *new_symbols)
{
    g_auto (PvQuery) query = new_query ();
    PvCompareRun runs[] = {{base, base_symbols, &query, "base"},
                           {newer, new_symbols, &query, "new"}};
    PvCompareInput input = {.runs = {&runs[0], &runs[1]}, .n_runs = {1, 1}};
    PvComparison comparison;
    assert_ok (error, pv_comparison_build (&input, &comparison, NULL, &error));
    return comparison;
}

/* "NAME: DESCRIPTION", a line for each function that has more to tell. */
static char *
list_fates (const PvSymbolTable *symbols)
{
    GString *text = g_string_new (NULL);
    for (PvFunctionId f = 1; f < symbols->n_functions; f++) {
        g_autofree char *more = pv_renames_describe (symbols, f);
        if (more != NULL)
            g_string_append_printf (text, "%s: %s\n", symbols->functions[f].name, more);
    }
    return g_string_free (text, FALSE);
}

static void
check (const char *base_text, const char *new_text, const char *expected)
{
    g_auto (FoldedProfile) base = folded_profile_new (base_text);
    g_auto (FoldedProfile) newer = folded_profile_new (new_text);
    g_auto (PvComparison) comparison =
        compare (base.profile, base.symbols, newer.profile, newer.symbols);
    g_autofree char *fates = list_fates (comparison.symbols);
    g_assert_cmpstr (fates, ==, expected);
}

/* The amounts of a function on both sides: it has one row, and the tree one node. */
static void
check_amounts (const char *base_text, const char *new_text, const char *name, uint64_t base_total,
               uint64_t new_total, uint32_t n_nodes)
{
    g_auto (FoldedProfile) base = folded_profile_new (base_text);
    g_auto (FoldedProfile) newer = folded_profile_new (new_text);
    g_auto (PvComparison) comparison =
        compare (base.profile, base.symbols, newer.profile, newer.symbols);
    g_auto (PvQuery) query = new_query ();
    g_autoptr (PvCallTree) tree = query_tree (comparison.profile, comparison.symbols, &query);
    g_autoptr (PvChanges) changes = pv_changes_by_function (tree, NULL);
    for (PvFunctionId f = 1; f < comparison.symbols->n_functions; f++) {
        if (strcmp (comparison.symbols->functions[f].name, name) != 0)
            continue;
        g_assert_cmpuint (changes->total_of_side[PV_SIDE_BASE][f], ==, base_total);
        g_assert_cmpuint (changes->total_of_side[PV_SIDE_NEW][f], ==, new_total);
    }
    g_assert_cmpuint (tree->n_nodes, ==, n_nodes);
}

static const char base_space[] = "main;old::run|/a.c;old::step|/a.c:3 300\n"
                                 "main;old::run|/a.c 50\nmain 20";
static const char new_space[] = "main;now::run|/a.c;now::step|/a.c:3 400\n"
                                "main;now::run|/a.c 60\nmain 20";

TEST (namespaces)
{
    check (base_space, new_space,
           "now::run: renamed from old::run (same end of the name, callers, callees, file)\n"
           "now::step: renamed from old::step (same end of the name, callers, file)\n");
    check_amounts (base_space, new_space, "now::run", 350, 460, 4);
}

/* A namespace of many functions, of which some are called the same in classes. */
TEST (many)
{
    enum { N_FUNCTIONS = 600 };
    g_autoptr (GString) base = g_string_new (NULL);
    g_autoptr (GString) newer = g_string_new (NULL);
    for (unsigned i = 0; i < N_FUNCTIONS; i++) {
        g_string_append_printf (base, "main;old::f%u|/a.c;old::C%u::get|/a.c 30\n", i, i);
        g_string_append_printf (newer, "main;now::f%u|/a.c;now::C%u::get|/a.c 40\n", i, i);
    }
    g_auto (FoldedProfile) one = folded_profile_new (base->str);
    g_auto (FoldedProfile) other = folded_profile_new (newer->str);
    g_auto (PvComparison) comparison =
        compare (one.profile, one.symbols, other.profile, other.symbols);
    for (uint32_t i = 0; i < comparison.symbols->n_fates; i++) {
        const PvFate *fate = &comparison.symbols->fates[i];
        const char *name = comparison.symbols->functions[fate->function].name;
        g_assert_cmpstr (name + 3, ==, comparison.symbols->functions[fate->was].name + 3);
    }
    g_assert_cmpuint (comparison.symbols->n_fates, ==, 2 * N_FUNCTIONS);
}

static uint32_t
count_fates (const FoldedProfile *base, const FoldedProfile *newer)
{
    g_auto (PvComparison) comparison =
        compare (base->profile, base->symbols, newer->profile, newer->symbols);
    return comparison.symbols->n_fates;
}

/* More functions of one side end alike than are compared: which ones are does not depend on the
 * order of the sides. */
TEST (exchanged)
{
    enum { N_FUNCTIONS = 300 };
    g_autoptr (GString) base = g_string_new (NULL);
    g_autoptr (GString) newer = g_string_new (NULL);
    for (unsigned i = 0; i < N_FUNCTIONS; i++) {
        g_string_append_printf (base, "main;f%u|/a.c;C%u::get|/a.c %u\n", i, i, 400 - i);
        g_string_append_printf (newer, "main;f%u|/a.c;%s%u%s|/a.c %u\n", i,
                                i % 25 == 20 ? "D" : "g", i, i % 25 == 20 ? "::get" : "", 400 - i);
    }
    g_auto (FoldedProfile) one = folded_profile_new (base->str);
    g_auto (FoldedProfile) other = folded_profile_new (newer->str);
    const uint32_t n_fates = count_fates (&one, &other);
    g_assert_cmpuint (n_fates, >=, 1);
    g_assert_cmpuint (count_fates (&other, &one), ==, n_fates);
}

/* Lines tell leaves apart that are called by the same function and cost as much. */
TEST (lines)
{
    static const char base[] =
        "main;fill|/a.c:2 100\nmain;fill|/a.c:3 90\nmain;fill|/a.c:5 80\n"
        "main;sum|/a.c:2 90\nmain;sum|/a.c:9 90\nmain;sum|/a.c:8 80\nmain 20";
    static const char newer[] = "main;make|/a.c:2 90\nmain;make|/a.c:3 80\nmain;make|/a.c:5 90\n"
                                "main;add|/a.c:12 90\nmain;add|/a.c:19 90\nmain;add|/a.c:8 80\n"
                                "main 20";
    check (base, newer, "make: renamed from fill (same callers, file, lines)\n");
    check_amounts (base, newer, "make", 270, 260, 5);
}

/* In doubt functions are new and gone. */
TEST (doubts)
{
    /* The same callers, file and amount are not enough. */
    check ("main;bubble|/a.c 100\nmain 20", "main;quick|/a.c 100\nmain 20", "");
    /* Two that are as much alike. */
    check ("main;run;a::f|/a.c 100\nmain 20",
           "main;run;b::f|/a.c 90\nmain;run;c::f|/a.c 90\nmain 20", "");
    /* Other callers. */
    check ("main;run;a::f|/a.c 100\nmain;walk 200\nmain 20",
           "main;walk;b::f|/a.c 100\nmain;walk 200\nmain;run;g 100", "");
    /* Too few samples. */
    check ("main;old::run;old::step|/a.c:3 3\nmain 20", "main;now::run;now::step|/a.c:3 4\nmain 20",
           "");
    /* Other modules. */
    check ("main;a!a::f|/a.c 100\nmain;a!g 20", "main;b!b::f|/a.c 100\nmain;b!g 20", "");
    /* New only, gone only, the same. */
    check ("main 100", "main;f 100\nmain 100", "");
    check ("main;f 100\nmain 100", "main 100", "");
    check (base_space, base_space, "");
}

TEST (closures)
{
    check ("main.round;main.apply;main.round.func1|/a.go 100\nmain.round 50",
           "main.round;main.apply;main.round.func2|/a.go 90\nmain.round 50",
           "main.round.func2: renamed from main.round.func1 (same end of the name, callers, "
           "file)\n");
    check ("run;app::run::$_0|/a.rs 100\nrun 50", "run;app::run::$_1|/a.rs 100\nrun 50",
           "app::run::$_1: renamed from app::run::$_0 (same end of the name, "
           "callers, file)\n");
    /* Parts that many names end with say nothing. */
    check ("main;a::{{closure}} 100\nmain;run 50", "main;b::{{closure}} 90\nmain;run 50", "");
    /* Functions of another class, or of libraries, that take the place of one. */
    check ("main;Map::find 100\nmain;run 50", "main;HashTable::find 90\nmain;run 50", "");
    check ("main;w.Buffer.Write|/buffer.go 100\nmain;run 50",
           "main;w.Writer.Write|/bufio.go 90\nmain;run 50", "");
    check ("main;std::list::push_back 100\nmain 50", "main;std::vector::push_back 90\nmain 50", "");
    check ("main;Widget::draw(int)|/ui/util.cc 100\nmain 50", "main;draw|/net/util.cc 9\nmain 50",
           "");
    /* Where only one side has variants of symbols, they are one without that. */
    check ("main;f|/a.c 100\nmain 50", "main;f.constprop.0|/a.c 90\nmain 50", "");
    check ("main;f|/a.c 100\nmain;g.isra.0 30\nmain 50",
           "main;f.constprop.0|/a.c 90\nmain;g.isra.0 30\nmain 50",
           "f.constprop.0: renamed from f (same end of the name, callers, file)\n");
}

/* Both sides can tell inlined functions. */
#define TELLS "\nmain;other>part 30"

TEST (inlining)
{
    check ("main;run;hash 100\nmain;run 50" TELLS, "main;run>hash 110\nmain;run 50" TELLS,
           "hash: now inlined into run\nrun: now with hash inside\n");
    check ("main;run>hash 110\nmain;run 50" TELLS, "main;run;hash 100\nmain;run 50" TELLS,
           "run: now without hash inside\nhash: no more inlined into run\n");
    check ("main;run;hash 100\nmain;walk;hash 100" TELLS,
           "main;run>hash 110\nmain;walk>hash 90" TELLS, "hash: now inlined into its callers\n");
    /* Some of it still has a frame. */
    check ("main;run;hash 100\nmain;run 50" TELLS,
           "main;run>hash 110\nmain;run;hash 5\nmain;run 50" TELLS, "");
    /* Names of inlined functions may have no parameters. */
    check ("main;run;hash(int)|/a.c 100\nmain;run(int) 50" TELLS,
           "main;run>hash|/a.c 110\nmain;run(int) 50" TELLS,
           "hash: now inlined into run\nrun: now with hash inside\n");
    /* A format that has no inlined functions does not tell that they are none. */
    check ("main;run;hash 100\nmain;run 50", "main;run>hash 110\nmain;run 50", "");
}

/* Without debug information only amounts tell. */
TEST (moves)
{
    check (
        "main;run;hash 1000\nmain;run 500", "main;run 1490\nmain 20",
        "run: now with hash inside\nhash: inlined or moved into run, whose self grew by as much\n");
    check ("main;run 1490\nmain 20", "main;run;hash 1000\nmain;run 500",
           "run: now without hash inside\nhash: taken out of run, whose self fell by as much\n");
    check ("main;run;hash 1000\nmain;run 500", "main;run 600\nmain 20", "");
    check ("main;run;hash 1000\nmain;run 500", "main;run 2500\nmain 20", "");
}

/* A leaf whose instructions cost at the given distances. */
static FoldedProfile
make_code (const char *name, uint64_t start, const unsigned *distances, unsigned n)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    uint32_t set = made_set (builder, "cycles", false, PV_UNIT_COUNT);
    PvModuleId module = made_module (builder, "/bin/prog");
    PvStackId root = made_stack (builder, 0, module, 0x100);
    for (unsigned i = 0; i < n; i++) {
        PvNewSample sample = {.time_ns = i,
                              .thread = 0,
                              .stack = made_stack (builder, root, module, start + distances[i])};
        uint64_t weight = 30 + i;
        pv_profile_builder_add_sample (builder, set, &sample, &weight);
    }
    FoldedProfile made = {.profile = pv_profile_builder_snapshot (builder)};
    g_autoptr (PvSymbolBuilder) symbols = pv_symbol_builder_new (made.profile);
    for (PvLocationId l = 1; l < made.profile->n_locations; l++)
        made_function (symbols, l, l == 1 ? "main" : name, module);
    made.symbols = pv_symbol_builder_publish (symbols, true);
    return made;
}

static void
check_code (const FoldedProfile *base, const char *name, const unsigned *distances,
            const char *expected)
{
    g_auto (FoldedProfile) newer = make_code (name, 0x2480, distances, 6);
    g_auto (PvComparison) comparison =
        compare (base->profile, base->symbols, newer.profile, newer.symbols);
    g_autofree char *fates = list_fates (comparison.symbols);
    g_assert_cmpstr (fates, ==, expected);
}

/* Machine code tells without any debug information. */
TEST (code)
{
    static const unsigned loop[] = {0, 3, 9, 16, 21, 30}, other[] = {0, 4, 7, 18, 25, 32};
    g_auto (FoldedProfile) base = make_code ("a::hash", 0x1000, loop, G_N_ELEMENTS (loop));
    check_code (&base, "b::hash", loop,
                "b::hash: renamed from a::hash (same end of the name, callers, machine code)\n");
    check_code (&base, "b::sum", loop,
                "b::sum: renamed from a::hash (same callers, machine code)\n");
    check_code (&base, "b::sum", other, "");
}
