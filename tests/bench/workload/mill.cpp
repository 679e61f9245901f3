/* SPDX-License-Identifier: GPL-3.0-or-later */
// mill [SECONDS [THREADS [DEPTH]]]: grinds numbers at the ends of many different call paths, so
// that a recording of it has many distinct stacks: a walk of random depth through a family of
// functions, then work in the standard library.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#define KEEP __attribute__ ((noinline))

namespace mill
{

struct State {
    std::uint64_t random;
    std::vector<std::uint32_t> grain;
    std::map<std::string, int> labels;
    std::unordered_map<std::uint64_t, double> cache;
    double sum;

    std::uint64_t next ()
    {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        return random;
    }
};

template <int Size> struct Stone {
    double weight (double x) const
    {
        return Stone<Size - 1>{}.weight (x * 0.75) + Size / (1.0 + x * x);
    }
};

template <> struct Stone<0> {
    double weight (double x) const
    {
        return x;
    }
};

template <typename Key> struct Order {
    Key key;
    bool operator() (std::uint32_t a, std::uint32_t b) const
    {
        return key (a) < key (b);
    }
};

template <typename Key>
Order<Key>
order_by (Key key)
{
    return {key};
}

KEEP void
sort_grain (State &state)
{
    std::uint32_t salt = std::uint32_t (state.next ());
    std::sort (state.grain.begin (), state.grain.end (),
               order_by ([salt] (std::uint32_t n) { return (n ^ salt) * 2654435761u; }));
}

KEEP void
label_grain (State &state)
{
    for (int i = 0; i < 40; i++)
        ++state.labels["sack number " + std::to_string (state.next () % 200)];
}

KEEP void
cache_grain (State &state)
{
    for (int i = 0; i < 60; i++)
        state.cache[state.next () % 5000] += double (i);
}

KEEP void
weigh_grain (State &state)
{
    for (std::uint32_t n : state.grain)
        state.sum += Stone<9>{}.weight (double (n % 1000));
}

KEEP void
grind (State &state)
{
    switch (state.next () % 4) {
    case 0:
        return sort_grain (state);
    case 1:
        return label_grain (state);
    case 2:
        return cache_grain (state);
    default:
        return weigh_grain (state);
    }
}

// One step of the walk. There are Width functions of the kind, each of which picks the next at
// random; the addition after the call keeps the frame on the stack.
constexpr int width = 12;

template <int Kind> KEEP double step (State &state, int depth);

template <int... Kinds>
KEEP double
choose (State &state, int depth, std::integer_sequence<int, Kinds...>)
{
    static constexpr double (*steps[]) (State &, int) = {step<Kinds>...};
    return steps[state.next () % width](state, depth) + 1;
}

template <int Kind>
KEEP double
step (State &state, int depth)
{
    double result = 0;
    if (depth > 0 && state.next () % 32 != 0)
        result = choose (state, depth - 1, std::make_integer_sequence<int, width>{});
    else
        grind (state);
    // Many paths end in several leaves: what was walked once is used a few times.
    if (depth > 4 && state.next () % 16 == 0)
        grind (state);
    return result + Kind;
}

KEEP void
run (double seconds, int depth, std::uint64_t seed)
{
    State state = {0x9e3779b97f4a7c15u, {}, {}, {}, 0};
    for (int i = 0; i < 400; i++)
        state.grain.push_back (std::uint32_t (state.next ()));
    auto end = std::chrono::steady_clock::now () + std::chrono::duration<double> (seconds);
    // The roots of the walks come from a small set, so that paths repeat as they do in real
    // programs.
    std::vector<std::uint64_t> seeds;
    for (int i = 0; i < 60; i++)
        seeds.push_back (state.next ());
    state.random += seed;
    while (std::chrono::steady_clock::now () < end) {
        std::uint64_t chosen = seeds[state.next () % seeds.size ()], kept = state.next ();
        state.random = chosen;
        state.sum += step<0> (state, depth);
        state.random = kept;
    }
    if (state.sum == 0.125)
        std::puts ("unlikely");
}

} // namespace mill

int
main (int argc, char **argv)
{
    double seconds = argc > 1 ? std::atof (argv[1]) : 2;
    int n_threads = argc > 2 ? std::atoi (argv[2]) : 4;
    int depth = argc > 3 ? std::atoi (argv[3]) : 60;
    std::vector<std::thread> threads;
    for (int i = 0; i < n_threads; i++)
        threads.emplace_back (mill::run, seconds, depth, std::uint64_t (i));
    for (std::thread &thread : threads)
        thread.join ();
    return 0;
}
