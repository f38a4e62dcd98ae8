package host

import (
	"context"
	"log/slog"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
)

// JournalFilter selects hook calls. Zero fields match every call.
type JournalFilter struct {
	Plugin string   `json:"plugin,omitempty"`
	Task   string   `json:"task,omitempty"`
	Hook   abi.Hook `json:"hook,omitempty"`
	// Subject is the id of the dialog or target that the call is about.
	Subject  string `json:"subject,omitempty"`
	Sequence uint64 `json:"sequence,omitempty"`
	// Max limits the result to the latest calls; 0 or less: all.
	Max int `json:"max,omitempty"`
	// Candidates includes the calls of candidates.
	Candidates bool `json:"candidates,omitempty"`
}

type (
	// JournalEntry is one hook call, with secrets masked.
	JournalEntry = journal.Shown
	// JournalExchange is one request that a module made to the host during a call.
	JournalExchange = journal.ShownExchange
)

// Journal lists recent hook calls, oldest first, as far as [JournalOptions] keep them in memory.
func (h *Host) Journal(f JournalFilter) []JournalEntry {
	return h.journal.shown(journal.Filter(f))
}

// callJournal keeps hook calls in memory and, if a directory is configured, in files.
type callJournal struct {
	ring   *journal.Ring
	writer *journal.Writer // nil: no files
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

// keeps reports whether calls are kept anywhere.
func (j *callJournal) keeps() bool { return j.ring != nil || j.writer != nil }

// Add keeps a call. The masker must know its secrets already. It never waits.
func (j *callJournal) Add(e journal.Entry) {
	j.ring.Add(e)
	j.writer.Add(e)
}

// Recent returns the latest calls of a plugin, oldest first, with their secrets: it is for replays within the host.
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

// close writes out pending calls.
func (j *callJournal) close(log *slog.Logger) error {
	err := j.writer.Close()
	if lost := j.writer.Lost(); lost > 0 {
		log.LogAttrs(context.Background(), slog.LevelWarn, "calls are missing in the journal's files", slog.Uint64("lost", lost))
	}
	return err
}
