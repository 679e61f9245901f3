// SPDX-License-Identifier: GPL-3.0-or-later
// hoard: keeps a big tree, made by functions that call each other in all orders, and writes Go's profile of the heap with
// every allocation in it: some 170,000 distinct stacks.
//
//	hoard OUT.pb.gz [NODES]
package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"strconv"
)

type node struct {
	children []*node
	payload  []byte
	name     string
}

type grower struct {
	state uint64
	left  int
}

// A generator of its own: the same tree each time.
func (g *grower) next(n int) int {
	g.state ^= g.state << 13
	g.state ^= g.state >> 7
	g.state ^= g.state << 17
	return int(g.state>>33) % n
}

func (g *grower) grow(depth int) *node {
	g.left--
	switch g.next(6) {
	case 0:
		return g.branch(depth)
	case 1:
		return g.pair(depth)
	case 2:
		return g.named(depth)
	case 3:
		return g.heavy(depth)
	case 4:
		return wrap(func() *node { return g.branch(depth) })
	}
	return g.chain(depth)
}

//go:noinline
func wrap(make func() *node) *node { return make() }

//go:noinline
func (g *grower) branch(depth int) *node {
	result := &node{}
	for i := g.next(4); i >= 0 && depth > 0 && g.left > 0; i-- {
		result.children = append(result.children, g.grow(depth-1))
	}
	return result
}

//go:noinline
func (g *grower) pair(depth int) *node {
	result := &node{children: make([]*node, 0, 2)}
	if depth > 0 && g.left > 0 {
		result.children = append(result.children, g.grow(depth-1))
		result.children = append(result.children, g.grow(depth-1))
	}
	return result
}

//go:noinline
func (g *grower) named(depth int) *node {
	result := &node{name: "node " + strconv.Itoa(1000+g.left)}
	if depth > 0 && g.left > 0 {
		result.children = []*node{g.grow(depth - 1)}
	}
	return result
}

//go:noinline
func (g *grower) heavy(depth int) *node {
	result := &node{payload: make([]byte, 16<<uint(g.next(5)))}
	if depth > 0 && g.left > 0 {
		result.children = []*node{g.grow(depth - 1)}
	}
	return result
}

//go:noinline
func (g *grower) chain(depth int) *node {
	result := &node{}
	for at := result; depth > 0 && g.left > 0 && g.next(3) > 0; depth-- {
		below := g.grow(depth - 1)
		at.children = append(at.children, below)
		at = below
	}
	return result
}

func main() {
	runtime.MemProfileRate = 1
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "hoard OUT.pb.gz [NODES]")
		os.Exit(2)
	}
	nNodes := 42000
	if len(os.Args) > 2 {
		nNodes, _ = strconv.Atoi(os.Args[2])
	}
	g := &grower{state: 88172645463325252, left: nNodes}
	var kept []*node
	for g.left > 0 {
		kept = append(kept, g.grow(11))
	}
	runtime.GC()
	file, err := os.Create(os.Args[1])
	if err == nil {
		err = pprof.Lookup("heap").WriteTo(file, 0)
	}
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "hoard:", err)
		os.Exit(1)
	}
	runtime.KeepAlive(kept)
}
