package plugin

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/sys"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/wasmfile"
)

// instance is one instance of a module with the state of its current call. It has one caller at a time.
type instance struct {
	module    *Module
	guest     api.Module
	memory    api.Memory
	linear    *linearMemory
	native    *[]byte         // the stack that its functions run on; nil once it is closed
	functions []api.Function  // by the index of hooks; nil for a hook that is not exported
	ctx       context.Context // of the calls of the guest; it carries the instance to the host functions
	allowance allowance
	stdout    streamWriter
	stderr    streamWriter
	calls     int
	weighed   int64 // bytes of linear memory included in the statistics

	// The current call; valid while the guest runs.
	inHook        bool
	environment   guestio.Environment // never nil while a hook runs
	exchanged     int                 // of Limits.ExchangeBytes
	list          []byte              // scratch of kv_list
	asked         []int               // how often each granted function of the embedder was called
	heard         []byte              // the latest answer of such a function, if hasHeard
	hasHeard      bool
	event         []byte
	result        []byte
	hasResult     bool
	resultLimit   int       // maximum size of the result of the hook being called
	resultRefused FaultKind // why the last result_write failed; 0 if none did
	reason        string
	stack         [2]uint64
}

// newInstance creates and initialises an instance. On failure it returns the step that failed with the error, which is
// a *Fault if the module is at fault.
func newInstance(ctx context.Context, m *Module) (*instance, Step, error) {
	i := &instance{module: m, linear: &linearMemory{limit: uint64(m.limits.MemoryBytes)}, native: m.takeStack(), asked: make([]int, len(m.info.Functions))}
	i.ctx = context.WithValue(context.Background(), instanceKey{}, i)
	i.stdout = streamWriter{log: m.log, stream: "stdout", level: slog.LevelInfo, spend: i.allowance.spend}
	i.stderr = streamWriter{log: m.log, stream: "stderr", level: slog.LevelWarn, spend: i.allowance.spend}

	if err := ctx.Err(); err != nil {
		return nil, StepInstantiate, i.stopped(reactorStart, &stop{FaultCanceled, err})
	}
	i.allowance.begin(ctx, time.Now(), m.limits.InitTimeout, initFuel(m.fuel))
	step, err := i.start()
	i.allowance.end()
	i.flush()
	if err != nil {
		i.close()
		return nil, step, err
	}
	return i, "", nil
}

// start instantiates the guest, and calls its start function, _initialize and hermes_init.
func (i *instance) start() (Step, error) {
	m := i.module
	config := wazero.NewModuleConfig().
		WithName("").         // anonymous: a runtime holds many instances of one module
		WithStartFunctions(). // see initialize
		WithStdout(&i.stdout).WithStderr(&i.stderr).
		WithEnv("GOMEMLIMIT", strconv.FormatInt(m.limits.MemoryBytes-m.limits.MemoryBytes/8, 10))
	guest, err := m.runtime.InstantiateModule(experimental.WithMemoryAllocator(i.ctx, i.linear), m.compiled, config)
	if err != nil {
		return StepInstantiate, i.classify(reactorStart, err)
	}
	i.guest, i.memory = guest, guest.Memory()
	i.allowance.left = guest.ExportedGlobal(wasmfile.FuelExport).(api.MutableGlobal)
	i.functions = make([]api.Function, len(hooks))
	for n, hook := range hooks {
		if i.functions[n], err = i.exported(string(hook)); err != nil {
			return StepInstantiate, err
		}
	}
	for _, name := range []string{wasmfile.StartExport, reactorStart} {
		if err := i.initialize(name); err != nil {
			return StepInstantiate, err
		}
	}
	return StepInit, i.init()
}

