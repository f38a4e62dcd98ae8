package supervise

import (
	"cmp"
	"maps"
	"slices"
)

// sortedKeys makes a walk over a map the same in every run, so that a schedule replays.
func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// removeFrom takes the first element that equals v out of a slice, in place.
func removeFrom[T comparable](list []T, v T) []T {
	if i := slices.Index(list, v); i >= 0 {
		return slices.Delete(list, i, i+1)
	}
	return list
}
