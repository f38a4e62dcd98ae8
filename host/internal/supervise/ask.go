package supervise

import (
	"slices"
	"time"
)

// askUntil is when nobody waits for the outcome of an ask any more that is made now.
func (s *State) askUntil() time.Time { return s.now.Add(s.config.AskTimeout) }

// withdraw forgets an ask, whether its outcome has come or what it was about has gone.
func (s *State) withdraw(token Token) {
	_, asked := s.asks[token]
	_, bridge := s.bridgeAsks[token]
	_, navigate := s.navigateAsks[token]
	if !asked && !bridge && !navigate {
		return
	}
	delete(s.asks, token)
	delete(s.bridgeAsks, token)
	delete(s.navigateAsks, token)
	s.do(Withdraw{Token: token})
}

// awaited are the asks whose outcome has not come, oldest first.
func (s *State) awaited() []Token {
	return slices.Sorted(slices.Values(slices.Concat(sortedKeys(s.asks), sortedKeys(s.bridgeAsks), sortedKeys(s.navigateAsks))))
}
