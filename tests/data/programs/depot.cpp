// depot: something to see for gperftools: work on the processor, memory that is kept, and memory
// that is not.
//
//   depot DIR   writes DIR/cpu.prof (needs -lprofiler) and DIR/heap.*.heap, DIR/growth.prof (needs
//   -ltcmalloc)
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gperftools/heap-profiler.h>
#include <gperftools/malloc_extension.h>
#include <gperftools/profiler.h>

namespace depot
{
struct Crate {
    int weight;
    std::string label;
    std::vector<char> content;
};

using Shelf = std::vector<std::unique_ptr<Crate>>;

template <typename T>
inline T
mixed (T value, T other)
{
    return static_cast<T> ((value * 2654435761u) ^ (other >> 3));
}

__attribute__ ((noinline)) unsigned
weigh (const Shelf &shelf, int n_rounds)
{
    unsigned sum = 1;
    for (int round = 0; round < n_rounds; round++) {
        for (const auto &crate : shelf)
            sum = mixed<unsigned> (sum, static_cast<unsigned> (crate->weight));
    }
    return sum;
}

inline bool
is_before (const std::string &a, const std::string &b)
{
    return b.compare (a) < 0;
}

/* Shell's: its names are short. */
__attribute__ ((noinline)) void
sort_by_label (std::vector<std::string> &labels)
{
    for (std::size_t gap = labels.size () / 2; gap > 0; gap /= 2) {
        for (std::size_t i = gap; i < labels.size (); i++) {
            for (std::size_t j = i; j >= gap && is_before (labels[j], labels[j - gap]); j -= gap)
                labels[j].swap (labels[j - gap]);
        }
    }
}

__attribute__ ((noinline)) void
sort_often (std::vector<std::string> labels)
{
    for (int round = 0; round < 2500; round++) {
        sort_by_label (labels);
        std::rotate (labels.begin (), labels.begin () + 7, labels.end ());
    }
}

__attribute__ ((noinline)) std::unique_ptr<Crate>
pack (int number)
{
    auto crate = std::make_unique<Crate> ();
    crate->weight = number * 31 % 257;
    crate->label =
        "a label that does not fit into the string itself, number " + std::to_string (number);
    crate->content.resize (2000 + static_cast<std::size_t> (number) % 7 * 1000);
    return crate;
}

__attribute__ ((noinline)) Shelf
fill (int n_crates)
{
    Shelf shelf;
    for (int i = 0; i < n_crates; i++)
        shelf.push_back (pack (i));
    return shelf;
}
} // namespace depot

int
main (int argc, char **argv)
{
    const std::string folder = argc > 1 ? argv[1] : ".";
    HeapProfilerStart ((folder + "/heap").c_str ());
    depot::Shelf kept = depot::fill (400);
    HeapProfilerDump ("first");
    depot::fill (300); /* not kept */
    depot::Shelf more = depot::fill (200);
    HeapProfilerDump ("second");
    HeapProfilerStop ();
    std::string growth;
    MallocExtension::instance ()->GetHeapGrowthStacks (&growth);
    std::ofstream (folder + "/growth.prof") << growth;

    ProfilerStart ((folder + "/cpu.prof").c_str ());
    std::vector<std::string> labels;
    for (const auto &crate : kept)
        labels.push_back (crate->label);
    std::thread other (depot::sort_often, labels);
    unsigned sum = depot::weigh (kept, 100000);
    other.join ();
    ProfilerStop ();
    std::printf ("%u\n", sum);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
