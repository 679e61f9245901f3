/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tree-maker.h"

#include <math.h>
#include <string.h>

#include "core/base/array.h"

/* Memory that fontconfig holds for the life of the process is no leak of ours. */
const char *__lsan_default_suppressions (void);
const char *
__lsan_default_suppressions (void)
{
    return "leak:libfontconfig\n";
}

/* The profile and the table are part of the tree's block, so that one free () ends all. */
typedef struct {
    PvCallTree tree;
    PvProfile profile;
    PvSymbolTable symbols;
    PV_ARRAY (PvFunction) functions;
    PV_ARRAY (PvFunctionId) function;
    PV_ARRAY (PvNodeId) parent;
    PV_ARRAY (PvNodeId) first_child;
    PV_ARRAY (uint64_t) self;
    PV_ARRAY (uint64_t) total;
    PV_ARRAY (uint64_t) left;
    PV_ARRAY (const PvFrame *) frame;
    PV_ARRAY (PvLocationId) location;
    PV_ARRAY (uint32_t) group;
    PV_ARRAY (uint32_t) level_start;
    GStringChunk *strings;
    GHashTable *ids;
} MadeTree;

static const PvModule modules[] = {
    {.path = "", .name = ""},
    {.path = "/home/user/src/query-engine/build/queryd",
     .name = "queryd",
     .kind = PV_MODULE_FILE,
     .is_main = true},
    {.path = "/home/user/src/query-engine/build/libstorage.so",
     .name = "libstorage.so",
     .kind = PV_MODULE_FILE},
    {.path = "/usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30",
     .name = "libstdc++.so.6.0.30",
     .kind = PV_MODULE_FILE},
    {.path = "/usr/lib/x86_64-linux-gnu/libc.so.6", .name = "libc.so.6", .kind = PV_MODULE_FILE},
    {.path = "[kernel.kallsyms]",
     .name = "[kernel.kallsyms]",
     .kind = PV_MODULE_KERNEL,
     .is_kernel = true},
    {.path = "", .name = "[unknown]", .kind = PV_MODULE_UNKNOWN},
    {.path = "/usr/lib/x86_64-linux-gnu/libzstd.so.1.5.4",
     .name = "libzstd.so.1.5.4",
     .kind = PV_MODULE_FILE},
    {.path = "/opt/vendor/lib/libtokio_runtime.so",
     .name = "libtokio_runtime.so",
     .kind = PV_MODULE_FILE},
    {.path = "[ext4]", .name = "[ext4]", .kind = PV_MODULE_KERNEL_MODULE, .is_kernel = true},
};

typedef struct {
    int layer; /* 0 start, 1 program, 2 its libraries, 3 system libraries, 4 kernel entry, 5 kernel
                */
    PvModuleId module;
    const char *name;
    const char *short_name;
} TestFunction;

