package browsertool

import (
	"context"
	"fmt"
	"os"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// DownloadParams are the parameters of browser_download.
type DownloadParams struct {
	// Target is the element to click.
	Target
	Timeout
}

// DownloadResult is the result of browser_download. Name is the one that the page suggests.
type DownloadResult struct {
	Path      string            `json:"path"`
	Name      string            `json:"name"`
	Bytes     int64             `json:"bytes"`
	Untrusted *result.Untrusted `json:"untrusted,omitempty" schema:"-"`
}

// Download clicks an element and keeps the resulting file. Errors are those of
// [host.Tab.Download].
func (b *Browser) Download(ctx context.Context, p DownloadParams) (DownloadResult, error) {
	ctx, cancel := b.within(ctx, p.Timeout)
	defer cancel()
	tab, at, err := b.element(ctx, p.Target)
	if err != nil {
		return DownloadResult{}, err
	}
	if b.options.DownloadDir != "" {
		if err := os.MkdirAll(b.options.DownloadDir, 0o700); err != nil {
			return DownloadResult{}, fmt.Errorf("%w: the directory for downloads: %w", host.ErrDownload, err)
		}
	}
	file, err := tab.Download(ctx, at, b.options.DownloadDir)
	return then(ctx, b, file, err, func(_ context.Context, d host.Download) (DownloadResult, error) {
		b.reported(d)
		return DownloadResult{d.Path, result.Visible(d.Name), d.Bytes, b.untrusted(tab.ID(), "path", "name")}, nil
	})
}

// Text says where the file is.
func (r DownloadResult) Text() string { return fmt.Sprintf("%d bytes in %s", r.Bytes, r.Path) }
