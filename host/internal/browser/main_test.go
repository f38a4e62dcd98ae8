package browser

import (
	"context"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// helperEnv makes the test binary a program that launches a browser and waits to be killed.
const helperEnv = "HERMES_CDP_TEST_LAUNCH_AND_WAIT" // its value is the transport

// pretenderEnv makes the test binary a program that does nothing until its input ends.
const pretenderEnv = "HERMES_CDP_TEST_PRETEND"

// ownerEnv makes it one that has a temporary profile, and waits to be killed.
const ownerEnv = "HERMES_CDP_TEST_OWN_A_PROFILE"

func TestMain(m *testing.M) {
	if os.Getenv(pretenderEnv) != "" {
		fmt.Println()
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	}
	if os.Getenv(ownerEnv) != "" {
		p, err := temporaryProfile("", LaunchOptions{}.withDefaults())
		if err != nil {
			panic(err)
		}
		fmt.Println(p.dir)
		for range time.Tick(time.Hour) { //nolint:revive // it is killed
		}
	}
	if os.Getenv(helperEnv) != "" {
		launchAndWait()
		return
	}
	goleak.VerifyTestMain(m)
}

func launchAndWait() {
	p, err := Launch(context.Background(), LaunchOptions{
		Executable: os.Getenv("HERMES_CDP_BROWSER_EXECUTABLE"), Transport: Transport(os.Getenv(helperEnv)),
	})
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	fmt.Println(p.PID(), p.UserDataDir())
	<-p.Done()
}

// patience is how long a test waits for what must come; it is never reached when the code is right.
const patience = 60 * time.Second

// within waits for a channel to give or close.
func within[T any](t testing.TB, c <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(patience):
		t.Fatalf("waited too long for %s", what)
		panic("unreachable")
	}
}
