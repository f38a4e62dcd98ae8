package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/hosttest"
	"github.com/hermes-cdp/hermes-cdp/host/internal/cdp"
)

// alerts is how many dialogs one iteration opens; the page itself measures from the first call to the last return.
const alerts = 50

const loop = `new Promise(done => setTimeout(() => {
	const begin = performance.now();
	for (let i = 0; i < %d; i++) alert(i);
	done(performance.now() - begin);
}))`

// BenchmarkDialog measures how long alert() takes in the page, for the host and for a bare loop that
// answers every dialog on the reader's goroutine and knows nothing of frames, policies or tasks. Both run on one
// browser, one after the other.
func BenchmarkDialog(b *testing.B) {
	browser := hosttest.Browser(b, hosttest.WithPort())
	b.Run("bare", func(b *testing.B) { bareLoop(b, browser.WebSocketURL()) })
	b.Run("host", func(b *testing.B) { hostLoop(b, browser.WebSocketURL()) })
}

func bareLoop(b *testing.B, address string) {
	ctx := context.Background()
	var conn *cdp.Conn
	ready := make(chan struct{})
	conn, err := cdp.Dial(ctx, address, cdp.Options{Handler: func(m cdp.Message) {
		<-ready
		if m.Method == "Page.javascriptDialogOpening" {
			_, _ = conn.Send(m.SessionID, cdppage.CommandHandleJavaScriptDialog, &cdppage.HandleJavaScriptDialogParams{Accept: true})
		}
	}})
	if err != nil {
		b.Fatal(err)
	}
	close(ready)
	defer conn.Close()
	conn.Subscribe("Page.javascriptDialogOpening")
	var made target.CreateTargetResult
	must(b, conn.Call(ctx, "", target.CommandCreateTarget, &target.CreateTargetParams{URL: "about:blank"}, &made))
	flatten := true
	var attached target.AttachToTargetResult
	must(b, conn.Call(ctx, "", target.CommandAttachToTarget, &target.AttachToTargetParams{TargetID: made.TargetID, Flatten: &flatten}, &attached))
	session := string(attached.SessionID)
	must(b, conn.Call(ctx, session, cdppage.CommandEnable, nil, nil))
	var total float64
	for b.Loop() {
		yes := true
		var result runtime.EvaluateResult
		must(b, conn.Call(ctx, session, runtime.CommandEvaluate, &runtime.EvaluateParams{
			Expression: fmt.Sprintf(loop, alerts), AwaitPromise: &yes, ReturnByValue: &yes,
		}, &result))
		total += milliseconds(b, result.Result.Value)
	}
	report(b, total)
}

func hostLoop(b *testing.B, address string) {
	ctx := context.Background()
	h, err := host.New(ctx, nil)
	must(b, err)
	defer func() { must(b, h.Close(ctx)) }()
	task, err := h.Attach(ctx, "bench", address, &host.TaskOptions{DialogPolicy: "auto_accept"})
	must(b, err)
	var total float64
	for b.Loop() {
		// The call that starts the loop would be ended by the first dialog, so the result is fetched afterwards.
		_, err := task.Tab("").Evaluate(ctx, "window.took = undefined; "+fmt.Sprintf(loop, alerts)+".then(ms => window.took = ms); 0", nil)
		must(b, err)
		total += milliseconds(b, awaitTook(b, ctx, task))
	}
	report(b, total)
}

// awaitTook waits for the end of the loop. A dialog that is open ends the call at once, so it is made again.
func awaitTook(b *testing.B, ctx context.Context, task *host.Task) []byte {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	last := fmt.Sprint(alerts - 1)
	_, ok := task.Wait(ctx, func(s *host.Snapshot) bool {
		n := len(s.RecentDialogs)
		return len(s.PendingDialogs) == 0 && n > 0 && s.RecentDialogs[n-1].Message == last
	})
	if !ok {
		b.Fatal("the loop did not end")
	}
	value, err := task.Tab("").Evaluate(ctx, "new Promise(done => { const look = () => window.took === undefined ? setTimeout(look) : done(took); look() })",
		&host.EvaluateOptions{AwaitPromise: true})
	must(b, err)
	// The next iteration waits for a last dialog of its own.
	_, err = task.Tab("").Evaluate(ctx, "setTimeout(() => alert('between')); 0", nil)
	must(b, err)
	task.Wait(ctx, func(s *host.Snapshot) bool {
		n := len(s.RecentDialogs)
		return len(s.PendingDialogs) == 0 && s.RecentDialogs[n-1].Message == "between"
	})
	return value.Value
}

func report(b *testing.B, totalMilliseconds float64) {
	b.ReportMetric(totalMilliseconds*1e6/float64(b.N*alerts), "ns/dialog")
	b.ReportMetric(0, "ns/op")
}

func milliseconds(b *testing.B, value []byte) float64 {
	var ms float64
	must(b, json.Unmarshal(value, &ms))
	return ms
}

func must(b *testing.B, err error) {
	if err != nil {
		b.Helper()
		b.Fatal(err)
	}
}
