package plugin

import (
	"log/slog"
	"os"

	"github.com/tetratelabs/wazero"

	"github.com/hermes-cdp/hermes-cdp/host/internal/privatedir"
)

// openCache opens the directory for compiled code. Its content runs as native code in this process, so a directory that
// someone else could have written to is not used: caching is then off, and the log says why.
func openCache(dir string, logger *slog.Logger) wazero.CompilationCache {
	if dir == "" {
		return nil
	}
	cache, err := tryCache(dir)
	if err != nil {
		logger.Warn("compiled plugins are not cached", "directory", dir, "error", err)
		return nil
	}
	return cache
}

func tryCache(dir string) (wazero.CompilationCache, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if err := privatedir.Check(dir); err != nil {
		return nil, err
	}
	cache, err := wazero.NewCompilationCacheWithDir(dir)
	if err != nil {
		return nil, err
	}
	return cache, nil
}
