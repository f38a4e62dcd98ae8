package bench

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
)

// animated is a page of text in which something moves in each frame.
const animated = `<!doctype html><title>animated</title><style>#box { width: 200px; height: 200px; background: teal }</style><div id=box></div>
<script>
let frames = 0
for (let i = 0; i < 200; i++) document.body.append("This is some text of a page, number " + i + ". ")
;(function move() { box.style.transform = "translate(" + 3 * frames % 500 + "px) rotate(" + frames++ + "deg)"; requestAnimationFrame(move) })()
</script>`

// BenchmarkRecording measures a page with an animation with and without a recording: what an agent's calls take, and
// how fast the page is drawn.
func BenchmarkRecording(b *testing.B) {
	for _, record := range []bool{false, true} {
		b.Run(fmt.Sprintf("recorded=%v", record), func(b *testing.B) {
			ctx := context.Background()
			task, dir := animatedTask(b, record)
			number := func(expression string) (n float64) {
				value, err := task.Tab("").Evaluate(ctx, expression, &host.EvaluateOptions{AwaitPromise: true})
				must(b, err)
				_, err = fmt.Sscan(string(value.Value), &n)
				must(b, err)
				return n
			}
			before, since := number("frames"), number("performance.now()")
			for b.Loop() {
				number("1 + 1")
			}
			seconds := (number("performance.now()") - since) / 1000
			b.ReportMetric((number("frames")-before)/seconds, "frames/s")
			b.ReportMetric(size(b, dir)/seconds/1024, "KiB/s")
		})
	}
}

func animatedTask(b *testing.B, record bool) (task *host.Task, dir string) {
	b.Helper()
	ctx := context.Background()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, animated)
	}))
	b.Cleanup(server.Close)
	dir = b.TempDir()
	h, err := host.New(ctx, &host.Options{Recording: host.RecordingOptions{Dir: dir}})
	must(b, err)
	b.Cleanup(func() { must(b, h.Close(ctx)) })
	task, err = h.Launch(ctx, "bench", nil, &host.TaskOptions{Record: record})
	must(b, err)
	_, err = task.Tab("").Navigate(ctx, server.URL, nil)
	must(b, err)
	return task, dir
}

// size returns the size of the files in a directory, in bytes.
func size(b *testing.B, dir string) (sum float64) {
	b.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.webm"))
	must(b, err)
	for _, file := range files {
		info, err := os.Stat(file)
		must(b, err)
		sum += float64(info.Size())
	}
	return sum
}
