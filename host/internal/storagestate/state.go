package storagestate

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// State is what a browser context has stored: Playwright's storageState, with sessionStorage as a key that Playwright
// ignores.
//
// https://playwright.dev/docs/api/class-browsercontext#browser-context-storage-state
type State struct {
	Cookies []Cookie `json:"cookies"`
	Origins []Origin `json:"origins"`
}

// Cookie is a cookie. Without a Domain it belongs to the URL.
type Cookie struct {
	Name     string  `json:"name"`
	Value    string  `json:"value"`
	URL      string  `json:"url,omitempty"`
	Domain   string  `json:"domain"`
	Path     string  `json:"path"`
	Expires  float64 `json:"expires"` // seconds since 1970; -1: with the browser
	HTTPOnly bool    `json:"httpOnly"`
	Secure   bool    `json:"secure"`
	SameSite string  `json:"sameSite"`
	// PartitionKey is the site of a partitioned cookie.
	PartitionKey      string `json:"partitionKey,omitempty"`
	CrossSiteAncestor *bool  `json:"_crHasCrossSiteAncestor,omitempty"`
}

// Expired reports whether no browser would take the cookie any more.
func (c Cookie) Expired(now time.Time) bool {
	return c.Expires >= 0 && c.Expires < float64(now.Unix())
}

// Origin is what the pages of an origin have stored.
type Origin struct {
	Origin         string     `json:"origin"`
	LocalStorage   []Item     `json:"localStorage"`
	SessionStorage []Item     `json:"sessionStorage,omitempty"` // of the tab in use, else of the first with the origin
	IndexedDB      []Database `json:"indexedDB,omitempty"`
	// Skipped counts the records that the format cannot hold, such as files and keys of cryptography.
	Skipped int `json:"-"`
}

// Item is a key with its value. Both are JSON strings as they were written: a string of JavaScript can have surrogates
// without a partner, which no Go string holds.
type Item struct {
	Name  json.RawMessage `json:"name"`
	Value json.RawMessage `json:"value"`
}

// Database is a database of IndexedDB.
type Database struct {
	Name    string  `json:"name"`
	Version float64 `json:"version"`
	Stores  []Store `json:"stores"`
}

// Store is an object store.
type Store struct {
	Name          string   `json:"name"`
	Records       []Record `json:"records"`
	Indexes       []Index  `json:"indexes"`
	AutoIncrement bool     `json:"autoIncrement"`
	KeyPath       *string  `json:"keyPath,omitempty"`
	KeyPathArray  []string `json:"keyPathArray,omitempty"`
}

// Index is an index of an object store.
type Index struct {
	Name         string   `json:"name"`
	KeyPath      *string  `json:"keyPath,omitempty"`
	KeyPathArray []string `json:"keyPathArray,omitempty"`
	MultiEntry   bool     `json:"multiEntry"`
	Unique       bool     `json:"unique"`
}

// Record is a record: a value that is JSON, or one in Playwright's encoding of values that are not, and likewise its
// key, unless that is in the value. Playwright 1.61 leaves out values that are null, false, 0 or empty; it loads them
// as undefined, and so does [Restore].
type Record struct {
	Key          json.RawMessage `json:"key,omitempty"`
	KeyEncoded   json.RawMessage `json:"keyEncoded,omitempty"`
	Value        json.RawMessage `json:"value,omitempty"`
	ValueEncoded json.RawMessage `json:"valueEncoded,omitempty"`
}

// Parse reads a state and checks all of it, so that what is loaded is not found to be wrong halfway. Errors are
// ErrBadState, and quote no value.
func Parse(data []byte) (*State, error) {
	var s State
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, fmt.Errorf("%w: it is not the JSON of a storage state%s", fault.ErrBadState, where(err))
	}
	for i, c := range s.Cookies {
		if problem := c.problem(); problem != "" {
			return nil, fmt.Errorf("%w: cookie %d: %s", fault.ErrBadState, i+1, problem)
		}
	}
	seen := map[string]bool{}
	for i, o := range s.Origins {
		problem := o.problem()
		if seen[o.Origin] {
			problem = "the origin is there twice"
		}
		if problem != "" {
			return nil, fmt.Errorf("%w: origin %d: %s", fault.ErrBadState, i+1, problem)
		}
		seen[o.Origin] = true
	}
	return &s, nil
}

