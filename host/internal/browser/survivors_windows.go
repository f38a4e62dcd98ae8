package browser

// survivors knows nothing on Windows: taskkill /T has ended the descendants.
func survivors(int, string) []int { return nil }

// usersOf knows nothing here.
func usersOf(string) []int { return nil }

// leaderOf knows nothing here.
func leaderOf([]int) int { return 0 }
