package options

import (
	"log/slog"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/config"
	"github.com/hermes-cdp/hermes-cdp/host/server/audit"
)

// Audit says where what operators do is recorded.
func Audit(c config.Audit, log *slog.Logger) audit.Options {
	return audit.Options{Dir: c.Dir, FileBytes: int64(c.FileMB) << 20, TotalBytes: int64(c.DirMB) << 20, Logger: log}
}