// where says at which byte JSON is wrong. The text of the error may quote a value.
func where(err error) string {
	switch e := err.(type) { //nolint:errorlint // encoding/json does not wrap them
	case *json.SyntaxError:
		return fmt.Sprintf(" (at byte %d)", e.Offset)
	case *json.UnmarshalTypeError:
		return fmt.Sprintf(" (at byte %d, %s)", e.Offset, e.Field)
	}
	return ""
}

func (c Cookie) problem() string {
	switch {
	case c.Domain == "" && c.URL == "":
		return "it has no domain"
	case !slices.Contains([]string{"", "Strict", "Lax", "None"}, c.SameSite):
		return "sameSite must be Strict, Lax or None"
	}
	return ""
}

func (o Origin) problem() string {
	if !IsOrigin(o.Origin) {
		return "it is not an origin such as https://example.com"
	}
	for _, item := range slices.Concat(o.LocalStorage, o.SessionStorage) {
		if !isString(item.Name) || !isString(item.Value) {
			return "an item needs a name and a value, both texts"
		}
	}
	for _, db := range o.IndexedDB {
		if db.Name == "" || db.Version < 1 {
			return "a database needs a name and a version"
		}
	}
	return ""
}

func isString(raw json.RawMessage) bool { return len(raw) > 0 && raw[0] == '"' }

// IsOrigin reports whether a text is the origin of a site, serialised as in the HTML specification.
func IsOrigin(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && text == u.Scheme+"://"+u.Host && strings.ToLower(text) == text
}

// Summary says how much there is, and nothing of what it says.
type Summary struct {
	Cookies int             `json:"cookies"`
	Origins []OriginSummary `json:"origins"`
	// Expired are cookies that were left out because their time is over.
	Expired int `json:"expired,omitempty"`
	// Forgotten are origins that the task has shown, and which are too many to be remembered: they are not in the file.
	Forgotten int `json:"forgotten,omitempty"`
}

// OriginSummary says how much an origin has stored.
type OriginSummary struct {
	Origin string `json:"origin"`
	// LocalStorage and SessionStorage count items.
	LocalStorage   int `json:"local_storage,omitempty"`
	SessionStorage int `json:"session_storage,omitempty"`
	// Databases and Records are those of IndexedDB. Skipped are records that no such file can hold: files, cryptographic
	// keys, maps and sets.
	Databases int `json:"databases,omitempty"`
	Records   int `json:"records,omitempty"`
	Skipped   int `json:"skipped,omitempty"`
	// Waiting is how many items of sessionStorage were not loaded because no tab shows the origin.
	Waiting int `json:"session_storage_waiting,omitempty"`
}

// Summary counts.
func (s *State) Summary() Summary {
	sum := Summary{Cookies: len(s.Cookies), Origins: []OriginSummary{}}
	for _, o := range s.Origins {
		sum.Origins = append(sum.Origins, o.summary())
	}
	return sum
}

func (o Origin) summary() OriginSummary {
	n := OriginSummary{Origin: o.Origin, LocalStorage: len(o.LocalStorage), SessionStorage: len(o.SessionStorage), Databases: len(o.IndexedDB), Skipped: o.Skipped}
	for _, db := range o.IndexedDB {
		for _, store := range db.Stores {
			n.Records += len(store.Records)
		}
	}
	return n
}

// IsEmpty reports whether there is nothing to keep.
func (o Origin) IsEmpty() bool {
	return len(o.LocalStorage) == 0 && len(o.SessionStorage) == 0 && len(o.IndexedDB) == 0 && o.Skipped == 0
}

// Encode is the file of a state.
func (s *State) Encode() ([]byte, error) {
	if s.Cookies == nil {
		s.Cookies = []Cookie{}
	}
	if s.Origins == nil {
		s.Origins = []Origin{}
	}
	for i := range s.Origins {
		if s.Origins[i].LocalStorage == nil {
			s.Origins[i].LocalStorage = []Item{}
		}
	}
	return json.MarshalIndent(s, "", "  ")
}
