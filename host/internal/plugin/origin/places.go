package origin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/internal/ociref"
)

// PlaceShipped is the place of the modules that come with the host.
const PlaceShipped = "shipped"

// places are where modules may come from: files, directories, https URLs, registries and their repositories, including
// everything below them, and [PlaceShipped]. None: anywhere.
type places []string

// errPlace is the error for a module from another place.
var errPlace = errors.New("its source is not allowed for this plugin")

func (p places) refused(from string) error {
	shown := make([]string, len(p))
	for i, place := range p {
		shown[i] = place
		if isAddress(place) {
			shown[i] = withoutSecrets(place)
		}
	}
	return fmt.Errorf("%w: %s is neither one of its sources (%s) nor below one; move the module there, or add the place to the plugin's sources",
		errPlace, from, strings.Join(shown, ", "))
}

// file opens a file through the directory that allows it, so that no symbolic link leads out of that directory.
func (p places) file(name string) (Source, error) {
	absolute, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	for _, place := range p {
		if isAddress(place) || ociref.Is(place) || place == PlaceShipped {
			continue
		}
		allowed, err := filepath.Abs(place)
		if err != nil {
			return nil, err
		}
		switch below, err := filepath.Rel(allowed, absolute); {
		case err != nil || !filepath.IsLocal(below):
		case below == ".":
			return rooted{filepath.Dir(allowed), filepath.Base(allowed)}, nil
		default:
			return rooted{allowed, below}, nil
		}
	}
	return nil, p.refused(name)
}

// checkURL rejects a URL that is not below an allowed one.
func (p places) checkURL(u *url.URL) error {
	if slices.ContainsFunc(p, func(place string) bool { return isAddress(place) && isBelow(place, u) }) {
		return nil
	}
	return p.refused(withoutSecrets(u.String()))
}

func isBelow(place string, u *url.URL) bool {
	allowed, err := url.Parse(place)
	if err != nil || u.Scheme != "https" || hostOf(allowed) != hostOf(u) {
		return false
	}
	folder, name := path.Clean("/"+allowed.Path), path.Clean("/"+u.Path)
	return name == folder || strings.HasPrefix(name, strings.TrimSuffix(folder, "/")+"/")
}

func hostOf(u *url.URL) string {
	const standard = "443"
	port := u.Port()
	if port == "" {
		port = standard
	}
	return strings.ToLower(u.Hostname()) + ":" + port
}

// checkReference rejects a module of a registry that is not below an allowed place.
func (p places) checkReference(r ociref.Reference) error {
	if slices.ContainsFunc(p, r.IsBelow) {
		return nil
	}
	return p.refused(r.String())
}

// checkBytes rejects a module given as bytes, unless it is the host's own.
func (p places) checkBytes(shipped bool) error {
	switch {
	case shipped && slices.Contains(p, PlaceShipped):
		return nil
	case shipped:
		return p.refused("the shipped module")
	}
	return p.refused("a module that is given as bytes")
}

// client follows redirects only to allowed URLs: otherwise a server could choose the module.
func (p places) client(client *http.Client) *http.Client {
	bound := *client
	bound.CheckRedirect = func(to *http.Request, via []*http.Request) error {
		if err := p.checkURL(to.URL); err != nil {
			return fmt.Errorf("it redirects to a URL that is not allowed: %w", err)
		}
		return client.CheckRedirect(to, via)
	}
	return &bound
}

func isAddress(text string) bool { return strings.HasPrefix(text, "https://") }

// rooted is a file opened through a directory that it cannot lead out of.
type rooted struct{ folder, name string }

func (r rooted) String() string { return filepath.Join(r.folder, r.name) }

// Fetch implements [Source].
func (r rooted) Fetch(_ context.Context, limit int64, _ func(done, total int64)) ([]byte, error) {
	root, err := os.OpenRoot(r.folder)
	if err != nil {
		return nil, err
	}
	opened, err := root.Open(r.name)
	_ = root.Close() // the file stays open
	return readFile(r.String(), opened, err, limit)
}
