package trial

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin"
	"github.com/hermes-cdp/hermes-cdp/host/internal/procgroup"
)

// Session is a module in a child process. It has one caller at a time.
type Session struct {
	options Options
	limit   int64 // of memory
	group   *procgroup.Group
	jobs    *os.File
	answers *reader
	hooks   []abi.Hook
	said    func(Line)    // gets what the module writes
	output  head          // standard error of the child
	ended   chan struct{} // closed when the process has ended; state is set by then
	state   string
	watched sync.WaitGroup

	mu     sync.Mutex // guards the following
	doing  string
	killed *Error // why this process ended the child
}

// Start starts a child and loads a module in it. cache is the directory for compiled code and may be empty. The error
// is a [*plugin.LoadError] if the child refuses the module, else an [*Error]. said gets the lines that the
// module writes, and may be nil. The session must be closed.
func Start(ctx context.Context, source plugin.Source, cache string, o Options, said func(Line)) (*Session, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	source.Limits = source.Limits.WithDefaults()
	s := &Session{options: o, said: said, limit: o.MemoryBytes + 2*source.Limits.MemoryBytes, ended: make(chan struct{})}
	if err := s.start(answerBytes(source.Limits)); err != nil {
		return nil, unavailable(err)
	}
	a, err := s.do(ctx, "compiling and initialising the module", job{Load: &loading{source, cache, s.limit}})
	if err == nil && a.Refused != nil {
		err = a.Refused.err()
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	s.hooks = a.Hooks
	return s, nil
}

// answerBytes is more than any answer takes: a verdict in base64, and texts that are cut to the length of a log line.
func answerBytes(l plugin.Limits) int64 {
	return 2*int64(max(l.ResultBytes, abi.DefaultScriptBytes)) + (64+4*maxLines)*int64(l.LogLineBytes) + 1<<20
}

// start starts the process, and a goroutine that lives as long as the process.
func (s *Session) start(most int64) error {
	cmd := exec.Command(s.options.Command[0], s.options.Command[1:]...)
	cmd.Env = []string{Variable + "=" + value} // and on Windows SYSTEMROOT, which package exec adds
	cmd.Stderr = &s.output
	cmd.WaitDelay = time.Second
	endWithParent(cmd)
	in, jobs, err := os.Pipe()
	if err != nil {
		return err
	}
	answers, out, err := os.Pipe()
	if err != nil {
		return errors.Join(err, in.Close(), jobs.Close())
	}
	cmd.Stdin, cmd.Stdout = in, out
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // on Linux the child ends with the thread that started it
		defer runtime.UnlockOSThread()
		var err error
		s.group, err = procgroup.Start(cmd)
		_, _ = in.Close(), out.Close()
		started <- err
		if err == nil {
			s.group.Wait()
			s.state = cmd.ProcessState.String()
			close(s.ended)
		}
	}()
	if err := <-started; err != nil {
		return errors.Join(err, jobs.Close(), answers.Close())
	}
	s.jobs, s.answers = jobs, newReader(answers, most)
	s.watched.Go(func() {
		defer answers.Close()
		s.watchMemory()
	})
	return nil
}

// Hooks lists the hooks that the module exports.
func (s *Session) Hooks() []abi.Hook { return slices.Clone(s.hooks) }

// SelfTest asks a hook of the module about its artificial event. lost is an [*Error] and ends the session; err is that
// of package selftest.
func (s *Session) SelfTest(ctx context.Context, hook abi.Hook) (err, lost error) {
	a, lost := s.do(ctx, fmt.Sprintf("the self-test of %s", hook), job{SelfTest: hook})
	return a.Failed.err(), lost
}

// Ask asks the module about an event. The verdict is that of a decided call and usable by the host. lost is an [*Error]
// and ends the session; err is what [plugin.Module.CallIn] returned.
func (s *Session) Ask(ctx context.Context, doing string, c Call) (res plugin.Result, verdict []byte, err, lost error) {
	a, lost := s.do(ctx, doing, job{Ask: &c})
	if lost != nil {
		return plugin.Result{}, nil, nil, lost
	}
	return a.Result, a.Verdict, a.Failed.err(), nil
}

