package journal

import (
	"context"
	"log/slog"
)

// KeeperOptions say how many calls a [Keeper] keeps, in memory and in files.
type KeeperOptions struct {
	Entries             int // negative: none in memory
	Bytes               int64
	Dir                 string // empty: no files
	FileBytes, DirBytes int64
}

// Keeper keeps hook calls in memory and, if a directory is configured, in files.
type Keeper struct {
	// Masker must know the secrets of a call before it is added.
	Masker *Masker

	ring   *Ring
	writer *Writer // nil: no files
}

// Keep returns what keeps the calls of a host. The error is that of the directory.
func Keep(o KeeperOptions, log *slog.Logger) (*Keeper, error) {
	j := &Keeper{ring: NewRing(o.Entries, o.Bytes), Masker: NewMasker()}
	if o.Dir == "" {
		return j, nil
	}
	var err error
	j.writer, err = OpenWriter(WriterOptions{Dir: o.Dir, FileBytes: o.FileBytes, DirBytes: o.DirBytes, Logger: log})
	return j, err
}

// Keeps reports whether calls are kept anywhere.
func (j *Keeper) Keeps() bool { return j.ring != nil || j.writer != nil }

// Add keeps a call. It never waits.
func (j *Keeper) Add(e Entry) {
	j.ring.Add(e)
	j.writer.Add(e)
}

// Recent returns the latest calls of a plugin, oldest first, with their secrets: it is for replays within the host.
func (j *Keeper) Recent(plugin string, most int) []Entry {
	return j.ring.Recent(plugin, most)
}

// Show returns the calls that a filter selects, with secrets masked.
func (j *Keeper) Show(f Filter) []Shown {
	list := []Shown{}
	for _, e := range j.ring.Select(f) {
		list = append(list, j.Masker.Show(e))
	}
	return list
}

// Close writes out pending calls.
func (j *Keeper) Close(log *slog.Logger) error {
	err := j.writer.Close()
	if lost := j.writer.Lost(); lost > 0 {
		log.LogAttrs(context.Background(), slog.LevelWarn, "calls are missing in the journal's files", slog.Uint64("lost", lost))
	}
	return err
}