static const TestFunction functions[] = {
    {0, 4, "__libc_start_main_impl", NULL},
    {0, 1, "main", NULL},
    {0, 4, "start_thread", NULL},
    {0, 8, "std::sys::unix::thread::Thread::new::thread_start", NULL},
    {1, 1, "engine::Query::execute(engine::Context&, engine::Plan const&)",
     "engine::Query::execute"},
    {1, 1,
     "engine::exec::HashJoin<engine::RowBatch, std::hash<unsigned long>>::probe(engine::"
     "RowBatch const&)",
     "engine::exec::HashJoin::probe"},
    {1, 1, "engine::exec::HashJoin<engine::RowBatch, std::hash<unsigned long>>::build()",
     "engine::exec::HashJoin::build"},
    {1, 1, "engine::exec::SortOperator::run(engine::Context&)", "engine::exec::SortOperator::run"},
    {1, 1, "engine::exec::Aggregate::update(unsigned int, engine::Column const*)",
     "engine::exec::Aggregate::update"},
    {1, 1,
     "engine::expr::(anonymous namespace)::evaluate_binary<long>(engine::expr::Node const&,"
     " engine::RowBatch const&)",
     "engine::expr::(anonymous namespace)::evaluate_binary"},
    {1, 1, "engine::expr::Node::operator()(engine::RowBatch const&) const",
     "engine::expr::Node::operator()"},
    {1, 1, "engine::Scheduler::worker_loop(unsigned int)::{lambda()#1}::operator()() const",
     "engine::Scheduler::worker_loop::{lambda()#1}::operator()"},
    {1, 1, "engine::plan::Optimizer::rewrite(std::shared_ptr<engine::plan::Node> const&)",
     "engine::plan::Optimizer::rewrite"},
    {1, 1, "parse_select_statement", NULL},
    {1, 1, "lexer_next_token", NULL},
    {1, 1,
     "std::vector<engine::Value, std::allocator<engine::Value>>::push_back(engine::Value "
     "const&)",
     "std::vector::push_back"},
    {1, 1,
     "void std::__introsort_loop<engine::Row*, long, __gnu_cxx::__ops::_Iter_comp_iter<"
     "engine::RowLess>>(engine::Row*, engine::Row*, long, __gnu_cxx::__ops::"
     "_Iter_comp_iter<engine::RowLess>)",
     "std::__introsort_loop"},
    {1, 1,
     "std::_Hashtable<unsigned long, std::pair<unsigned long const, engine::Bucket>, std::"
     "allocator<std::pair<unsigned long const, engine::Bucket>>, std::__detail::_Select1st>"
     "::_M_find_before_node(unsigned long, unsigned long const&, unsigned long) const",
     "std::_Hashtable::_M_find_before_node"},
    {1, 1, "std::unordered_map<unsigned long, engine::Bucket>::find(unsigned long const&)",
     "std::unordered_map::find"},
    {2, 2, "storage::PageCache::fetch(storage::PageId, storage::Lock&)",
     "storage::PageCache::fetch"},
    {2, 2, "storage::codec::decode_run_length(unsigned char const*, unsigned long, int*)",
     "storage::codec::decode_run_length"},
    {2, 2, "storage::Scan::next()", "storage::Scan::next"},
    {2, 2, "storage::wal::Writer::append(storage::wal::Record const&)",
     "storage::wal::Writer::append"},
    {2, 8, "<tokio::runtime::task::core::Core<T, S> as core::future::Future>::poll",
     "<tokio::runtime::task::core::Core as core::future::Future>::poll"},
    {2, 8, "tokio::runtime::scheduler::multi_thread::worker::Context::run_task", NULL},
    {2, 8, "<alloc::vec::Vec<T, A> as core::iter::traits::collect::Extend<T>>::extend",
     "<alloc::vec::Vec as core::iter::traits::collect::Extend>::extend"},
    {2, 8, "hyper::proto::h1::conn::Conn<I, B, T>::poll_read_head",
     "hyper::proto::h1::conn::Conn::poll_read_head"},
    {2, 8, "serde_json::de::Deserializer<R>::parse_whitespace",
     "serde_json::de::Deserializer::parse_whitespace"},
    {3, 7, "ZSTD_decompressBlock_internal", NULL},
    {3, 7, "ZSTD_decompressSequences_bmi2", NULL},
    {3, 7, "HUF_decompress4X1_usingDTable_internal_bmi2", NULL},
    {3, 3, "std::ostream& std::ostream::_M_insert<double>(double)", "std::ostream::_M_insert"},
    {3, 3, "operator new(unsigned long)", "operator new"},
    {3, 4, "malloc", NULL},
    {3, 4, "_int_malloc", NULL},
    {3, 4, "cfree@GLIBC_2.2.5", NULL},
    {3, 4, "__memcpy_evex_unaligned_erms", NULL},
    {3, 4, "__memcmp_evex_movbe", NULL},
    {3, 4, "pthread_mutex_lock@@GLIBC_2.2.5", NULL},
    {3, 4, "__GI___libc_read", NULL},
    {3, 4, "libc.so.6+0x8a3f0", NULL},
    {3, 6, "??", NULL},
    {4, 5, "entry_SYSCALL_64_after_hwframe", NULL},
    {4, 5, "asm_exc_page_fault", NULL},
    {5, 5, "do_syscall_64", NULL},
    {5, 5, "ksys_read", NULL},
    {5, 5, "vfs_read", NULL},
    {5, 5, "exc_page_fault", NULL},
    {5, 5, "handle_mm_fault", NULL},
    {5, 5, "clear_page_erms", NULL},
    {5, 5, "__alloc_pages", NULL},
    {5, 5, "filemap_get_pages", NULL},
    {5, 5, "copy_page_to_iter", NULL},
    {5, 5, "__schedule", NULL},
    {5, 5, "finish_task_switch.isra.0", NULL},
    {5, 9, "ext4_file_read_iter", NULL},
    {5, 9, "ext4_map_blocks", NULL},
};

