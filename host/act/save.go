package act

import (
	"cmp"
	"context"
	"fmt"
	"io"

	cdpio "github.com/chromedp/cdproto/io"
	cdppage "github.com/chromedp/cdproto/page"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
	"github.com/hermes-cdp/hermes-cdp/host/internal/supervise"
	"github.com/hermes-cdp/hermes-cdp/internal/optional"
)

// SaveFormat is a format of [Tab.Save].
type SaveFormat string

// The formats of [Tab.Save].
const (
	// SavePDF is the page as it is printed.
	SavePDF SaveFormat = "pdf"
	// SaveMHTML has the documents of all frames, with their resources: https://www.rfc-editor.org/rfc/rfc2557.
	SaveMHTML SaveFormat = "mhtml"
)

// SaveOptions are the options of [Tab.Save]; all of them are about PDF.
type SaveOptions struct {
	// Landscape turns the paper, and Background prints backgrounds.
	Landscape, Background bool
	// Width and Height are those of the paper, in inches; 0: those of A4.
	Width, Height float64
}

// Paper of the format A4, in inches.
const (
	a4Width, a4Height = 8.27, 11.69
	maxPaper          = 200
)

// Save writes the page of the tab as a PDF or an MHTML file, and returns how many bytes that took. Errors:
// ErrBadArguments; an error of the writer; and those of [Tab.Screenshot].
func (t Tab) Save(ctx context.Context, format SaveFormat, to io.Writer, options *SaveOptions) (n int64, err error) {
	defer fault.During("save", &err)
	o := optional.Or(options)
	if o.Width < 0 || o.Height < 0 || o.Width > maxPaper || o.Height > maxPaper {
		return 0, fmt.Errorf("%w: paper of %v by %v inches: it can have up to %d", fault.ErrBadArguments, o.Width, o.Height, maxPaper)
	}
	save := map[SaveFormat]func(*driver, io.Writer, SaveOptions) (int64, error){SavePDF: printed, SaveMHTML: archived}[format]
	if save == nil {
		return 0, fmt.Errorf("%w: %q is no format: pdf and mhtml are", fault.ErrBadArguments, format)
	}
	tab, err := t.target()
	if err != nil {
		return 0, err
	}
	value, err := t.pages.onPage(ctx, tab, func(d *driver) (any, error) { return save(d, to, o) })
	n, _ = value.(int64)
	return n, err
}

// printed has the page printed. The file comes in parts, however long it is.
func printed(d *driver, to io.Writer, o SaveOptions) (n int64, err error) {
	place, err := d.op.Locate(supervise.FrameSelector{Target: d.tab})
	if err != nil {
		return 0, err
	}
	p := &cdppage.PrintToPDFParams{
		Landscape: &o.Landscape, PrintBackground: &o.Background, TransferMode: cdppage.PrintToPDFTransferModeReturnAsStream,
		PaperWidth: cmp.Or(o.Width, a4Width), PaperHeight: cmp.Or(o.Height, a4Height),
	}
	var file cdppage.PrintToPDFResult
	if err := d.Act("", cdppage.CommandPrintToPDF, p, &file); err != nil {
		return 0, err
	}
	defer d.pages.Tell(place.Session, cdpio.CommandClose, &cdpio.CloseParams{Handle: file.Stream})
	for {
		var part struct {
			Data []byte `json:"data"` // of a PDF, which is no text, in base64
			EOF  bool   `json:"eof"`
		}
		if err := d.Read("", cdpio.CommandRead, &cdpio.ReadParams{Handle: file.Stream, Size: savePart}, &part); err != nil {
			return n, err
		}
		written, err := to.Write(part.Data)
		if n += int64(written); err != nil || part.EOF {
			return n, err
		}
	}
}

// savePart is how many bytes of a file are asked for at a time.
const savePart = 1 << 20

// archived writes the page with its frames and resources. The browser leaves out no frame.
func archived(d *driver, to io.Writer, _ SaveOptions) (int64, error) {
	for _, f := range d.Frames() {
		if f.Filtered != "" {
			return 0, fmt.Errorf("%w: an archive would have the frame %s of %s, which is filtered by %s; save a pdf instead",
				fault.ErrFrameFiltered, f.ID, f.Origin, f.Filtered)
		}
	}
	var snapshot cdppage.CaptureSnapshotResult
	p := &cdppage.CaptureSnapshotParams{Format: cdppage.CaptureSnapshotFormatMhtml}
	if err := d.Read("", cdppage.CommandCaptureSnapshot, p, &snapshot); err != nil {
		return 0, err
	}
	n, err := io.WriteString(to, snapshot.Data)
	return int64(n), err
}
