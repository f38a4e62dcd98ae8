package e2e

import (
	"testing"

	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// replies is how many replies of the browser a click by ref on a page at rest waits for, one after the other: twice the
// element is resolved, which is a fence as well, and a function called on it; three events are sent, and after another
// fence the page is asked whether its handlers are done. The last is for the browser process.
const replies = 10

func TestAClickWaitsForFewReplies(t *testing.T) {
	w := newWorld(t, map[string]string{"/": `<button onclick="this.textContent += '!'">Save</button>`}, host.TaskOptions{})
	w.open("/")
	ref := w.refs()["Save"]
	var waited []string
	for range 10 { // the first finds a document that no pointer has been in, and others a machine that is busy
		waited = nil
		recorder := tracetest.NewSpanRecorder()
		ctx, click := trace.NewTracerProvider(trace.WithSpanProcessor(recorder)).Tracer("").Start(w.ctx, "click")
		if _, err := w.Tab("").Click(ctx, host.ByRef(ref), nil); err != nil {
			t.Fatal(err)
		}
		click.End()
		for _, s := range recorder.Ended()[:len(recorder.Ended())-1] {
			waited = append(waited, s.Name())
		}
		if len(waited) <= replies {
			return
		}
	}
	t.Errorf("a click waits for %d replies, more than %d: %v", len(waited), replies, waited)
}
