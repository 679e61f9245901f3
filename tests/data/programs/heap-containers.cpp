// C++ heaps to be traced: containers, every operator new, smart pointers, exceptions.
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#define KEEP __attribute__ ((noinline))

namespace shop
{

struct alignas (64) Line {
    char bytes[64];
};

struct Order {
    std::string customer;
    std::vector<int> items;
    std::shared_ptr<int> total;
};

template <int N> struct Batch {
    std::vector<std::unique_ptr<Order>> orders;

    KEEP void fill ()
    {
        for (int i = 0; i < N; i++) {
            auto order = std::make_unique<Order> ();
            order->customer = "customer with a long name, number " + std::to_string (i);
            for (int k = 0; k < 3 + i % 4; k++)
                order->items.push_back (k);
            order->total = std::make_shared<int> (i);
            orders.push_back (std::move (order));
        }
    }
};

KEEP int
count_words (int n)
{
    std::map<std::string, int> words;
    for (int i = 0; i < n; i++)
        words["a word too long for its own bytes " + std::to_string (i % 7)]++;
    return static_cast<int> (words.size ());
}

KEEP void *
every_new ()
{
    int *one = new int (1);
    int *many = new int[20]{};
    int *quiet = new (std::nothrow) int (2);
    Line *line = new Line;
    Line *lines = new Line[3];
    void *raw = ::operator new (48);
    asm volatile("" : : "r"(one), "r"(many), "r"(quiet), "r"(line), "r"(lines) : "memory");
    delete one;
    delete[] many;
    delete quiet;
    delete line;
    delete[] lines;
    return raw; // never freed
}

KEEP int
fail (int n)
{
    try {
        if (n % 2 == 0)
            throw std::runtime_error ("number " + std::to_string (n) + " cannot be done");
    } catch (const std::exception &error) {
        return error.what ()[0];
    }
    return n;
}

} // namespace shop

int
main ()
{
    const auto pause = [] { std::this_thread::sleep_for (std::chrono::milliseconds (15)); };
    shop::Batch<24> kept;
    kept.fill ();
    pause ();
    int sum = shop::count_words (30);
    pause ();
    {
        shop::Batch<60> passing;
        passing.fill ();
        pause ();
    }
    auto *leaked = new shop::Batch<5>;
    leaked->fill ();
    for (int i = 0; i < 6; i++)
        sum += shop::fail (i);
    sum += shop::every_new () != nullptr;
    pause ();
    std::printf ("%d\n", sum);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
