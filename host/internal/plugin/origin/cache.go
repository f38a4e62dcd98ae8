package origin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"

	"github.com/hermes-cdp/hermes-cdp/internal/wholefile"
)

// cached is a source whose content is known by its hash: what was fetched once is not fetched again.
type cached struct {
	Source
	dir    string
	sha256 string
	suffix string // of the file
}

// Fetch implements [Source]. Cached content is compared with the hash before it is used, so the directory need not be
// trusted.
func (k cached) Fetch(ctx context.Context, limit int64, progress func(done, total int64)) ([]byte, error) {
	path := filepath.Join(k.dir, k.sha256+k.suffix)
	if content, err := file(path).Fetch(ctx, limit, progress); err == nil && hashOf(content) == k.sha256 {
		return content, nil
	}
	content, err := k.Source.Fetch(ctx, limit, progress)
	if err != nil {
		return nil, err
	}
	if hashOf(content) != k.sha256 {
		return content, nil // the caller reports the wrong hash
	}
	if err := wholefile.Edit(path, content, 0o600, 0o700); err != nil {
		return nil, fmt.Errorf("the download cannot be cached: %w", err)
	}
	return content, nil
}

func hashOf(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
