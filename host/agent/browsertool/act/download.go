package act

import (
	"context"
	"fmt"
	"os"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/agent/browsertool/toolkit"
	"github.com/hermes-cdp/hermes-cdp/host/agent/internal/result"
)

// DownloadParams are the parameters of browser_download.
type DownloadParams struct {
	// Target is the element to click.
	toolkit.Target
	toolkit.Timeout
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
func (k *Kit) Download(ctx context.Context, p DownloadParams) (DownloadResult, error) {
	ctx, cancel := k.Within(ctx, p.Timeout)
	defer cancel()
	tab, at, err := k.Element(ctx, p.Target)
	if err != nil {
		return DownloadResult{}, err
	}
	if k.Options.DownloadDir != "" {
		if err := os.MkdirAll(k.Options.DownloadDir, 0o700); err != nil {
			return DownloadResult{}, fmt.Errorf("%w: the directory for downloads: %w", host.ErrDownload, err)
		}
	}
	file, err := tab.Download(ctx, at, k.Options.DownloadDir)
	return toolkit.Then(ctx, k.Kit, file, err, func(_ context.Context, d host.Download) (DownloadResult, error) {
		k.Reported(d)
		return DownloadResult{d.Path, result.Visible(d.Name), d.Bytes, k.Untrusted(tab.ID(), "path", "name")}, nil
	})
}

// Text says where the file is.
func (r DownloadResult) Text() string { return fmt.Sprintf("%d bytes in %s", r.Bytes, r.Path) }
