package logs

import (
	"fmt"
	"log/slog"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/hermes-cdp/hermes-cdp/host/fault"
)

// module begins the packages of this project, and is left out of their names.
const module = "github.com/hermes-cdp/hermes-cdp/"

// Default stands for the general level, where a package is given one.
const Default = "default"

// Setting is what is logged.
type Setting struct {
	// Level is the least important level of packages that have none of their own: debug, info, warn or error.
	Level string `json:"level"`
	// Packages are the levels of packages by name, such as host/internal/engine. A name stands for the packages below it,
	// too, and may leave out its beginning, as engine does. The longest name that fits a package counts.
	Packages map[string]string `json:"packages,omitempty"`
	// Seen are packages that have tried to log something.
	Seen []string `json:"seen,omitempty"`
}

// Levels decide what is logged. They are safe for concurrent use.
type Levels struct {
	now   atomic.Pointer[rules]
	names sync.Map // the package of each place that has logged, by its address

	mu sync.Mutex // guards changes
}

// rules are never modified.
type rules struct {
	general, least slog.Level
	packages       map[string]slog.Level
}

// NewLevels returns levels that log everything from info on.
func NewLevels() *Levels {
	l := &Levels{}
	l.now.Store(newRules(slog.LevelInfo, nil))
	return l
}

func newRules(general slog.Level, packages map[string]slog.Level) *rules {
	r := &rules{general: general, least: general, packages: packages}
	for _, level := range packages {
		r.least = min(r.least, level)
	}
	return r
}

// Level implements [slog.Leveler]: it is the general level.
func (l *Levels) Level() slog.Level { return l.now.Load().general }

// Use replaces all levels. Each item is PACKAGE=LEVEL; the error names the first that is wrong.
func (l *Levels) Use(level string, items []string) error {
	change := Setting{Level: level, Packages: map[string]string{}}
	for _, item := range items {
		name, level, err := ParseItem(item)
		if err != nil {
			return err
		}
		change.Packages[name] = level
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.change(newRules(slog.LevelInfo, nil), change)
}

// Change changes the general level if one is given, and those of the packages that are named; [Default] takes away that
// of a package. With an error nothing has changed.
func (l *Levels) Change(change Setting) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.change(l.now.Load(), change)
}

// change is done with mu held.
func (l *Levels) change(before *rules, c Setting) error {
	general, packages := before.general, map[string]slog.Level{}
	maps.Copy(packages, before.packages)
	if c.Level != "" {
		if err := parseLevel(c.Level, &general); err != nil {
			return err
		}
	}
	for name, word := range c.Packages {
		if !packageName.MatchString(name) {
			return fmt.Errorf("%w: the package is %q, want a name such as engine or host/internal/engine", fault.ErrBadRequest, name)
		}
		if word == Default {
			delete(packages, name)
			continue
		}
		var level slog.Level
		if err := parseLevel(word, &level); err != nil {
			return err
		}
		packages[name] = level
	}
	l.now.Store(newRules(general, packages))
	return nil
}

var packageName = regexp.MustCompile(`^[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*$`)

// words are the levels that can be given.
var words = []string{"debug", "info", "warn", "error"}

func parseLevel(word string, into *slog.Level) error {
	if !slices.Contains(words, word) {
		return fmt.Errorf("%w: the level is %q, want one of %s", fault.ErrBadRequest, word, strings.Join(words, ", "))
	}
	return into.UnmarshalText([]byte(word))
}

// ParseItem splits PACKAGE=LEVEL.
func ParseItem(item string) (name, level string, err error) {
	name, level, ok := strings.Cut(item, "=")
	if !ok {
		return "", "", fmt.Errorf("%w: %q is not PACKAGE=LEVEL, such as engine=debug", fault.ErrBadRequest, item)
	}
	return name, level, nil
}

// Setting returns what is logged now.
func (l *Levels) Setting() Setting {
	r := l.now.Load()
	s := Setting{Level: word(r.general), Packages: map[string]string{}}
	for name, level := range r.packages {
		s.Packages[name] = word(level)
	}
	l.names.Range(func(_, name any) bool {
		if !slices.Contains(s.Seen, name.(string)) {
			s.Seen = append(s.Seen, name.(string))
		}
		return true
	})
	slices.Sort(s.Seen)
	return s
}

func word(level slog.Level) string { return strings.ToLower(level.String()) }

// enabled reports whether any package logs at a level.
func (l *Levels) enabled(level slog.Level) bool { return level >= l.now.Load().least }

// admits reports whether a record of a place is logged.
func (l *Levels) admits(level slog.Level, pc uintptr) bool {
	r := l.now.Load()
	name := l.packageOf(pc)
	wanted, longest := r.general, 0
	for rule, own := range r.packages {
		if len(rule) > longest && fits(rule, name) {
			wanted, longest = own, len(rule)
		}
	}
	return level >= wanted
}

// fits reports whether a rule's name is a package's, that of one above it, or the end of one of these.
func fits(rule, name string) bool { return strings.Contains("/"+name+"/", "/"+rule+"/") }

// packageOf returns the package of a place in the program, without the beginning that all of this project's have. What
// the standard library logs through a logger of ours has no place.
func (l *Levels) packageOf(pc uintptr) string {
	if pc == 0 {
		return ""
	}
	if name, ok := l.names.Load(pc); ok {
		return name.(string)
	}
	frame, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	name := frame.Function // such as example.com/x/y.(*T).Method
	at := strings.LastIndexByte(name, '/') + 1
	if dot := strings.IndexByte(name[at:], '.'); dot >= 0 {
		name = name[:at+dot]
	}
	name = strings.TrimPrefix(name, module)
	l.names.Store(pc, name)
	return name
}