/* Frames by function and whether inlined: only the flag matters to the renderer. */
static const PvFrame plain_frame = {.line = 1};
static const PvFrame inlined_frame = {.line = 1, .is_inlined = true};

static MadeTree *
test_tree_new (void)
{
    MadeTree *test = g_new0 (MadeTree, 1);
    test->strings = g_string_chunk_new (4096);
    test->ids = g_hash_table_new (g_str_hash, g_str_equal);
    pv_array_resize (&test->functions, 1);
    return test;
}

static PvFunctionId
add_function (MadeTree *test, const char *name, const char *short_name, PvModuleId module)
{
    g_autofree char *key = g_strdup_printf ("%u!%s", module, name);
    PvFunctionId id = GPOINTER_TO_UINT (g_hash_table_lookup (test->ids, key));
    if (id == 0) {
        PvFunction function = {.module = module};
        function.name = g_string_chunk_insert (test->strings, name);
        function.raw_name = function.name;
        function.short_name =
            short_name != NULL ? g_string_chunk_insert (test->strings, short_name) : function.name;
        function.label = function.short_name;
        if (strcmp (name, "??") == 0)
            function.kind = PV_FUNCTION_UNKNOWN;
        else if (strstr (name, ".so") != NULL && strchr (name, '+') != NULL)
            function.kind = PV_FUNCTION_RANGE;
        id = (PvFunctionId)test->functions.len;
        pv_array_push (&test->functions, function);
        g_hash_table_insert (test->ids, g_string_chunk_insert (test->strings, key),
                             GUINT_TO_POINTER (id));
    }
    return id;
}

static PvNodeId
add_node (MadeTree *test, PvNodeId parent, PvFunctionId function, uint64_t left, uint64_t total,
          bool is_inlined)
{
    PvNodeId node = (PvNodeId)test->parent.len;
    pv_array_push (&test->parent, parent);
    pv_array_push (&test->function, function);
    pv_array_push (&test->left, left);
    pv_array_push (&test->total, total);
    pv_array_push (&test->self, total);
    pv_array_push (&test->first_child, 0);
    pv_array_push (&test->location, 0);
    pv_array_push (&test->group, 0);
    const PvFrame *frame = is_inlined ? &inlined_frame : &plain_frame;
    pv_array_push (&test->frame, node == 0 ? NULL : frame);
    return node;
}

static PvCallTree *
finish (MadeTree *test)
{
    PvCallTree *tree = &test->tree;
    uint32_t n = (uint32_t)test->parent.len;
    pv_array_push (&test->first_child, n);
    pv_array_push (&test->level_start, n);
    for (PvNodeId node = n - 1; node > 0; node--)
        test->self.data[test->parent.data[node]] -= test->total.data[node];

    test->profile.ref_count = test->symbols.ref_count = tree->ref_count = 1000;
    test->profile.modules = modules;
    test->profile.n_modules = G_N_ELEMENTS (modules);
    test->symbols.functions = test->functions.data;
    test->symbols.n_functions = (uint32_t)test->functions.len;
    tree->profile = &test->profile;
    tree->symbols = &test->symbols;
    tree->n_nodes = n;
    tree->function_of_node = test->function.data;
    tree->parent_of_node = test->parent.data;
    tree->first_child = test->first_child.data;
    tree->self = test->self.data;
    tree->total = test->total.data;
    tree->left = test->left.data;
    tree->frame_of_node = test->frame.data;
    tree->location_of_node = test->location.data;
    tree->n_levels = (uint32_t)test->level_start.len - 1;
    tree->level_start = test->level_start.data;
    return tree;
}

static int
layer_of (const MadeTree *test, PvNodeId node, int depth)
{
    PvFunctionId function = test->function.data[node];
    return function == 0 || function > G_N_ELEMENTS (functions) ? (depth < 2 ? -1 : 1)
                                                                : functions[function - 1].layer;
}

