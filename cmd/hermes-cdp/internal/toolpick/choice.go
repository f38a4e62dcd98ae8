package toolpick

import (
	"errors"
	"slices"
)

// ErrNothing says that no tool is left.
var ErrNothing = errors.New("no tool is chosen: an empty list would mean the toolset " + Default + "; choose at least one")

// Choice is what the file is to say, in few names: toolsets that are on stay; one of which most is off gives way to the
// tools that are left; one that is wholly on takes the place of its tools' names. Where nothing was changed it is what
// there was. The error is [ErrNothing].
func (s *State) Choice() (Choice, error) {
	if !s.Changed() {
		return s.was, nil
	}
	sets := s.keptSets()
	sets = s.wholeSets(sets)
	covered := s.covered(sets)
	var singles []string
	for _, name := range used(s.was) { // in the order in which they stood
		if !s.isSet(name) && s.on[name] && !covered[name] {
			singles = append(singles, name)
		}
	}
	for _, t := range s.tools {
		if s.on[t.Name] && !covered[t.Name] && !slices.Contains(singles, t.Name) {
			singles = append(singles, t.Name)
		}
	}
	out := Choice{Toolsets: append(sets, singles...), Disabled: s.disabled(covered)}
	if len(out.Toolsets) == 0 {
		return Choice{}, ErrNothing
	}
	if len(s.was.Toolsets) == 0 && slices.Equal(out.Toolsets, []string{Default}) {
		out.Toolsets = nil // as it was
	}
	return out, nil
}

// keptSets are the toolsets in use that are still worth their name: it and what is to be disabled of it are not longer
// than the list of what is on.
func (s *State) keptSets() []string {
	var kept []string
	for _, name := range used(s.was) {
		members := s.Members(name)
		if !s.isSet(name) || slices.Contains(kept, name) || len(members) == 0 && !s.empty[name] {
			continue
		}
		on, off := 0, 0
		for _, m := range members {
			switch {
			case s.on[m]:
				on++
			case !slices.Contains(s.was.Disabled, m):
				off++
			}
		}
		if len(members) == 0 || on > 0 && 1+off <= on {
			kept = append(kept, name)
		}
	}
	for _, it := range s.sets {
		if s.empty[it.Name] && !slices.Contains(kept, it.Name) {
			kept = append(kept, it.Name)
		}
	}
	return kept
}

// wholeSets adds toolsets that are wholly on, each for two names at least, and takes out those that they contain.
func (s *State) wholeSets(kept []string) []string {
	for {
		best := s.bestSet(kept)
		if best == "" {
			return kept
		}
		members := s.Members(best)
		kept = slices.DeleteFunc(kept, func(name string) bool {
			inside := s.Members(name)
			return len(inside) > 0 && !slices.ContainsFunc(inside, func(m string) bool { return !slices.Contains(members, m) })
		})
		kept = append(kept, best)
	}
}

// bestSet is the toolset that saves most names; of those that save as many, the one that was switched on last, then the
// smallest.
func (s *State) bestSet(kept []string) string {
	covered := s.covered(kept)
	best, most, size := "", 1, 0
	for _, name := range s.candidates() {
		members := s.Members(name)
		gain := 0
		for _, m := range members {
			if !covered[m] {
				gain++
			}
		}
		if !s.Full(name) || slices.Contains(kept, name) {
			continue
		}
		if gain > most || gain == most && best != "" && !slices.Contains(s.liked, best) && len(members) < size {
			best, most, size = name, gain, len(members)
		}
	}
	return best
}

// candidates are the toolsets that may stand in the file: first those that were switched on.
func (s *State) candidates() []string {
	list := slices.Clone(s.liked)
	for _, it := range s.sets {
		if !it.Hidden && !slices.Contains(list, it.Name) {
			list = append(list, it.Name)
		}
	}
	return list
}

func (s *State) covered(sets []string) map[string]bool {
	covered := map[string]bool{}
	for _, name := range sets {
		for _, m := range s.Members(name) {
			covered[m] = true
		}
	}
	return covered
}

// disabled are the tools that were disabled and still are off, and those that a toolset in use would bring otherwise.
func (s *State) disabled(covered map[string]bool) []string {
	var list []string
	for _, name := range s.was.Disabled {
		if !s.on[name] {
			list = append(list, name)
		}
	}
	for _, t := range s.tools {
		if covered[t.Name] && !s.on[t.Name] && !slices.Contains(list, t.Name) {
			list = append(list, t.Name)
		}
	}
	return list
}
