package trial

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/tetratelabs/wazero"
)

// A child of this test binary that has an argument is not the one of the product: it does what a module would do that
// got out of its meter. Variables are initialised before any init function runs, and so before the child's own.
var _ = misbehave()

func misbehave() bool {
	if os.Getenv(Variable) != value || len(os.Args) < 2 {
		return false
	}
	switch os.Args[1] {
	case "spin":
		spin()
	case "grow":
		grow()
	case "crash":
		panic("the child fell over")
	case "chatter":
		fmt.Fprint(os.Stdout, "this is no answer")
		select {}
	case "environment":
		fmt.Fprint(os.Stderr, strings.Join(os.Environ(), ","))
		os.Exit(1)
	case "parent":
		abandon()
	}
	return true
}

// spin is a guest on a bare engine, which nothing can end: no signal of Go's, no collection.
func spin() {
	ctx := context.Background()
	wasm := []byte("\x00asm\x01\x00\x00\x00\x01\x04\x01\x60\x00\x00\x03\x02\x01\x00\x07\x05\x01\x01f\x00\x00\x0a\x09\x01\x07\x00\x03\x40\x0c\x00\x0b\x0b")
	guest, err := wazero.NewRuntime(ctx).Instantiate(ctx, wasm)
	if err == nil {
		_, err = guest.ExportedFunction("f").Call(ctx)
	}
	panic(err)
}

func grow() {
	for held := [][]byte{}; ; {
		some := make([]byte, 1<<20)
		for at := range some {
			some[at] = 1
		}
		held = append(held, some)
	}
}

// abandon is a parent with a child that spins. It says the child's number, and waits to be killed.
func abandon() {
	s := &Session{options: Options{Command: []string{os.Args[0], "spin"}}, limit: 1 << 40, ended: make(chan struct{})}
	if err := s.start(1 << 20); err != nil {
		panic(err)
	}
	fmt.Fprintln(os.Stdout, s.group.PID())
	select {}
}