/* A callee that a function of this layer would plausibly have. */
static PvFunctionId
choose_callee (GRand *rand, int layer)
{
    double dice = g_rand_double (rand);
    int next = layer;
    if (layer <= 0)
        next = layer + 1;
    else if (layer == 1)
        next = dice < 0.88 ? 1 : dice < 0.95 ? 2 : 3;
    else if (layer == 2)
        next = dice < 0.86 ? 2 : 3;
    else if (layer == 3)
        next = dice < 0.8 ? 3 : 4;
    else
        next = 5;
    for (;;) {
        unsigned i = (unsigned)g_rand_int_range (rand, 0, G_N_ELEMENTS (functions));
        if (functions[i].layer == next)
            return i + 1;
    }
}

static int
compare_descending (const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* Shares of a node's total for its children, heaviest first. */
static uint32_t
divide (GRand *rand, uint64_t total, uint32_t max, int depth, double chain, uint64_t ret_parts[64])
{
    uint32_t n = (uint32_t)g_rand_int_range (rand, 1, (gint32)MIN (max, 64) + 1);
    uint64_t left = total;
    if (depth > 2 && g_rand_double (rand) < chain) {
        ret_parts[0] = total;
        return 1;
    }
    if (depth > 6 && g_rand_double (rand) < 0.03)
        return 0;
    if (depth > 2 && g_rand_double (rand) < (depth < 12 ? 0.55 : 0.8))
        n = 1; /* chains are common */
    double self_share = depth < 4 ? 0.002 : pow (g_rand_double (rand), 3) * 0.12;
    left -= (uint64_t)((double)left * self_share);
    uint32_t k = 0;
    for (uint32_t i = 0; i < n && left > 0; i++) {
        double share = i + 1 == n ? g_rand_double_range (rand, 0.95, 1)
                                  : g_rand_double_range (rand, 0.15, 0.85);
        uint64_t part = (uint64_t)((double)left * share);
        part = CLAMP (part, 1, left);
        ret_parts[k++] = part;
        left -= part;
    }
    qsort (ret_parts, k, sizeof *ret_parts, compare_descending);
    return k;
}

PvCallTree *
test_tree_random (const TestTreeOptions *options)
{
    MadeTree *test = test_tree_new ();
    g_autoptr (GRand) rand = g_rand_new_with_seed (options->seed);
    uint32_t max_levels = options->max_levels > 0 ? options->max_levels : 60;
    uint32_t max_children = options->max_children > 0 ? options->max_children : 4;
    uint64_t parts[64];

    for (size_t i = 0; i < G_N_ELEMENTS (functions); i++)
        add_function (test, functions[i].name, functions[i].short_name, functions[i].module);
    add_node (test, PV_NODE_NONE, 0, 0, options->total > 0 ? options->total : 1000000, false);
    pv_array_push (&test->level_start, 0);

    PvNodeId start = 0, end = 1;
    for (uint32_t level = 1; level < max_levels && start < end; level++) {
        pv_array_push (&test->level_start, end);
        for (PvNodeId node = start; node < end; node++) {
            test->first_child.data[node] = (PvNodeId)test->parent.len;
            uint64_t left = test->left.data[node];
            uint32_t n = divide (rand, test->total.data[node], max_children, (int)level,
                                 options->chain, parts);
            for (uint32_t i = 0; i < n && test->parent.len < options->n_nodes; i++) {
                PvFunctionId function = choose_callee (rand, layer_of (test, node, (int)level - 1));
                int layer = functions[function - 1].layer;
                add_node (test, node, function, left, parts[i],
                          layer > 0 && layer < 3 && g_rand_double (rand) < 0.25);
                left += parts[i];
            }
        }
        start = end;
        end = (PvNodeId)test->parent.len;
    }
    if (test->level_start.data[test->level_start.len - 1] == test->parent.len)
        test->level_start.len--;
    for (PvNodeId node = start; node < end; node++)
        test->first_child.data[node] = end;
    return finish (test);
}

/* A line's name: "s!~malloc". */
static PvFunctionId
parse_name (MadeTree *test, const char *text, bool *ret_is_inlined)
{
    static const struct {
        char letter;
        PvModuleId module;
    } letters[] = {{'m', 1}, {'l', 2}, {'s', 4}, {'k', 5}, {'u', 6}};
    PvModuleId module = 1;
    if (text[0] != '\0' && text[1] == '!') {
        for (size_t i = 0; i < G_N_ELEMENTS (letters); i++)
            if (letters[i].letter == text[0])
                module = letters[i].module;
        text += 2;
    }
    *ret_is_inlined = text[0] == '~';
    return add_function (test, text + *ret_is_inlined, NULL, module);
}

typedef struct {
    uint32_t parent;
    PvFunctionId function;
    uint64_t total;
    bool is_inlined;
} TextNode;

static uint32_t
find_child (GArray *nodes, uint32_t parent, PvFunctionId function, bool is_inlined)
{
    for (uint32_t i = 1; i < nodes->len; i++) {
        TextNode *node = &g_array_index (nodes, TextNode, i);
        if (node->parent == parent && node->function == function)
            return i;
    }
    TextNode node = {parent, function, 0, is_inlined};
    g_array_append_val (nodes, node);
    return nodes->len - 1;
}

static void
parse_line (MadeTree *test, GArray *nodes, const char *line)
{
    const char *space = strrchr (line, ' ');
    uint64_t weight = g_ascii_strtoull (space + 1, NULL, 10);
    g_autofree char *stack = g_strndup (line, (size_t)(space - line));
    char **names = g_strsplit_set (stack, ";", -1);
    uint32_t node = 0;
    g_array_index (nodes, TextNode, 0).total += weight;
    for (uint32_t i = 0; names[i] != NULL; i++) {
        bool is_inlined;
        PvFunctionId function = parse_name (test, names[i], &is_inlined);
        node = find_child (nodes, node, function, is_inlined);
        g_array_index (nodes, TextNode, node).total += weight;
    }
    g_strfreev (names);
}

/* The children of a text node, in level order behind what is there. */
static void
add_children (MadeTree *test, GArray *nodes, GArray *text_of_node, PvNodeId node)
{
    uint32_t text = g_array_index (text_of_node, uint32_t, node);
    uint64_t left = test->left.data[node];
    test->first_child.data[node] = (PvNodeId)test->parent.len;
    for (;;) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < nodes->len; i++) {
            TextNode *candidate = &g_array_index (nodes, TextNode, i);
            if (candidate->parent == text && candidate->total != UINT64_MAX &&
                (best == 0 || candidate->total > g_array_index (nodes, TextNode, best).total))
                best = i;
        }
        if (best == 0)
            return;
        TextNode *chosen = &g_array_index (nodes, TextNode, best);
        add_node (test, node, chosen->function, left, chosen->total, chosen->is_inlined);
        g_array_append_val (text_of_node, best);
        left += chosen->total;
        chosen->total = UINT64_MAX; /* done */
    }
}

