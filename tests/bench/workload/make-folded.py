#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make-folded.py OUT [MEGABYTES]: folded stacks in no order, nearly all distinct: walks over a random call graph."""
import random
import sys

FUNCTIONS = 20000
VERBS = "alloc read write parse sort merge hash scan walk send recv poll".split()
NOUNS = "node page list tree buf row key".split()


def main():
    chance = random.Random(5)  # the same file each time
    left = int(sys.argv[2] if len(sys.argv) > 2 else 100) * 1000000
    names = ["%s_%s_%d" % (chance.choice(VERBS), chance.choice(NOUNS), i) for i in range(FUNCTIONS)]
    callees = [[chance.randrange(FUNCTIONS) for _ in range(1 + int(chance.expovariate(0.4)))] for _ in names]
    with open(sys.argv[1], "w", encoding="ascii") as out:
        while left > 0:
            function, stack = chance.randrange(8), ["main"]
            for _ in range(chance.randrange(8, 40)):
                stack.append(names[function])
                among = callees[function]
                function = among[min(int(chance.expovariate(1.2)), len(among) - 1)]
            line = "%s %d\n" % (";".join(stack), chance.randrange(1, 50))
            left -= len(line)
            out.write(line)


main()