// Close ends the child. All its answers have been read by then, so Close only waits for its end.
func (s *Session) Close() {
	s.kill(&Error{Reason: Crashed, Detail: "the trial is over"})
	_ = s.jobs.Close()
	<-s.ended
	s.watched.Wait()
}

// do gives the child a job and waits for the answer, for at most the time of a step.
func (s *Session) do(ctx context.Context, doing string, j job) (a answer, err error) {
	s.begin(doing)
	answered := make(chan struct{})
	defer close(answered)
	go s.watchTime(answered)
	forget := context.AfterFunc(ctx, func() {
		s.kill(&Error{Reason: Hung, Detail: "was ended with its caller: " + context.Cause(ctx).Error(), Err: context.Cause(ctx)})
	})
	defer forget()
	if err = json.NewEncoder(s.jobs).Encode(j); err == nil {
		err = s.answers.next(&a)
	}
	if err != nil {
		return answer{}, s.lost(err)
	}
	if s.said != nil {
		for _, line := range a.Lines[:min(len(a.Lines), maxLines)] {
			s.said(line)
		}
	}
	return a, nil
}

// patience is how many times the limit of a step this process waits for a child that the machine does not let run.
const patience = 10

// watchTime ends the child when a step takes too long.
func (s *Session) watchTime(answered <-chan struct{}) {
	begun, before := time.Now(), processorTime(s.group.PID())
	left := s.options.Timeout
	for left > 0 {
		select {
		case <-answered:
			return
		case <-time.After(left):
		}
		left = timeLeft(time.Since(begun), processorTime(s.group.PID())-before, s.options.Timeout)
	}
	s.kill(&Error{Reason: Hung, Detail: fmt.Sprintf("did not finish within %v, so the child was killed; "+
		"raise plugin_trial_timeout_s if the module needs longer", s.options.Timeout)})
}

// timeLeft is how long a step may still take that has taken passed, in which the child used the processor for
// used. On a busy machine a sound module gets too little of the processor to be ready in time, which is no reason
// to refuse it. So time in which the child did not run counts only once it is a multiple of the limit: then it is
// stuck on something else.
func timeLeft(passed, used, limit time.Duration) time.Duration {
	return min(limit-min(used, passed), patience*limit-passed)
}

func (s *Session) begin(doing string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.doing = doing
}

// kill ends the child. Only the first reason counts.
func (s *Session) kill(why *Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.killed == nil {
		why.Doing = s.doing
		s.killed = why
	}
	s.group.Kill()
}

// lost says why a job was not answered.
func (s *Session) lost(err error) error {
	s.kill(&Error{Reason: Crashed, Err: err})
	<-s.ended
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.killed.Reason == Crashed && s.killed.Detail == "" {
		s.killed.Detail = fmt.Sprintf("ended the process (%s): %s", s.state, s.output.String())
	}
	return s.killed
}

// memoryInterval is how often the child's memory is checked. It can allocate some 100 MiB in that time.
const memoryInterval = 20 * time.Millisecond

// watchMemory ends the child when it exceeds its limit, if the system reports its memory.
func (s *Session) watchMemory() {
	tick := time.NewTicker(memoryInterval)
	defer tick.Stop()
	for {
		if used := residentBytes(s.group.PID()); used > s.limit {
			s.kill(&Error{Reason: Memory, Detail: fmt.Sprintf("used %d MiB of memory, over its limit of %d MiB, so the child was killed; "+
				"raise plugin_trial_memory_mb if the module needs more", used>>20+1, s.limit>>20)})
			return
		}
		select {
		case <-s.ended:
			return
		case <-tick.C:
		}
	}
}

// head keeps the beginning of the output of the child, which says why a Go program ended.
type head struct {
	mu   sync.Mutex
	text []byte
}

const headBytes = 1 << 10

func (h *head) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.text = append(h.text, p[:min(len(p), headBytes-len(h.text))]...)
	return len(p), nil
}

// String is the output of the child on one line. The module may have produced parts of it.
func (h *head) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.text) == 0 {
		return "it wrote nothing"
	}
	return "it wrote " + strconv.Quote(string(h.text))
}
