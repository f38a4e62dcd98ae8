//go:build unix && !linux

package trial

import (
	"fmt"
	"os"
	"os/exec"
	"runtime/metrics"
	"time"
)

// endWithParent does nothing here: the child ends after its current job.
func endWithParent(*exec.Cmd) {}

// residentBytes is 0, which means unknown: the child watches itself.
func residentBytes(int) int64 { return 0 }

var began = time.Now()

// processorTime is the time since this process began: a child counts as one that runs all the time.
func processorTime(int) time.Duration { return time.Since(began) }

// watchOwnMemory ends this process when Go holds more memory than the limit. Memory mapped by the code of the module is
// not included.
func watchOwnMemory(limit int64) {
	go func() {
		held := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
		for range time.Tick(memoryInterval) {
			metrics.Read(held)
			if used := held[0].Value.Uint64() - held[1].Value.Uint64(); used > uint64(limit) {
				fmt.Fprintf(os.Stderr, "used %d MiB of memory, over its limit of %d MiB", used>>20, limit>>20)
				os.Exit(1)
			}
		}
	}()
}
