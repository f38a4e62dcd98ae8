package trial

import (
	"cmp"
	"fmt"
	"os"
	"time"
)

// Options say how modules are tried. The zero value tries them with the defaults.
type Options struct {
	Off         bool          // modules are not tried but run in this process from the start
	Command     []string      // the program to start and its arguments; default: this executable, without arguments
	Timeout     time.Duration // one step of a trial: compiling and initialising, or one call; default 30 s
	MemoryBytes int64         // of the child, in addition to the linear memory of the module; default 512 MiB
}

const (
	defaultTimeout     = 30 * time.Second
	defaultMemoryBytes = 512 << 20
)

// withDefaults returns the options with every zero field replaced by its default. The error is an [*Error].
func (o Options) withDefaults() (Options, error) {
	o.Timeout = cmp.Or(o.Timeout, defaultTimeout)
	o.MemoryBytes = cmp.Or(o.MemoryBytes, defaultMemoryBytes)
	if len(o.Command) > 0 {
		return o, nil
	}
	self, err := os.Executable()
	if err != nil {
		return o, unavailable(err)
	}
	o.Command = []string{self}
	return o, nil
}

// Reason is why a trial did not finish.
type Reason string

// The reasons for which a trial does not finish.
const (
	Hung        Reason = "timeout"     // a step took longer than Options.Timeout, so the child was killed
	Memory      Reason = "memory"      // the child exceeded Options.MemoryBytes and was killed
	Crashed     Reason = "crash"       // the child exited, or its answer was invalid
	Unavailable Reason = "unavailable" // no child could be started
)

// Error says why a trial did not finish. What a module answers, and why it is refused, is never an Error.
type Error struct {
	Reason Reason
	Doing  string // the step in progress; empty for Unavailable
	Detail string // what happened and what to do about it
	Err    error  // the cause; may be nil
}

// Error names the step in progress and what happened.
func (e *Error) Error() string {
	if e.Doing == "" {
		return e.Detail
	}
	return e.Doing + ", in a child process, " + e.Detail
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

func unavailable(err error) *Error {
	return &Error{Reason: Unavailable, Err: err, Detail: fmt.Sprintf("no child process could be started to try the module: %v; "+
		"allow this program to start itself, or, if you trust every module, switch trials off (plugin_trial: false)", err)}
}
