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
		_, f.Trace = i.module.splitTrap(err.Error())
		return f
	}
	var exit *sys.ExitError
	if errors.As(err, &exit) {
		return i.grown(FaultExit, export, fmt.Sprintf("called proc_exit with code %d", exit.ExitCode()), "")
	}
	message, trace := i.module.splitTrap(err.Error())
	if strings.Contains(message, "(recovered by wazero)") {
		return i.fault(FaultInternal, export, "a function of the host failed: "+message, err)
	}
	if strings.Contains(message, "stack overflow") {
		return i.fault(FaultStack, export, fmt.Sprintf("its calls nest too deeply and need more than the limit of %d bytes of stack; "+
			"raise the plugin's limits.stack_kb, or make it recurse less", i.module.limits.StackBytes), nil)
	}
	return i.grown(FaultTrap, export, message, trace)
}

// grown describes the end of a guest as a fault: as one of memory if its memory could not grow, else of the given kind.
func (i *instance) grown(kind FaultKind, export, detail, trace string) error {
	if i.linear.refused {
		kind, detail = FaultMemory, i.outgrown(detail)
	}
	f := i.fault(kind, export, detail, nil)
	f.Trace = trace
	return f
}

// outgrown says that the guest failed after its memory could not grow, and how it ended.
func (i *instance) outgrown(detail string) string {
	return fmt.Sprintf("needed more than its memory limit of %d bytes: %s", i.linear.limit, detail)
}

func (i *instance) fault(kind FaultKind, export, detail string, cause error) *Fault {
	return &Fault{
		Kind:   kind,
		Module: i.module.info.Name,
		SHA256: i.module.info.SHA256,
		Hook:   abi.Hook(export),
		Detail: detail,
		Output: sanitize(i.lastWords(), i.module.limits.LogLineBytes),
		Err:    cause,
	}
}

// lastWords is the most telling line that the guest wrote before its end: the message of a panic, else the last line.
// Go writes the message to stderr, followed by a stack trace; TinyGo writes it to stdout.
func (i *instance) lastWords() []byte {
	for _, text := range [][]byte{i.stderr.panicked, i.stdout.panicked, i.stderr.last} {
		if len(text) > 0 {
			return text
		}
	}
	return i.stdout.last
}
