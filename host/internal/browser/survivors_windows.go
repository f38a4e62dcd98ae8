package browser

// survivors finds nothing on Windows: taskkill /T has ended the descendants.
func survivors(int, string) []int { return nil }

// usersOf finds nothing here.
func usersOf(string) []int { return nil }

func uses(int, int, string) bool { return false }

// leaderOf finds nothing here.
func leaderOf([]int) int { return 0 }
