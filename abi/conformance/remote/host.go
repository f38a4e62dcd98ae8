package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/abi/conformance"
	"github.com/hermes-cdp/hermes-cdp/abi/fakehost"
)

// Options configures a [Host].
type Options struct {
	// Command is the program and its arguments.
	Command []string
	// Timeout is how long it may take to answer a request. Default 2 min.
	Timeout time.Duration
	// Stderr receives what it prints there; nil: nobody.
	Stderr io.Writer
}

// Host is a host that is another program. It is started for the first module, and again for the next one if it has
// ended: then the error of what it was asked for is a [*conformance.FailureError]. One goroutine at a time may use it.
type Host struct {
	options Options
	program *program // nil: none runs
	plugins int
}

// New returns a host for the kit. Close must be called.
func New(o Options) *Host {
	o.Timeout = cmp.Or(o.Timeout, 2*time.Minute)
	return &Host{options: o}
}

// Close ends the program.
func (h *Host) Close() error {
	if h.program == nil {
		return nil
	}
	err := h.program.end(h.options.Timeout)
	h.program = nil
	return err
}

// Load implements [conformance.Host].
func (h *Host) Load(ctx context.Context, wasm, config []byte) (conformance.Plugin, error) {
	if h.program == nil {
		p, err := start(h.options)
		if err != nil {
			return nil, &conformance.FailureError{Err: err}
		}
		h.program = p
	}
	h.plugins++
	r := Load{Plugin: h.plugins, Wasm: wasm}
	if config != nil {
		r.Config = &config
	}
	answer, err := h.ask(ctx, Request{Load: &r})
	switch {
	case err != nil:
		return nil, err
	case answer.Init:
		return nil, &conformance.RefusalError{Reason: answer.Error}
	case answer.Error != "":
		return nil, errors.New(answer.Error)
	}
	return &plugin{host: h, program: h.program, number: r.Plugin, hooks: answer.Hooks}, nil
}

// ask waits for the response to a request. A program that does not give one is ended.
func (h *Host) ask(ctx context.Context, r Request) (Response, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, h.options.Timeout, fmt.Errorf("it has not answered within %v", h.options.Timeout))
	defer cancel()
	answer, err := h.program.ask(ctx, r)
	if err != nil {
		h.program.kill()
		h.program, err = nil, &conformance.FailureError{Err: err}
	}
	return answer, err
}

// plugin is a module that the program has loaded.
type plugin struct {
	host    *Host
	program *program
	number  int
	hooks   []abi.Hook
}

func (p *plugin) Hooks() []abi.Hook { return p.hooks }

func (p *plugin) Call(ctx context.Context, in *fakehost.Environment, hook abi.Hook, event []byte) (fakehost.Answer, error) {
	if p.host.program != p.program {
		return fakehost.Answer{}, errEnded
	}
	answer, err := p.host.ask(ctx, Request{Call: &Call{
		Plugin: p.number, Hook: hook, Event: append([]byte{}, event...), Capabilities: append([]abi.Capability{}, in.Capabilities...),
		KV: thereOf(in.KV), State: thereOf(in.State),
	}})
	switch {
	case err != nil:
		return fakehost.Answer{}, err
	case answer.Error != "":
		err = errors.New(answer.Error)
	}
	in.KV = answer.KV
	return fakehost.Answer{Status: answer.Status, Verdict: answer.Verdict, Reason: answer.Reason}, err
}

// thereOf is a map that is there, so that the program never reads null.
func thereOf(m map[string][]byte) map[string][]byte {
	if m == nil {
		return map[string][]byte{}
	}
	return m
}

func (p *plugin) Close() error {
	if p.host.program != p.program {
		return errEnded
	}
	answer, err := p.host.ask(context.Background(), Request{Close: &Close{Plugin: p.number}})
	if err == nil && answer.Error != "" {
		err = errors.New(answer.Error)
	}
	return err
}

// errEnded says that the program has ended since the module was loaded.
var errEnded = &conformance.FailureError{Err: errors.New("it has ended")}

// program is the process of a host.
type program struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *json.Decoder
	close   func() error // of its output
}

func start(o Options) (*program, error) {
	if len(o.Command) == 0 {
		return nil, errors.New("there is no command that starts it")
	}
	command := exec.Command(o.Command[0], o.Command[1:]...)
	command.Stderr, command.WaitDelay = o.Stderr, time.Second
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	answers := json.NewDecoder(out)
	answers.DisallowUnknownFields() // a key that is misspelt would read as one that is absent
	return &program{command: command, in: in, out: answers, close: out.Close}, nil
}

// ask sends a request and reads the response. After an error the program is in an unknown state.
func (p *program) ask(ctx context.Context, r Request) (answer Response, err error) {
	stop := context.AfterFunc(ctx, func() { _, _ = p.in.Close(), p.close() }) // ends what waits below
	unsent := json.NewEncoder(p.in).Encode(r)
	if unsent == nil {
		err = p.out.Decode(&answer)
	}
	switch {
	case !stop() && ctx.Err() != nil:
		return Response{}, context.Cause(ctx)
	case unsent != nil, errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return Response{}, errors.New("it has ended instead of answering")
	case err != nil:
		return Response{}, fmt.Errorf("its answer cannot be read: %w", err)
	}
	return answer, nil
}

// end closes the program's input, and waits until it has ended.
func (p *program) end(within time.Duration) error {
	late := time.AfterFunc(within, func() { _ = p.command.Process.Kill() })
	defer late.Stop()
	_, _ = p.in.Close(), p.close()
	return p.command.Wait()
}

// kill ends the program at once.
func (p *program) kill() {
	_ = p.command.Process.Kill()
	_, _ = p.in.Close(), p.close()
	_ = p.command.Wait() // says that it was killed
}
