package plugin

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tetratelabs/wazero/sys"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// classify turns the error of a call into a *Fault.
func (i *instance) classify(export string, err error) error {
	if s, ok := asStop(err); ok {
		f := i.stopped(export, s)
		_, f.Trace = splitTrap(err.Error())
		return f
	}
	var exit *sys.ExitError
	if errors.As(err, &exit) {
		return i.grown(FaultExit, export, fmt.Sprintf("called proc_exit with code %d", exit.ExitCode()), "")
	}
	message, trace := splitTrap(err.Error())
	if strings.Contains(message, "(recovered by wazero)") {
		return i.fault(FaultInternal, export, "a function of the host failed: "+message, err)
	}
	return i.grown(FaultTrap, export, message, trace)
}

// grown makes the fault of a guest that ended by itself, or of one that ended because its memory could not grow.
func (i *instance) grown(kind FaultKind, export, detail, trace string) error {
	if i.linear.refused {
		kind = FaultMemory
		detail = fmt.Sprintf("needed more than its memory limit of %d bytes: %s", i.linear.limit, detail)
	}
	f := i.fault(kind, export, detail, nil)
	f.Trace = trace
	return f
}

func (i *instance) fault(kind FaultKind, export, detail string, cause error) *Fault {
	last := i.stderr.last
	if len(last) == 0 {
		last = i.stdout.last
	}
	return &Fault{
		Kind:   kind,
		Module: i.module.info.Name,
		SHA256: i.module.info.SHA256,
		Hook:   abi.Hook(export),
		Detail: detail,
		Output: sanitize(last, i.module.limits.LogLineBytes),
		Err:    cause,
	}
}

// maxTraceLine bounds the function names of a stack, which come from the module.
const maxTraceLine = 256

// splitTrap separates wazero's message from the guest's stack, and makes both safe to print: function names are the
// module's own text.
func splitTrap(text string) (message, trace string) {
	message, rest, _ := strings.Cut(text, "\nwasm stack trace:")
	message = sanitize([]byte(strings.TrimPrefix(message, "wasm error: ")), 4*maxTraceLine)
	var lines []string
	for line := range strings.Lines(rest) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, sanitize([]byte(line), maxTraceLine))
		}
	}
	return message, strings.Join(lines, "\n")
}
