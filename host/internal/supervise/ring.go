package supervise

// How many closed dialogs, console entries of each kind and denied navigations a task remembers.
const (
	recentDialogs  = 20
	consoleEntries = 50
	recentDenials  = 20
)

// ring keeps the last limit values.
type ring[T any] struct {
	values []T
	limit  int
	total  int // how many were added
}

func (r *ring[T]) add(v T) {
	r.total++
	if len(r.values) == r.limit {
		copy(r.values, r.values[1:])
		r.values[r.limit-1] = v
		return
	}
	r.values = append(r.values, v)
}

// list returns a copy, oldest first.
func (r *ring[T]) list() []T { return append([]T(nil), r.values...) }
