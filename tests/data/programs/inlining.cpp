// C++: deep chains of inlined templates and lambdas inside a few functions that stay.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#define KEEP __attribute__ ((noinline))
#define FLAT inline __attribute__ ((always_inline))

namespace geometry
{

struct Vec {
    double x, y, z;
    FLAT Vec operator+ (const Vec &o) const
    {
        return {x + o.x, y + o.y, z + o.z};
    }
    FLAT Vec operator* (double f) const
    {
        return {x * f, y * f, z * f};
    }
    FLAT double dot (const Vec &o) const
    {
        return x * o.x + y * o.y + z * o.z;
    }
};

template <int Depth> struct Refine {
    static FLAT Vec apply (const Vec &v)
    {
        Vec half = Refine<Depth - 1>::apply (v * 0.5);
        return half + v * (1.0 / (Depth + half.dot (v) * half.dot (v)));
    }
};

template <> struct Refine<0> {
    static FLAT Vec apply (const Vec &v)
    {
        return v;
    }
};

template <typename T, typename Op>
FLAT T
fold (const std::vector<T> &items, T start, Op op)
{
    for (const T &item : items)
        start = op (start, item);
    return start;
}

KEEP Vec
centre (const std::vector<Vec> &points)
{
    return fold (points, Vec{0, 0, 0},
                 [] (const Vec &sum, const Vec &p) { return sum + Refine<6>::apply (p); });
}

class Shape
{
  public:
    virtual ~Shape () = default;
    virtual double weigh (const std::vector<Vec> &points) const = 0;
};

class Cloud : public Shape
{
  public:
    KEEP double weigh (const std::vector<Vec> &points) const override
    {
        return fold (points, 0.0, [] (double sum, const auto &p) { return sum + measure (p); });
    }

  private:
    static FLAT double norm (const Vec &v)
    {
        return v.dot (v);
    }
    static FLAT double measure (const Vec &v)
    {
        return norm (Refine<3>::apply (v)) / (1 + norm (v));
    }
    template <typename T>
    static FLAT double fold (const std::vector<Vec> &points, T start,
                             double (*op) (double, const Vec &))
    {
        for (const Vec &p : points)
            start = op (start, p);
        return start;
    }
    template <typename T, typename Op>
    static FLAT double fold (const std::vector<Vec> &points, T start, Op op)
    {
        for (const Vec &p : points)
            start = op (start, p);
        return start;
    }
};

} // namespace geometry

namespace
{

class Words
{
  public:
    KEEP void add (const std::string &word)
    {
        ++counts[word];
    }
    KEEP std::size_t most () const
    {
        auto best =
            std::max_element (counts.begin (), counts.end (),
                              [] (const auto &a, const auto &b) { return a.second < b.second; });
        return best == counts.end () ? 0 : best->second;
    }

  private:
    std::map<std::string, std::size_t> counts;
};

KEEP std::size_t
count_words (int n_words)
{
    Words words;
    for (int i = 0; i < n_words; i++)
        words.add ("a word that does not fit inside " + std::to_string (i * 7919 % 97));
    return words.most ();
}

template <typename Less>
KEEP void
order (std::vector<geometry::Vec> &points, Less less)
{
    std::sort (points.begin (), points.end (), less);
}

} // namespace

int
main (int argc, char **argv)
{
    int n_rounds = argc > 1 ? std::atoi (argv[1]) : 100;
    std::vector<geometry::Vec> points;
    geometry::Cloud cloud;
    const geometry::Shape &shape = cloud;
    double sum = 0;
    for (int round = 0; round < n_rounds; round++) {
        points.clear ();
        for (int i = 0; i < 3000; i++)
            points.push_back ({double (i * 7919 % 3001), double (i % 17), double (round)});
        order (points, [] (const geometry::Vec &a, const geometry::Vec &b) { return a.x < b.x; });
        for (int i = 0; i < 30; i++) {
            sum += geometry::centre (points).x;
            sum += shape.weigh (points);
        }
        sum += double (count_words (1000));
    }
    std::printf ("%g\n", sum);
    return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
