package storagestate

import (
	_ "embed" // the scripts
	"encoding/json"
	"fmt"
)

// The functions run in an isolated world of a document of the origin, which must be the first argument.
//
//   - Collect returns the JSON of an [Origin], with the number of skipped records as skipped.
//   - Restore takes the JSON of an [Origin], replaces localStorage and, if the origin has databases, those, and returns
//     the same counts.
//   - RestoreSession takes the JSON of the items, replaces sessionStorage, and returns how many it has.
var (
	//go:embed collect.js
	Collect string
	//go:embed restore.js
	Restore string
	//go:embed restore_session.js
	RestoreSession string
)

// Collected decodes what [Collect] returns.
func Collected(text string) (Origin, error) {
	var o struct {
		Origin
		Skipped int `json:"skipped"`
	}
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		return Origin{}, fmt.Errorf("what an origin has stored%s", where(err)) // the text may quote a value
	}
	o.Origin.Skipped = o.Skipped
	return o.Origin, nil
}

// Restored is what [Restore] returns.
type Restored struct {
	LocalStorage int `json:"localStorage"`
	Records      int `json:"records"`
}
