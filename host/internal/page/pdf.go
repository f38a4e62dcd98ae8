package page

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	cdproto "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"

	"github.com/hermes-cdp/hermes-cdp/internal/pagetext"
)

// pdfViewer is the origin of Chromium's own viewer of PDF files, an extension that a document of that type shows in a
// frame of another process: https://source.chromium.org/chromium/chromium/src/+/main:chrome/browser/resources/pdf/
const pdfViewer = "chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai"

// viewedText returns the text of the file that the viewer shows, once it is loaded; null: the viewer is another one
// than is known here, or cannot show the file, or not before it gets a password. The viewer's plugin tells nothing but
// what is selected in it.
const viewedText = `(async () => {
	const find = () => document.querySelector("pdf-viewer"), end = performance.now() + 4000;
	const loads = viewer => (viewer?.loadState_ ?? "loading") === "loading" && !viewer?.showPasswordDialog_;
	while (loads(find()) && performance.now() < end) await new Promise(done => setTimeout(done, 20));
	const viewer = find();
	if (viewer?.loadState_ !== "success" || !viewer.pluginController_?.selectAll) return null;
	viewer.pluginController_.selectAll();
	return (await viewer.pluginController_.getSelectedText()).selectedText;
})()`

// errNoViewer says that the text of a file is not available.
var errNoViewer = errors.New("the viewer of the PDF file does not tell its text")

// viewed returns the text of the PDF file that a frame of the viewer shows.
func viewed(ctx context.Context, d Reader, frame cdproto.FrameID) (string, error) {
	var r struct {
		Result struct {
			Value *string `json:"value"`
		} `json:"result"`
	}
	yes := true
	params := &runtime.EvaluateParams{Expression: viewedText, AwaitPromise: &yes, ReturnByValue: &yes}
	if err := d.ReadWithin(ctx, frame, runtime.CommandEvaluate, params, &r); err != nil {
		return "", err
	}
	if r.Result.Value == nil {
		return "", errNoViewer
	}
	return strings.ReplaceAll(*r.Result.Value, "\r\n", "\n"), nil
}

// showsPDF reports whether a document is a PDF file.
const showsPDF = `() => Reflect.get(Document.prototype, "contentType", document) === "application/pdf"`

const (
	// viewerLimit is how long the viewer may take to open, viewerLook how often that is looked at.
	viewerLimit, viewerLook = 3 * time.Second, 20 * time.Millisecond
	// viewedLimit bounds how long a reading waits for the text of a file.
	viewedLimit = 6 * time.Second
)

// AwaitViewer reports whether a tab shows a PDF file in a viewer. The viewer may open only now, and the frame filter
// decides on it only after that.
func AwaitViewer(d Reader) bool {
	ctx, cancel := context.WithTimeout(d.Context(), viewerLimit)
	defer cancel()
	var shows bool
	if d.RunWithin(ctx, "", nil, showsPDF, nil, &shows) != nil || !shows {
		return false
	}
	for !slices.ContainsFunc(d.Frames(), Frame.isOpenViewer) {
		select {
		case <-time.After(viewerLook):
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// IsViewer reports whether a frame is the viewer of a PDF file, in a process of its own.
func (f Frame) IsViewer() bool { return f.OOPIF && f.Origin == pdfViewer }

// isOpenViewer reports whether a frame is a viewer on which the frame filter has decided.
func (f Frame) isOpenViewer() bool { return f.IsViewer() && !f.Undecided }

// PDFText is textOf for the frame of the viewer. A file whose text is not available has none.
func PDFText(d Reader, frame cdproto.FrameID, limit int) (text string, chars int, err error) {
	ctx, cancel := context.WithTimeout(d.Context(), viewedLimit)
	defer cancel()
	text, err = viewed(ctx, d, frame)
	if errors.Is(err, errNoViewer) {
		return "", 0, nil
	}
	return pagetext.ShortenRunes(text, limit), length(text), err
}

// mayViewPDF reports whether one of the frames is the viewer of a PDF file, or the tab may be about to open it: its
// document is one that the walker cannot read.
func (r *raw) mayViewPDF() bool {
	return len(r.frames) > 0 && r.trees[r.frames[0].ID] != nil || slices.ContainsFunc(r.frames, Frame.IsViewer)
}

// gatherViewed adds the texts of the PDF files of a tab to what was gathered, and gathers again if the viewer opens
// only now. A file whose text is not available is left to what the viewer shows by then.
func gatherViewed(d Reader, limit time.Duration, want content, r *raw) (*raw, error) {
	if !slices.ContainsFunc(r.frames, Frame.isOpenViewer) {
		if !AwaitViewer(d) {
			return r, nil
		}
		var err error
		if r, err = gather(d, limit, want); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(d.Context(), viewedLimit)
	defer cancel()
	texts, asks := map[cdproto.FrameID]string{}, false
	for _, f := range r.frames {
		if !f.IsViewer() {
			continue
		}
		text, err := viewed(ctx, d, f.ID)
		if err != nil && d.Ends(err) {
			return nil, err
		}
		asks = asks || errors.Is(err, errNoViewer)
		texts[f.ID] = text
	}
	if asks { // for a password, most likely, which it did not when it was read
		var err error
		if r, err = gather(d, limit, want); err != nil {
			return nil, err
		}
	}
	r.viewed = texts
	return r, nil
}

// addViewed adds the lines of a PDF file to the node of its viewer.
func (b *builder) addViewed(at *Node, f Frame) {
	for line := range strings.SplitSeq(b.viewed[f.ID], "\n") {
		if strings.TrimSpace(line) != "" {
			b.breakFlow(true)
			b.add(at, &Node{Key: Key{Frame: f.ID, Document: f.Document}, Role: "paragraph", Value: line, InView: true})
		}
	}
}
