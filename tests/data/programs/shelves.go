// SPDX-License-Identifier: GPL-3.0-or-later

// shelves DIR: writes its heap profile twice, DIR/before.pb.gz and DIR/after.pb.gz. In between some shelves are emptied, others
// are filled, and some are refilled with less.
package main

import (
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
)

type shelf struct {
	boxes [][]byte
	next  *shelf
}

//go:noinline
func pack(size int) []byte {
	return make([]byte, size)
}

//go:noinline
func stack(s *shelf, depth, n, size int) {
	for i := 0; i < n; i++ {
		s.boxes = append(s.boxes, pack(size))
	}
	if depth > 0 {
		s.next = &shelf{}
		stack(s.next, depth-1, n, size*2)
	}
}

//go:noinline
func stockSpices(s *shelf, n int) {
	stack(s, 3, n, 512)
}

//go:noinline
func stockFlour(s *shelf, n int) {
	stack(s, 2, n, 4096)
}

//go:noinline
func stockBottles(s *shelf, n int) {
	for i := 0; i < n; i++ {
		s.boxes = append(s.boxes, pack(1024))
	}
}

//go:noinline
func stockCorner(s *shelf, n int) {
	for i := 0; i < n; i++ {
		s.boxes = append(s.boxes, make([]byte, 2048))
	}
}

func write(folder, name string) {
	// What was freed is known after some collections.
	for i := 0; i < 4; i++ {
		runtime.GC()
	}
	file, err := os.Create(filepath.Join(folder, name))
	if err != nil {
		panic(err)
	}
	if err := pprof.Lookup("heap").WriteTo(file, 0); err != nil {
		panic(err)
	}
	file.Close()
}

func main() {
	runtime.MemProfileRate = 1
	var spices, flour, bottles, corner, more shelf
	stockSpices(&spices, 40)
	stockFlour(&flour, 25)
	stockBottles(&bottles, 100)
	stockCorner(&corner, 30)
	write(os.Args[1], "before.pb.gz")
	spices.boxes, spices.next = nil, nil
	flour.boxes, flour.next = nil, nil
	stockFlour(&flour, 10)
	stockBottles(&more, 150)
	corner.boxes = nil
	stockCorner(&corner, 30)
	write(os.Args[1], "after.pb.gz")
	runtime.KeepAlive(&spices)
	runtime.KeepAlive(&flour)
	runtime.KeepAlive(&bottles)
	runtime.KeepAlive(&corner)
	runtime.KeepAlive(&more)
}
