package replay

import (
	"errors"
	"io"

	"github.com/hermes-cdp/hermes-cdp/host"
	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/journal"
)

// Entries lists the calls of a journal (a file, or a directory of files) that match a filter, oldest first, as
// [host.Host.Journal] lists those in memory. It skips lines that cannot be read, and returns what is wrong with them.
func Entries(path string, f host.JournalFilter) (list []host.JournalEntry, problems []string, err error) {
	r, err := journal.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	filter := journal.Filter(f)
	list = []host.JournalEntry{}
	for {
		e, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, nil, err
		}
		if !filter.Matches(&e) {
			continue
		}
		if f.Max > 0 && len(list) == f.Max {
			list = append(list[:0], list[1:]...)
		}
		list = append(list, journal.ShowMasked(e))
	}
	for _, p := range r.Problems() {
		problems = append(problems, p.String())
	}
	return list, problems, nil
}
