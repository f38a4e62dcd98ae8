package host

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/storefile"
)

// What plugins store is in one of these.
const (
	storeDisk   = "disk"
	storeMemory = "memory"
)

// storeFileName is the file in Options.PluginStateDir that has what plugins store.
const storeFileName = "store.db"

var errNoStoreFile = errors.New("option PluginStateDir: it is empty, but what a plugin stores is to be on disk (StoreOnDisk)")

// savePatience is how long an operator waits for the disk.
const savePatience = 10 * time.Second

// openStore opens the file of what plugins store, or the one that is to be, if a plugin that is added or configured
// later has it there. With Options.PluginFallback the host starts without it: the plugins are worth more than what they
// remember.
func (h *Host) openStore(o Options) (err error) {
	wanted := false
	for _, p := range o.Plugins {
		wanted = wanted || p.StoreOnDisk
	}
	if !wanted && h.kept == nil {
		return nil
	}
	switch {
	case h.unkept != nil:
		err = h.unkept
	case h.kept == nil:
		err = errNoStoreFile
	default:
		h.storeFile, err = storefile.Open(filepath.Join(o.PluginStateDir, storeFileName), wanted, &h.store, h.log)
	}
	if err == nil {
		return nil
	}
	err = fmt.Errorf("what plugins store: %w", err)
	if wanted && !o.PluginFallback {
		return err
	}
	h.storeProblem = err
	h.log.Error("what plugins store is in memory until the next start, and nothing of an earlier one is known", "error", err)
	return nil
}

// CheckPluginStore says what is wrong with the file of what plugins store in a directory for Options.PluginStateDir,
// such as that it is damaged. It changes nothing, does not look into a file that a host has open, and there need not
// be one.
func CheckPluginStore(dir string) error {
	return storefile.Check(filepath.Join(dir, storeFileName))
}

func (h *Host) closeStore() error {
	if h.storeFile == nil {
		return nil
	}
	return h.storeFile.Close()
}

// storeOf says where what a plugin stores is, and why it is not on disk if it should be.
func (h *Host) storeOf(name string) (where, problem string) {
	switch {
	case !h.plugins.StoreQuota(name).Durable:
		return storeMemory, ""
	case h.storeProblem != nil:
		return storeMemory, h.storeProblem.Error()
	case h.storeFile == nil:
		return storeMemory, errNoStoreFile.Error()
	}
	if err := h.storeFile.Problem(); err != nil {
		return storeDisk, "the last write to the disk failed: " + err.Error()
	}
	return storeDisk, ""
}

// storeSaved waits until what is stored now is on disk, as far as it is to be.
func (h *Host) storeSaved() error {
	if h.storeFile == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), savePatience)
	defer cancel()
	return h.storeFile.Flush(ctx)
}
