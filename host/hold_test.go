package host

import (
	"context"
	"errors"
	"testing"
)

func TestAQuestionIsAskedOnceAndAnsweredOnce(t *testing.T) {
	t.Parallel()
	var h hold
	first, err := h.ask(Question{Text: " which one? "})
	if err != nil || first.ID != "q-1" || first.Text != "which one?" {
		t.Fatalf("it is %+v, %v", first, err)
	}
	again, err := h.ask(Question{Text: "which one?"})
	if again != first || err != nil {
		t.Errorf("asked again it is %+v, %v", again, err)
	}
	if other, err := h.ask(Question{Text: "another"}); err != nil || other.ID != "q-2" {
		t.Errorf("another is %+v, %v", other, err)
	}
	if _, err := h.ask(Question{Text: " "}); !errors.Is(err, ErrBadArguments) {
		t.Errorf("nothing is asked: %v", err)
	}
	one, _ := h.ask(Question{Text: "may it?", Plugin: "guard"})
	if two, err := h.ask(Question{Text: "may it?", Plugin: "guard"}); err != nil || one == two {
		t.Errorf("two calls share the question %+v, %v", two, err)
	}
	h.drop(first)
	if later, err := h.ask(Question{Text: "which one?"}); err != nil || later == first || later.ID != "q-5" {
		t.Errorf("later it is %+v, %v", later, err)
	}
}

func TestAPersonWhoTakesOverEndsTheCallsInProgress(t *testing.T) {
	t.Parallel()
	var h hold
	ctx, stop := context.WithCancelCause(t.Context())
	call := &admitted{stop: stop, done: make(chan struct{})}
	h.calls = map[*admitted]bool{call: true}
	held, running := h.take(ErrHeldByOperator)
	if len(running) != 1 || !errors.Is(context.Cause(ctx), ErrHeldByOperator) {
		t.Errorf("of %d calls the cause is %v", len(running), context.Cause(ctx))
	}
	if again, _ := h.take(ErrHeldByOperator); again != held {
		t.Errorf("taken twice it is held since %v, and %v", again.Since, held.Since)
	}
}
