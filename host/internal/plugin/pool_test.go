package plugin

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/abi"
)

// held starts a call that keeps its instance until the returned function is called; that waits for the call's end.
func held(t *testing.T, m *Module) (release func()) {
	t.Helper()
	inside, leave, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		_, err := m.Call(ctx0, abi.HookDialog, nil, func([]byte) error {
			close(inside)
			<-leave
			return nil
		})
		done <- err
	}()
	<-inside
	return func() {
		close(leave)
		if err := <-done; err != nil {
			t.Errorf("the held call: %v", err)
		}
	}
}

func TestOneCallerAtATimeUsesOneInstance(t *testing.T) {
	m := load(t, "ok", Limits{Instances: 4})
	for range 100 {
		if _, err := m.Call(ctx0, abi.HookDialog, nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	if s := m.Stats(); s.InstancesCreated != 1 || s.InstancesLive != 1 || s.Decided != 100 {
		t.Errorf("stats are %+v", s)
	}
}

func TestInstancesAreMadeOnDemandUpToTheBound(t *testing.T) {
	m := load(t, "ok", Limits{Instances: 3})
	var releases []func()
	for range 3 {
		releases = append(releases, held(t, m))
	}
	if s := m.Stats(); s.InstancesLive != 3 {
		t.Errorf("%d instances live, want 3", s.InstancesLive)
	}
	ctx, cancel := context.WithTimeout(ctx0, 10*time.Millisecond)
	defer cancel()
	if _, err := m.Call(ctx, abi.HookDialog, nil, nil); !errors.Is(err, ErrBusy) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a fourth caller got %v, want ErrBusy", err)
	}
	for _, release := range releases {
		release()
	}
	if _, err := m.Call(ctx0, abi.HookDialog, nil, nil); err != nil {
		t.Error(err)
	}
	if s := m.Stats(); s.InstancesCreated != 3 || s.Busy != 1 {
		t.Errorf("stats are %+v", s)
	}
}

func TestAWaitingCallerGetsTheNextInstance(t *testing.T) {
	m := load(t, "ok", Limits{Instances: 1})
	release := held(t, m)
	done := make(chan error, 1)
	go func() {
		_, err := m.Call(ctx0, abi.HookDialog, nil, nil)
		done <- err
	}()
	release()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestInstancesAreReplacedAfterSoManyCalls(t *testing.T) {
	m := load(t, "ok", Limits{CallsPerInstance: 10})
	for range 35 {
		if _, err := m.Call(ctx0, abi.HookDialog, nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	if s := m.Stats(); s.InstancesRecycled != 3 || s.InstancesCreated != 4 {
		t.Errorf("recycled %d and created %d, want 3 and 4", s.InstancesRecycled, s.InstancesCreated)
	}
}

func TestAnInstanceWhoseMemoryGrewIsReplaced(t *testing.T) {
	m := load(t, "grow_some", Limits{RecycleMemoryBytes: 1 << 20})
	if s := m.Stats(); s.MemoryBytes != 64<<10 {
		t.Errorf("%d bytes counted before the call", s.MemoryBytes)
	}
	if _, err := m.Call(ctx0, abi.HookDialog, nil, nil); err != nil {
		t.Fatal(err)
	}
	if s := m.Stats(); s.InstancesRecycled != 1 || s.InstancesLive != 0 || s.MemoryBytes != 0 {
		t.Errorf("stats are %+v", s)
	}
}

func TestMemoryOfAnInstanceThatStaysIsCounted(t *testing.T) {
	m := load(t, "grow_some", Limits{RecycleMemoryBytes: 8 << 20})
	if _, err := m.Call(ctx0, abi.HookDialog, nil, nil); err != nil {
		t.Fatal(err)
	}
	if s := m.Stats(); s.MemoryBytes != 4<<20 || s.InstancesLive != 1 {
		t.Errorf("stats are %+v, want 4 MiB", s)
	}
}

func TestCloseWaitsForCallsInFlightAndRefusesOthers(t *testing.T) {
	m := load(t, "ok", Limits{Instances: 1})
	release := held(t, m)
	waiting := make(chan error, 1)
	go func() {
		_, err := m.Call(ctx0, abi.HookDialog, nil, nil)
		waiting <- err
	}()
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := <-waiting; err != nil && !errors.Is(err, ErrClosed) {
		t.Errorf("the waiting caller got %v", err)
	}
	select {
	case <-closed:
		t.Error("closed while a call was in flight")
	default:
	}
	release()
	<-closed
	if _, err := m.Call(ctx0, abi.HookDialog, nil, nil); !errors.Is(err, ErrClosed) {
		t.Errorf("a call after Close got %v", err)
	}
	if s := m.Stats(); s.InstancesLive != 0 || s.MemoryBytes != 0 || s.InstancesClosed != s.InstancesCreated {
		t.Errorf("stats are %+v", s)
	}
}

// A module whose initialisation fails now and then must not leave a caller waiting forever.
func TestAnInstanceThatCanNotBeMadeFailsOneCallerAndTheNextTriesAgain(t *testing.T) {
	made := load(t, "ok", Limits{})
	errMake := errors.New("no memory")
	results := make(chan error, 3)
	results <- errMake
	results <- nil
	results <- errMake
	p := &pool{max: 1, ended: func(*instance) {}, make: func() (*instance, error) {
		if err := <-results; err != nil {
			return nil, err
		}
		i, _, err := newInstance(ctx0, made)
		return i, err
	}}
	if _, err := p.acquire(ctx0); !errors.Is(err, errMake) {
		t.Errorf("the first caller got %v", err)
	}
	i, err := p.acquire(ctx0)
	if err != nil {
		t.Fatal(err)
	}
	waiting := make(chan error, 1)
	go func() {
		_, err := p.acquire(ctx0)
		waiting <- err
	}()
	p.release(i, false)
	if err := <-waiting; !errors.Is(err, errMake) {
		t.Errorf("the third caller got %v", err)
	}
	p.close()
	if p.live != 0 || p.making != 0 {
		t.Errorf("%d live and %d in the making", p.live, p.making)
	}
}
