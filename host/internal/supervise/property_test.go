package supervise_test

import (
	"flag"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

var (
	logSchedules = flag.Bool("schedule.log", false, "log the events and effects of each schedule")
	newSchedules = flag.Bool("schedule.new", false, "run schedules that nobody has seen, and not those of every run")
)

// scheduleRounds is how many times -rapid.checks schedules are run.
const scheduleRounds = 20

// TestSchedules runs random schedules, a multiple of -rapid.checks. They are the same ones in every run, so that a failure is
// of what was changed; make schedules looks at others. A failure is shrunk to the shortest one that still fails;
// -schedule.log shows its events.
func TestSchedules(t *testing.T) {
	seed := flag.Lookup("rapid.seed")
	if !*newSchedules && seed.Value.String() == seed.DefValue {
		defer func() { _ = seed.Value.Set(seed.DefValue) }()
		for round := range scheduleRounds {
			if err := seed.Value.Set(strconv.Itoa(round + 1)); err != nil {
				t.Fatal(err)
			}
			rapid.Check(t, anySchedule)
		}
		return
	}
	for range scheduleRounds {
		rapid.Check(t, anySchedule)
	}
}

func anySchedule(rt *rapid.T) {
	w := newWorld(rt, func(n int) int { return spread(rapid.Uint32().Draw(rt, "choice"), n) })
	if *logSchedules {
		w.logTo = rt.Logf
	}
	w.run(10 + spread(rapid.Uint32().Draw(rt, "steps"), 300))
}

// spread makes a choice of a number that rapid drew: rapid prefers small ones, and every choice is to be as likely as the
// others. Zero stays zero, so that a schedule shrinks.
func spread(v uint32, n int) int { return int((v*2654435761)>>8) % n }

// FuzzSchedule turns bytes into a schedule.
func FuzzSchedule(f *testing.F) {
	f.Add([]byte{}, uint8(20))
	f.Add([]byte("the browser, the plugins, the agents and the clock take turns"), uint8(60))
	f.Fuzz(func(t *testing.T, data []byte, steps uint8) {
		w := newWorld(t, func(n int) int {
			if len(data) == 0 {
				return 0
			}
			b := int(data[0])
			data = data[1:]
			return b % n
		})
		w.run(int(steps))
	})
}