// initialize calls the start function of the file, or of a WASI reactor.
func (i *instance) initialize(name string) error {
	f, err := i.exported(name)
	if f == nil || err != nil {
		return err
	}
	_, err = f.Call(i.ctx)
	if exit := (*sys.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == 0 {
		return i.fault(FaultExit, reactorStart, "exited with code 0 while it started; a plugin is a reactor, not a command", nil)
	}
	if err != nil {
		return i.classify(reactorStart, err)
	}
	return nil
}

// The detail of the fault if hermes_init refused a configuration: the prefix, then the module's reason or NoReason.
const (
	RefusedPrefix = "refused its configuration: "
	NoReason      = "no reason was given with error_write"
)

func (i *instance) init() error {
	f, err := i.exported(abi.ExportInit)
	if f == nil || err != nil {
		return err
	}
	if err := f.CallWithStack(i.ctx, i.stack[:]); err != nil {
		return i.classify(abi.ExportInit, err)
	}
	switch status := abi.Status(api.DecodeI32(i.stack[0])); status {
	case abi.StatusDecided:
		return nil
	case abi.StatusError:
		reason := i.reason
		if reason == "" {
			reason = NoReason
		}
		return i.fault(FaultInit, abi.ExportInit, RefusedPrefix+reason, nil)
	default:
		return i.fault(FaultBadStatus, abi.ExportInit, fmt.Sprintf("returned status %d (0 ready, 2 error)", status), nil)
	}
}

type instanceKey struct{}

// callingInstance returns the instance whose guest called the host function.
func callingInstance(ctx context.Context) *instance {
	return ctx.Value(instanceKey{}).(*instance)
}

// call runs a hook. An error is a *Fault, and the instance must be closed then.
func (i *instance) call(ctx context.Context, env guestio.Environment, index int, event []byte, decode Decode) (res Result, err error) {
	hook := hooks[index]
	i.environment, i.exchanged = guestio.OrNothing(env), 0
	i.inHook, i.resultLimit, i.event = true, i.module.limits.result(hook), event
	i.hasResult, i.resultRefused, i.reason = false, 0, ""
	i.heard, i.hasHeard = nil, false
	clear(i.asked)
	i.stdout.begin()
	i.stderr.begin()
	i.linear.refused = false
	i.calls++
	i.stack[0] = uint64(len(event))

	start := time.Now()
	i.allowance.begin(ctx, start, i.module.limits.HookTimeout, i.module.fuel)
	err = i.functions[index].CallWithStack(i.ctx, i.stack[:])
	res.Fuel = i.allowance.end()
	res.Duration = time.Since(start)
	i.inHook, i.event, i.environment, i.heard = false, nil, nil, nil
	i.flush()

	if err != nil {
		return res, i.classify(string(hook), err)
	}
	res.Status = abi.Status(api.DecodeI32(i.stack[0]))
	return res, i.judge(string(hook), &res, decode)
}

// judge checks what the guest returned. A non-nil error is a *Fault.
func (i *instance) judge(hook string, res *Result, decode Decode) error {
	switch res.Status {
	case abi.StatusDecided:
		if !i.hasResult {
			if WantsVerdict(abi.Hook(hook)) {
				return i.missingResult(hook)
			}
			return nil
		}
		if decode == nil {
			return nil
		}
		if err := decode(i.result); err != nil {
			return i.fault(FaultBadVerdict, hook, "the verdict is not usable: "+sanitize([]byte(err.Error()), i.module.limits.LogLineBytes), err)
		}
		return nil
	case abi.StatusAbstain:
		return nil
	case abi.StatusError:
		res.Reason = i.reason
		return nil
	}
	return i.fault(FaultBadStatus, hook,
		fmt.Sprintf("returned status %d (0 decided, 1 abstain, 2 error)", res.Status), nil)
}

func (i *instance) missingResult(hook string) error {
	switch i.resultRefused {
	case FaultOversize:
		return i.fault(FaultOversize, hook,
			fmt.Sprintf("decided, but its result was over the limit of %d bytes", i.resultLimit), nil)
	case FaultBadMemory:
		return i.fault(FaultBadMemory, hook, "decided, but its result_write named a range outside its memory", nil)
	}
	return i.fault(FaultNoResult, hook, "decided, but never called result_write", nil)
}

// recyclable reports whether a healthy instance should be replaced anyway.
func (i *instance) recyclable() bool {
	l := &i.module.limits
	return i.calls >= l.CallsPerInstance || i.memoryBytes() > l.RecycleMemoryBytes
}

func (i *instance) memoryBytes() int64 { return int64(len(i.linear.buffer)) }

func (i *instance) flush() {
	i.stdout.flush()
	i.stderr.flush()
}

// close releases the instance. Its guest must not be running.
func (i *instance) close() {
	if i.native != nil {
		i.module.stacks.Put(i.native)
		i.native = nil
	}
	if i.guest == nil {
		return
	}
	// Closing a guest without files can only fail if it is closed already.
	_ = i.guest.Close(context.Background())
}
