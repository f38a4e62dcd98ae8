package browser

// profileLock does nothing on Windows: profiles of killed processes are not found there.
type profileLock struct{}

func lockProfile(string, string) (profileLock, error) { return profileLock{}, nil }

func (profileLock) release() {}

func lockAbandoned(string) (profile, bool) { return profile{}, false }

func ownerOf(string) user { return user{} }
