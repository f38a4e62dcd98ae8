package browser

// owned is nothing on Windows: profiles that a killed process left are not found there.
type owned struct{}

func own(string) (owned, error) { return owned{}, nil }

func (owned) release() {}

func abandoned(string) (profile, bool) { return profile{}, false }
