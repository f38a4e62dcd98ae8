package daemon

import (
	"log/slog"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/cmd/hermes-cdp/internal/watch"
	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/internal/signer"
)

// configFile stands for the configuration file where others stand for the plugins of their names.
const configFile = ""

// files are those that plugins come from, and the configuration file.
type files struct {
	log     *slog.Logger
	config  string         // the configuration file; empty: there is none
	watcher *watch.Watcher // nil: files are not watched
	states  map[string]fileState
}

// fileState is what is known of a plugin's file.
type fileState struct {
	serving string  // the digest of the module that was last put into service from the configuration
	tried   content // the last that was tried
}

// content is what a plugin's files hold, by digests; the signature's is empty where none is looked at.
type content struct{ module, signature string }

// comparison is what a look at a file gives.
type comparison int

const (
	fileTried  comparison = iota // it was refused already
	fileServes                   // it is in service
	fileNew                      // it is to be tried
	fileGone                     // it cannot be read
)

func newFiles(log *slog.Logger) *files { return &files{log: log, states: map[string]fileState{}} }

// watch replaces what is watched. Without a watch a plugin's file still counts when the configuration is read again.
func (f *files) watch(plugins map[string]host.PluginOptions, on bool) {
	if !on {
		f.close()
		return
	}
	if f.watcher == nil {
		watcher, err := watch.New()
		if err != nil {
			f.log.Warn("the files of plugins are not watched; SIGHUP looks at them", "error", err)
			return
		}
		f.watcher = watcher
	}
	paths := map[string][]string{}
	for name, o := range plugins {
		if o.Path != "" {
			paths[name] = append([]string{o.Path}, signatureFile(o)...)
		}
	}
	if f.config != "" {
		paths[configFile] = []string{f.config}
	}
	if err := f.watcher.Watch(paths); err != nil {
		f.log.Warn("some files of plugins are not watched; SIGHUP looks at them", "error", err)
	}
}

// changed gives the names of plugins whose files may have changed; nothing comes where files are not watched.
func (f *files) changed() <-chan []string {
	if f.watcher == nil {
		return nil
	}
	return f.watcher.Changed()
}

func (f *files) close() {
	if f.watcher == nil {
		return
	}
	if err := f.watcher.Close(); err != nil {
		f.log.Warn("the watch of the files of plugins did not end cleanly", "error", err)
	}
	f.watcher = nil
}

// signatureFile is the file of the signature, if one is looked at.
func signatureFile(o host.PluginOptions) []string {
	by := signer.Signer{PublicKey: o.PublicKey, Sigstore: signer.Sigstore(o.Sigstore)}
	switch {
	case !by.Required() || strings.Contains(o.Signature, "://"):
		return nil
	case o.Signature != "":
		return []string{o.Signature}
	}
	return []string{o.Path + by.Suffix()}
}

func contentOf(o host.PluginOptions) (content, error) {
	digest, err := watch.Digest(o.Path)
	if err != nil {
		return content{}, err
	}
	c := content{module: digest}
	for _, file := range signatureFile(o) {
		c.signature, _ = watch.Digest(file) // one that is missing is an error of the swap
	}
	return c, nil
}

// compare looks at a plugin's files. Settled tells that the plugin has the options that it is to have, so that the
// module in service needs no other try.
func (f *files) compare(name string, o host.PluginOptions, settled bool) comparison {
	was := f.states[name]
	now, err := contentOf(o)
	f.states[name] = fileState{serving: was.serving, tried: now}
	switch {
	case err != nil:
		return fileGone
	case settled && now.module == was.serving:
		return fileServes
	case now == was.tried:
		return fileTried
	}
	return fileNew
}

// tries notes what a plugin's files hold before they are tried for another reason than a change of theirs.
func (f *files) tries(name string, o host.PluginOptions) {
	s := f.states[name]
	s.tried = content{}
	if o.Path != "" {
		s.tried, _ = contentOf(o)
	}
	f.states[name] = s
}

// serves notes which module was put into service.
func (f *files) serves(name, digest string) {
	s := f.states[name]
	s.serving = digest
	f.states[name] = s
}

func (f *files) forget(name string) { delete(f.states, name) }
