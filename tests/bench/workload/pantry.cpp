/* SPDX-License-Identifier: GPL-3.0-or-later */
// A heap to be traced: pantry STATEMENTS [THREADS]. Statements of a make-believe query engine are
// built as trees of operators and evaluated, again and again: about 300 shapes, so that some
// hundred thousand stacks allocate. Results go into a cache that grows until the middle of the run
// and shrinks again; a few are forgotten.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#define KEEP __attribute__ ((noinline))

namespace pantry
{

class Dice
{
  public:
    explicit Dice (uint64_t seed) : state (seed * 0x9e3779b97f4a7c15u + 1)
    {
    }
    uint32_t roll (uint32_t sides)
    {
        state += 0x9e3779b97f4a7c15u;
        uint64_t x = (state ^ (state >> 31)) * 0xbf58476d1ce4e5b9u;
        return static_cast<uint32_t> ((x ^ (x >> 29)) >> 33) % sides;
    }

  private:
    uint64_t state;
};

using Row = std::vector<std::string>;
using Rows = std::vector<Row>;

struct Operator {
    std::vector<std::unique_ptr<Operator>> inputs;
    virtual ~Operator () = default;
    virtual Rows run (Dice &dice) const = 0;
};

template <int K>
KEEP std::string
spell (uint32_t number)
{
    std::string word (20 + K % 17, static_cast<char> ('a' + K % 26));
    return word + std::to_string (number);
}

// What an operator does to rows: five ways, each instance a site of its own.
template <int K>
KEEP Rows
scan (Dice &dice)
{
    Rows rows;
    for (uint32_t i = 0, n = 2 + dice.roll (3); i < n; i++)
        rows.push_back ({spell<K> (i), spell<K + 1> (dice.roll (1000))});
    return rows;
}

template <int K>
KEEP Rows
group (Rows rows)
{
    std::map<std::string, std::unique_ptr<int>> groups;
    for (Row &row : rows) {
        auto &count = groups[std::move (row.back ())];
        if (count == nullptr)
            count = std::make_unique<int> (K);
    }
    Rows result;
    for (const auto &[name, count] : groups)
        result.push_back ({name, std::to_string (*count)});
    return result;
}

template <int K>
KEEP Rows
join (const Rows &left, Rows right)
{
    std::unordered_map<std::string, std::shared_ptr<Row>> table;
    for (const Row &row : left)
        table.emplace (row.front (), std::make_shared<Row> (row));
    for (Row &row : right)
        if (table.count (row.front ()) != 0)
            row.push_back (spell<K> (1));
    return right;
}

template <int K>
KEEP Rows
encode (Rows rows)
{
    char *buffer = nullptr;
    size_t size = 0;
    for (const Row &row : rows) {
        buffer = static_cast<char *> (std::realloc (buffer, size + row.front ().size () + K % 7));
        std::memcpy (buffer + size, row.front ().data (), row.front ().size ());
        size += row.front ().size ();
    }
    asm volatile("" : : "r"(buffer) : "memory");
    std::free (buffer);
    return rows;
}

template <int K>
KEEP Rows
log_each (Rows rows)
{
    size_t length = 0;
    for (uint32_t i = 0; i < rows.size (); i++)
        length += spell<K> (i).size (); // freed at once
    asm volatile("" : : "r"(length));
    return rows;
}

template <int K> struct Step final : Operator {
    KEEP Rows run (Dice &dice) const override
    {
        Rows rows = inputs.empty () ? scan<K> (dice) : inputs.front ()->run (dice);
        if constexpr (K % 4 == 0)
            rows = group<K> (std::move (rows));
        else if constexpr (K % 4 == 1)
            rows = encode<K> (std::move (rows));
        else if constexpr (K % 4 == 2)
            rows = log_each<K> (std::move (rows));
        if (inputs.size () > 1)
            rows = join<K> (rows, inputs.back ()->run (dice));
        return rows;
    }
};

constexpr int n_kinds = 48;
using Maker = std::unique_ptr<Operator> (*) ();

template <int K>
KEEP std::unique_ptr<Operator>
make ()
{
    return std::make_unique<Step<K>> ();
}

template <int... K>
constexpr std::array<Maker, sizeof...(K)>
list_makers (std::integer_sequence<int, K...>)
{
    return {make<K>...};
}

constexpr auto makers = list_makers (std::make_integer_sequence<int, n_kinds>{});

KEEP std::unique_ptr<Operator>
plan (Dice &shape, unsigned depth)
{
    auto step = makers[shape.roll (n_kinds)]();
    for (unsigned n_inputs = depth == 0 ? 0 : 1 + shape.roll (2); n_inputs > 0; n_inputs--)
        step->inputs.push_back (plan (shape, depth - 1));
    return step;
}

class Cache
{
  public:
    KEEP void put (Rows rows, size_t room, bool forgets)
    {
        if (forgets) {
            auto *lost = new Rows (std::move (rows));
            asm volatile("" : : "r"(lost) : "memory");
            return;
        }
        results.push_back (std::move (rows));
        while (results.size () > room)
            results.pop_front ();
    }

  private:
    std::deque<Rows> results;
};

void
serve (uint32_t n_statements, uint64_t seed)
{
    Dice dice (seed);
    Cache cache;
    for (uint32_t i = 0; i < n_statements; i++) {
        Dice shape (dice.roll (300));
        auto statement = plan (shape, 2 + shape.roll (4));
        uint64_t from_end = std::min (i, n_statements - i);
        cache.put (statement->run (dice), 50 + 20000 * from_end / n_statements,
                   dice.roll (2000) == 0);
    }
}

} // namespace pantry

int
main (int argc, char **argv)
{
    uint32_t n_statements = argc > 1 ? static_cast<uint32_t> (std::atoi (argv[1])) : 1000;
    unsigned n_threads = argc > 2 ? static_cast<unsigned> (std::atoi (argv[2])) : 4;
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < n_threads; i++)
        threads.emplace_back (pantry::serve, n_statements / n_threads, i + 1);
    for (std::thread &thread : threads)
        thread.join ();
    return 0;
}
