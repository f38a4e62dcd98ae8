package supervise

import (
	"fmt"
	"slices"
	"testing"
)

func TestTheOriginsOfATaskAreItsLatestSites(t *testing.T) {
	var o origins
	for _, origin := range []string{"https://a.example", "null", "", "file://", "https://b.example", "https://a.example"} {
		o.note(origin)
	}
	if want := []string{"https://b.example", "https://a.example"}; !slices.Equal(o.list, want) || o.dropped != 0 {
		t.Errorf("they are %v", o)
	}
	for i := range maxOrigins {
		o.note(fmt.Sprintf("https://%d.example", i))
	}
	if len(o.list) != maxOrigins || o.dropped != 2 || o.list[0] != "https://0.example" {
		t.Errorf("there are %d, and %d were dropped", len(o.list), o.dropped)
	}
}
