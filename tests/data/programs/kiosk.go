// kiosk: a small shop with something to see in each of Go's profiles: work on the processor, memory that is kept and
// memory that is not, goroutines that wait, a lock that several want, and a channel that nobody empties in time.
//
//	kiosk write DIR [ORDERS]  writes DIR/{cpu,heap,goroutine,mutex,block}.pb.gz
//	kiosk serve [HOST:]PORT   sells until it is killed, with the profiles of net/http/pprof; prints the address
package main

import (
	"context"
	"fmt"
	"math"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

type number interface{ ~int | ~float64 }

// A generic function: its name has brackets.
func sumOf[T number](values []T) (sum T) {
	for _, value := range values {
		sum += value
	}
	return sum
}

type order struct {
	customer string
	prices   []float64
	note     []byte
}

type ledger struct {
	lock   sync.Mutex
	orders map[string][]*order
	total  float64
}

//go:noinline
func parseOrder(line string) *order {
	words := strings.Split(line, ",")
	result := &order{customer: words[0], note: make([]byte, 512)}
	for _, word := range words[1:] {
		price, _ := strconv.ParseFloat(word, 64)
		result.prices = append(result.prices, price)
	}
	return result
}

func discount(price float64, step int) float64 { return math.Sqrt(price*price+float64(step)) / 1.01 }

//go:noinline
func (o *order) price() float64 {
	prices := append([]float64(nil), o.prices...)
	for step := 0; step < 400; step++ {
		for i := range prices {
			prices[i] = discount(prices[i], step)
		}
	}
	sort.Float64s(prices)
	return sumOf(prices)
}

// Holds the lock while it thinks, so others wait for it.
func (l *ledger) add(o *order) {
	price := o.price()
	l.lock.Lock()
	defer l.lock.Unlock()
	l.total += price
	if len(l.orders[o.customer]) < 40 {
		l.orders[o.customer] = append(l.orders[o.customer], o)
	}
	hold(20 * time.Microsecond)
}

//go:noinline
func hold(duration time.Duration) {
	for start := time.Now(); time.Since(start) < duration; {
	}
}

func sell(l *ledger, lines <-chan string, done *sync.WaitGroup) {
	defer done.Done()
	for line := range lines {
		l.add(parseOrder(line))
	}
}

// Customers of a kind have a label, numbers too.
func shop(l *ledger, route string, nOrders int) {
	lines := make(chan string)
	var done sync.WaitGroup
	pprof.Do(context.Background(), pprof.Labels("route", route, "kind", "a;b, c"), func(context.Context) {
		for i := 0; i < 3; i++ {
			done.Add(1)
			go sell(l, lines, &done)
		}
	})
	for i := 0; i < nOrders; i++ {
		lines <- fmt.Sprintf("customer %d,%d.5,%d,%d.25", i%17, i%100, i%7, i%13)
	}
	close(lines)
	done.Wait()
}

func waitForever(never <-chan int) { <-never }

func write(folder, name string) {
	file, err := os.Create(filepath.Join(folder, name+".pb.gz"))
	if err == nil {
		err = pprof.Lookup(name).WriteTo(file, 0)
	}
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "kiosk:", err)
	os.Exit(1)
}

func writeAll(folder string, nOrders int) {
	l := &ledger{orders: map[string][]*order{}}
	file, err := os.Create(filepath.Join(folder, "cpu.pb.gz"))
	if err == nil {
		err = pprof.StartCPUProfile(file)
	}
	if err != nil {
		fail(err)
	}
	shop(l, "/orders", nOrders)
	shop(l, "/gifts", nOrders/3)
	pprof.StopCPUProfile()
	file.Close()
	never := make(chan int)
	for i := 0; i < 5; i++ {
		go waitForever(never)
	}
	time.Sleep(10 * time.Millisecond)
	runtime.GC()
	for _, name := range []string{"heap", "goroutine", "mutex", "block"} {
		write(folder, name)
	}
	runtime.KeepAlive(l)
}

func serve(address string) {
	if !strings.Contains(address, ":") {
		address = "127.0.0.1:" + address
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		fail(err)
	}
	fmt.Println(listener.Addr())
	l := &ledger{orders: map[string][]*order{}}
	go func() {
		for {
			shop(l, "/orders", 1000)
			time.Sleep(time.Millisecond)
		}
	}()
	fail(http.Serve(listener, nil))
}

func main() {
	if len(os.Args) < 3 {
		fail(fmt.Errorf("write DIR [ORDERS] or serve PORT"))
	}
	runtime.MemProfileRate = 4096
	runtime.SetMutexProfileFraction(1)
	runtime.SetBlockProfileRate(1)
	if os.Args[1] == "serve" {
		serve(os.Args[2])
	}
	nOrders := 30000
	if len(os.Args) > 3 {
		nOrders, _ = strconv.Atoi(os.Args[3])
	}
	writeAll(os.Args[2], nOrders)
}

// SPDX-License-Identifier: GPL-3.0-or-later
