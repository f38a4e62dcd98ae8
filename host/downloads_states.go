package host

import (
	"github.com/hermes-cdp/hermes-cdp/host/internal/download"
)

// The states of a [Download].
const (
	DownloadStarted  = download.Started
	DownloadComplete = download.Complete
	DownloadCanceled = download.Canceled
)
