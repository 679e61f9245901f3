#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-bulk.py DIR [UNITS]: writes a C++ program with much debug information: UNITS translation units (60 unless told, about
3 MB of binary each) of standard containers with types of their own, so that nothing is shared at link time.

The program takes the number of rounds that each unit works, and a second argument if it is to keep what it made."""
import os
import sys

UNIT = """
#include <algorithm>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace part_@N@
{
template <int Kind> struct Item {
    int number;
    std::string text;
    auto key () const { return std::tie (text, number); }
    friend bool operator< (const Item &a, const Item &b) { return a.key () < b.key (); }
    friend bool operator== (const Item &a, const Item &b) { return a.key () == b.key (); }
};

template <int Kind> struct Hash {
    std::size_t operator() (const Item<Kind> &item) const { return std::hash<std::string>{}(item.text) + Kind; }
};

template <typename... Containers> __attribute__ ((noinline)) void
keep (const Containers &...containers)
{
    static std::vector<std::shared_ptr<void>> kept;
    (kept.push_back (std::make_shared<Containers> (containers)), ...);
}

template <int Kind> __attribute__ ((noinline)) std::size_t
work (int n_rounds, bool keeps)
{
    using Thing = Item<Kind>;
    std::map<Thing, std::vector<Thing>> tree;
    std::unordered_map<Thing, std::shared_ptr<Thing>, Hash<Kind>> table;
    std::unordered_set<Thing, Hash<Kind>> seen;
    std::deque<std::unique_ptr<Thing>> queue;
    std::list<std::function<std::size_t (const Thing &)>> tasks;
    std::multimap<int, Thing> by_number;
    for (int i = 0; i < n_rounds; i++) {
        Thing thing{i * 31 % 257, "item " + std::to_string (i % 97)};
        tree[thing].push_back (thing);
        table[thing] = std::make_shared<Thing> (thing);
        seen.insert (thing);
        queue.push_back (std::make_unique<Thing> (thing));
        by_number.emplace (thing.number, thing);
        tasks.push_back ([thing] (const Thing &other) { return thing.text.size () + other.text.size (); });
    }
    std::vector<Thing> all;
    std::transform (queue.begin (), queue.end (), std::back_inserter (all), [] (const auto &item) { return *item; });
    std::stable_sort (all.begin (), all.end ());
    all.erase (std::unique (all.begin (), all.end ()), all.end ());
    std::ostringstream text;
    for (const Thing &thing : all)
        text << thing.number << thing.text;
    std::size_t sum = text.str ().size () + table.size () + seen.size () + by_number.size () + tree.size ();
    for (auto &task : tasks)
        sum += task (all.front ());
    if (keeps)
        keep (tree, table, seen, tasks, by_number, all);
    return sum;
}
} // namespace part_@N@

std::size_t
run_part_@N@ (int n_rounds, bool keeps)
{
    return @CALLS@;
}
"""


def main():
    out = sys.argv[1]
    n_units = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    os.makedirs(out, exist_ok=True)
    for n in range(n_units):
        calls = " + ".join("part_%d::work<%d> (n_rounds, keeps)" % (n, kind) for kind in range(4))
        with open(os.path.join(out, "part-%d.cpp" % n), "w", encoding="utf-8") as file:
            file.write(UNIT.replace("@N@", str(n)).replace("@CALLS@", calls))
    with open(os.path.join(out, "main.cpp"), "w", encoding="utf-8") as file:
        file.write("#include <cstddef>\n#include <cstdio>\n#include <cstdlib>\n")
        file.writelines("std::size_t run_part_%d (int n_rounds, bool keeps);\n" % n for n in range(n_units))
        file.write("int\nmain (int argc, char **argv)\n{\n    int n = argc > 1 ? std::atoi (argv[1]) : 10;\n    bool keeps = argc > 2;\n"
                   "    std::size_t sum = 0;\n")
        file.writelines("    sum += run_part_%d (n, keeps);\n" % n for n in range(n_units))
        file.write('    std::printf ("%zu\\n", sum);\n    return 0;\n}\n')
    objects = " ".join("part-%d.o" % n for n in range(n_units))
    with open(os.path.join(out, "Makefile"), "w", encoding="utf-8") as file:
        file.write("CXXFLAGS = -std=c++17 -O2 -g\nbulk: main.o %s\n\t$(CXX) -Wl,--build-id -o $@ $^\n" % objects)


main()
