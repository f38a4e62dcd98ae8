package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/e2e/shared"
)

// recordedWorld starts a recorded task in a browser of its own.
func recordedWorld(t *testing.T, pages map[string]string, ro host.RecordingOptions, o host.TaskOptions) *world {
	t.Helper()
	t.Parallel()
	address, _ := shared.Own(t)
	o.Record = true
	return newWorldOn(t, address, host.Options{Recording: ro}, pages, o)
}

// colours is a page that becomes another colour when it is told to.
const colours = `<style>body { background: white } p { margin: 30vh; width: 0; height: 1em; background: black }</style><p id=bar></p><script>
function become(colour) { document.body.style.background = colour }
function tick() { bar.style.width = (parseInt(bar.style.width || 0) + 1) % 99 + 'px' }
</script>`

// show makes the page a colour, and waits until a frame of it is recorded: one frame may be under way and another one
// be waiting in the browser, so that it is surely the third. A page that does not change has none.
func (w *world) show(colour string) {
	w.t.Helper()
	before := w.recordedFrames()
	w.evaluate("become('" + colour + "')")
	waitUntil(w.t, "a frame of "+colour, func() bool {
		w.evaluate("tick()")
		return w.recordedFrames() >= before+3
	})
}

// recordings lists those of the task.
func (w *world) recordings() []host.Recording {
	w.t.Helper()
	list, err := w.host.Recordings(w.ID())
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

// recordedFrames counts the frames of all recordings of the task.
func (w *world) recordedFrames() (n int) {
	w.t.Helper()
	for _, r := range w.recordings() {
		n += r.Frames
	}
	return n
}

// end closes the task, and gives its recordings.
func (w *world) end() []host.Recording {
	w.t.Helper()
	if err := w.Close(w.ctx); err != nil {
		w.t.Fatal(err)
	}
	return w.recordings()
}

// player plays recordings in a browser that has nothing to do with them.
type player struct {
	*host.Task
	t *testing.T
}

// The colours are told by wide margins: while the browser holds a popup that has just been opened, it draws the pages
// of its process dimmed to two thirds, and says over them that they are paused.
const playerPage = `<!doctype html><body><script>
let video
async function load(path) {
  video = document.createElement('video')
  video.muted = true
  video.preload = 'auto'
  const loaded = new Promise((ok, no) => { video.onloadeddata = ok; video.onerror = () => no(new Error(video.error.message)) })
  video.src = path
  document.body.replaceChildren(video)
  await loaded
  return {duration: video.duration, width: video.videoWidth, height: video.videoHeight}
}
const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true})
// A drawn dialog has a mark of its own colour.
const small = document.createElement('canvas').getContext('2d', {willReadFrequently: true})
small.canvas.width = 160
small.canvas.height = 100
function dialog() {
  const {data} = small.getImageData(0, 0, 160, 100)
  for (let i = 0; i < data.length; i += 4) {
    if (data[i] > 190 && data[i + 1] > 60 && data[i + 1] < 140 && data[i + 2] < 110) return true
  }
}
function colour() {
  small.drawImage(video, 0, 0, 160, 100)
  if (dialog()) return 'dialog'
  canvas.drawImage(small.canvas, 0, 0, 1, 1)
  const [r, g, b] = canvas.getImageData(0, 0, 1, 1).data
  const high = v => v > 150, low = v => v < 85
  if (high(r) && low(g) && low(b)) return 'red'
  if (low(r) && high(g) && low(b)) return 'lime'
  if (low(r) && low(g) && high(b)) return 'blue'
  if (high(r) && high(g) && high(b)) return 'white'
  return [r, g, b].join()
}
async function at(seconds) {
  const there = new Promise(ok => video.onseeked = ok)
  video.currentTime = seconds
  await there
  return colour()
}
// moments gives the colours and sizes in their order, as seen by seeking to so many moments. A browser that is short of time
// leaves out pictures while it plays, but none to which it seeks.
async function moments(n) {
  const seen = [], sizes = []
  for (let i = 0; i < n; i++) {
    const c = await at(video.duration * i / n), size = video.videoWidth + 'x' + video.videoHeight
    if (c !== seen.at(-1)) seen.push(c)
    if (size !== sizes.at(-1)) sizes.push(size)
  }
  return {seen, sizes}
}
// play plays to the end, and gives the last colour.
async function play() {
  if (video.currentTime > 0) await at(0)
  const ended = new Promise((ok, no) => { video.onended = ok; video.onerror = () => no(new Error(video.error.message)) })
  await video.play()
  await ended
  return {time: video.currentTime, last: colour()}
}
</script>`

// newPlayer opens a player for the files of a directory.
func newPlayer(t *testing.T, dir string) *player {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("/files/", http.StripPrefix("/files/", http.FileServer(http.Dir(dir))))
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, playerPage) })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	h := newHost(t, host.Options{})
	task, err := h.Launch(t.Context(), "player", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := task.Tab("").Navigate(testContext(t), server.URL, nil); err != nil {
		t.Fatal(err)
	}
	return &player{Task: task, t: t}
}

// run evaluates an expression in the player's page.
func (p *player) run(expression string, into any) {
	p.t.Helper()
	value, err := p.Tab("").Evaluate(testContext(p.t), expression, &host.EvaluateOptions{AwaitPromise: true, UserGesture: true})
	if err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	if err := json.Unmarshal(value.Value, into); err != nil {
		p.t.Fatalf("%s: %s: %v", expression, value.Value, err)
	}
}

// loadedVideo is what a player knows of a file. The duration is nil where the file does not say.
type loadedVideo struct {
	Duration *float64 `json:"duration"`
	Width    int      `json:"width"`
	Height   int      `json:"height"`
}

// seen is what was seen of a file.
type seen struct {
	Seen  []string `json:"seen"`
	Sizes []string `json:"sizes"`
}

// seek looks at a file at two hundred moments.
func (p *player) seek() (seen seen) {
	p.t.Helper()
	p.run("moments(200)", &seen)
	return seen
}

// colours are what is seen of a file, but for the white of pages that load.
func (s seen) colours() string {
	return strings.Join(slices.Compact(slices.DeleteFunc(slices.Clone(s.Seen), func(c string) bool { return c == "white" })), " ")
}

func (p *player) colours() string {
	p.t.Helper()
	return p.seek().colours()
}

func (p *player) load(r host.Recording) (l loadedVideo) {
	p.t.Helper()
	// The browser takes a file that has changed for the one that it knows, unless the address is another one.
	p.run("load('/files/"+r.File+"?"+string(r.State)+"')", &l)
	return l
}

// played is what was seen of a file that was played to its end.
type played struct {
	Time float64 `json:"time"`
	Last string  `json:"last"`
}

func (p *player) play() (seen played) {
	p.t.Helper()
	p.run("play()", &seen)
	return seen
}
