package host

import (
	"context"
	"log/slog"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
)

// JournalFilter says which hook calls are meant. Zero fields fit every call.
type JournalFilter struct {
	Plugin string   `json:"plugin,omitempty"`
	Task   string   `json:"task,omitempty"`
	Hook   abi.Hook `json:"hook,omitempty"`
	// Subject is what the call is about: the id of a dialog or of a target.
	Subject  string `json:"subject,omitempty"`
	Sequence uint64 `json:"sequence,omitempty"`
	// Max is how many of the latest calls are wanted; 0 or less: all.
	Max int `json:"max,omitempty"`
	// Candidates is whether shadow calls fit too.
	Candidates bool `json:"candidates,omitempty"`
}

type (
	// JournalEntry is one hook call, with secrets masked.
	JournalEntry = journal.Shown
	// JournalExchange is what a module asked the host for during a call.
	JournalExchange = journal.ShownExchange
)

// Journal lists recent hook calls, the oldest first. It has what [JournalOptions] keep in memory.
func (h *Host) Journal(f JournalFilter) []JournalEntry {
	return h.journal.shown(journal.Filter(f))
}

// callJournal keeps hook calls in memory and, where a folder is given, in files.
type callJournal struct {
	ring   *journal.Ring
	writer *journal.Writer // nil: there are no files
	masker *journal.Masker
}

func openJournal(o JournalOptions, log *slog.Logger) (*callJournal, error) {
	j := &callJournal{ring: journal.NewRing(o.Entries, o.Bytes), masker: journal.NewMasker()}
	if o.Dir == "" {
		return j, nil
	}
	var err error
	j.writer, err = journal.OpenWriter(journal.WriterOptions{Dir: o.Dir, FileBytes: o.FileBytes, DirBytes: o.DirBytes, Logger: log})
	return j, err
}

// keeps tells whether calls are kept anywhere.
func (j *callJournal) keeps() bool { return j.ring != nil || j.writer != nil }

// Add keeps a call, of which the masker learned before. It never waits.
func (j *callJournal) Add(e journal.Entry) {
	j.ring.Add(e)
	j.writer.Add(e)
}

// Recent returns the latest calls of a plugin, the oldest first, with their secrets: it is for replays within the host.
func (j *callJournal) Recent(plugin string, most int) []journal.Entry {
	return j.ring.Recent(plugin, most)
}

func (j *callJournal) shown(f journal.Filter) []JournalEntry {
	list := []JournalEntry{}
	for _, e := range j.ring.Select(f) {
		list = append(list, j.masker.Show(e))
	}
	return list
}

// close writes what waits.
func (j *callJournal) close(log *slog.Logger) error {
	err := j.writer.Close()
	if lost := j.writer.Lost(); lost > 0 {
		log.LogAttrs(context.Background(), slog.LevelWarn, "calls are missing in the journal's files", slog.Uint64("lost", lost))
	}
	return err
}
