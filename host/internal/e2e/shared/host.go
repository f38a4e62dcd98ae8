package shared

import (
	"cmp"
	"context"
	"maps"
	"os"
	"testing"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/plugins"
)

// unhurried is how long a shipped module may take: on the busiest machine it is still the module that decides.
const unhurried = 20 * time.Second

// NewHost makes a host that ends with the test. All hosts share a cache of compiled modules: under the race detector
// the compiler takes longer than most tests. Pages get files of temporary directories, unless the test says otherwise.
// The shipped modules have all the time they need, unless the test gives a limit or a module.
func (s *Suite) NewHost(t *testing.T, o host.Options) *host.Host {
	t.Helper()
	o.PluginCacheDir = s.cache
	if o.UploadRoots == nil {
		o.UploadRoots = []string{".", os.TempDir()}
	}
	o.ActionWait = cmp.Or(o.ActionWait, -1) // a page on a busy machine is not stuck
	o.Plugins = maps.Clone(o.Plugins)
	if o.Plugins == nil {
		o.Plugins = map[string]host.PluginOptions{}
	}
	for _, name := range plugins.Names() {
		p := o.Plugins[name]
		if p.Path == "" && p.Limits.HookTimeout == 0 {
			p.Limits.HookTimeout = unhurried
		}
		o.Plugins[name] = p
	}
	h, err := host.New(t.Context(), &o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), CloseTimeout)
		defer cancel()
		if err := h.Close(ctx); err != nil {
			t.Errorf("the host did not close cleanly: %v", err)
		}
	})
	return h
}