PvCallTree *
test_tree_from_text (const char *text)
{
    MadeTree *test = test_tree_new ();
    g_autoptr (GArray) nodes = g_array_new (FALSE, TRUE, sizeof (TextNode));
    g_autoptr (GArray) text_of_node = g_array_new (FALSE, TRUE, sizeof (uint32_t));
    char **lines = g_strsplit_set (text, "\n", -1);
    g_array_set_size (nodes, 1);
    g_array_index (nodes, TextNode, 0).parent = UINT32_MAX;
    for (uint32_t i = 0; lines[i] != NULL; i++)
        if (strchr (lines[i], ' ') != NULL)
            parse_line (test, nodes, lines[i]);

    add_node (test, PV_NODE_NONE, 0, 0, g_array_index (nodes, TextNode, 0).total, false);
    g_array_set_size (text_of_node, 1);
    PvNodeId start = 0, end = 1;
    while (start < end) {
        pv_array_push (&test->level_start, start);
        for (PvNodeId node = start; node < end; node++)
            add_children (test, nodes, text_of_node, node);
        start = end;
        end = (PvNodeId)test->parent.len;
    }
    g_strfreev (lines);
    return finish (test);
}

void
test_tree_free (PvCallTree *tree)
{
    g_autofree MadeTree *test = (MadeTree *)tree;
    pv_array_clear (&test->functions);
    pv_array_clear (&test->function);
    pv_array_clear (&test->parent);
    pv_array_clear (&test->first_child);
    pv_array_clear (&test->self);
    pv_array_clear (&test->total);
    pv_array_clear (&test->left);
    pv_array_clear (&test->frame);
    pv_array_clear (&test->location);
    pv_array_clear (&test->group);
    pv_array_clear (&test->level_start);
    g_string_chunk_free (test->strings);
    g_free (test->symbols.owners);
    g_hash_table_unref (test->ids);
}
