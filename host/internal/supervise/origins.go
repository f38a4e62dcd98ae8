package supervise

import "slices"

// maxOrigins bounds the origins that are remembered of a task: a page can lead to any number of them.
const maxOrigins = 500

// origins are those whose documents the tabs of a task have shown, the latest last. Chromium tells nobody which origins
// have stored something.
type origins struct {
	list    []string
	dropped int
}

func (o *origins) note(origin string) {
	if origin == opaque || originOf(origin) != origin {
		return // only sites can store anything
	}
	o.list = append(slices.DeleteFunc(o.list, func(known string) bool { return known == origin }), origin)
	if len(o.list) > maxOrigins {
		o.list = slices.Delete(o.list, 0, 1)
		o.dropped++
	}
}

// Origins lists the origins that the tabs of a task have shown, the latest last, and counts those that were forgotten.
func (s *State) Origins(task string) (list []string, dropped int) {
	if t := s.tasks[task]; t != nil {
		return slices.Clone(t.origins.list), t.origins.dropped
	}
	return nil, 0
}

// NoteOrigins adds origins whose storage has been set without showing them.
func (s *State) NoteOrigins(task string, list []string) {
	for _, origin := range list {
		if t := s.tasks[task]; t != nil {
			t.origins.note(origin)
		}
	}
}
