// Package freeport gives ports to servers that tests start.
package freeport

import (
	"fmt"
	"math/rand/v2"
	"net"
	"testing"
)

// For returns a port for a program that cannot say which it got. It lies below those that a system gives to whoever
// asks for any, so that no other test gets it before the program does.
func For(t testing.TB) int {
	t.Helper()
	for {
		port := 10_000 + rand.IntN(20_000)
		listener, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", port))
		if err != nil {
			continue // it is somebody's
		}
		if err := listener.Close(); err != nil {
			t.Fatal(err)
		}
		return port
	}
}
