package host

// The states of a [Download].
const (
	DownloadStarted  = downloadStarted
	DownloadComplete = downloadComplete
	DownloadCanceled = downloadCanceled
)
