package clients

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	udiff "github.com/aymanbagabas/go-udiff"

	"github.com/hermes-cdp/hermes-cdp/internal/wholefile"
)

// format reads and edits the text of a configuration. An edit touches only what it has to.
type format struct {
	// decode reads a whole text; nothing is an empty map.
	decode func(data []byte) (map[string]any, error)
	// set gives the entry name below the key servers these fields: it adds the ones that are missing, and replaces those
	// with other values. remove takes the entry out.
	set    func(data []byte, servers, name string, fields []field) ([]byte, error)
	remove func(data []byte, servers, name string) ([]byte, error)
}

// The kinds of errors of a plan.
var (
	// ErrTaken is returned where another program has the name.
	ErrTaken = errors.New("another server has this name")
	// ErrByHand is returned where a file cannot be edited without the risk of losing something.
	ErrByHand = errors.New("it has to be edited by hand")
)

// Action is what a plan does to the entry.
type Action string

// The actions.
const (
	Added     Action = "added"
	Changed   Action = "changed"
	Removed   Action = "removed"
	Unchanged Action = "unchanged"
)

// Plan is a change of a file that has not been made.
type Plan struct {
	File   string
	Name   string
	Action Action

	before, after []byte
	isNew         bool
}

// Add plans to add a server to a client's file under a name, or to give the entry there this command. An entry of
// another program is refused.
func (c Client) Add(file, name string, s Server) (*Plan, error) {
	return c.plan(file, func(p *Plan, servers, entry map[string]any, exists bool) (err error) {
		p.Name = name
		if exists && !s.isOwn(entry) {
			return fmt.Errorf("%w: %s.%s; choose another with --name", ErrTaken, c.servers, name)
		}
		want, fields := maps.Clone(entry), []field{}
		for _, f := range c.entry(s) {
			if f.once && exists || exists && reflect.DeepEqual(entry[f.key], plainValue(f.value)) {
				continue
			}
			fields = append(fields, f)
			want[f.key] = plainValue(f.value)
		}
		p.Action = Changed
		if !exists {
			p.Action = Added
		}
		if len(fields) == 0 {
			p.Action = Unchanged
			return nil
		}
		servers[name] = want
		p.after, err = c.format.set(p.before, c.servers, name, fields)
		return err
	}, name)
}

// Remove plans to take the entry of a server out of a client's file. One of another program is refused.
func (c Client) Remove(file, name string, s Server) (*Plan, error) {
	return c.plan(file, func(p *Plan, servers, entry map[string]any, exists bool) (err error) {
		p.Name, p.Action = name, Removed
		switch {
		case !exists:
			p.Action = Unchanged
			return nil
		case !s.isOwn(entry):
			return fmt.Errorf("%w: %s.%s does not start hermes-cdp, and is left alone", ErrTaken, c.servers, name)
		}
		delete(servers, name)
		p.after, err = c.format.remove(p.before, c.servers, name)
		return err
	}, name)
}

// Command is the command of the first entry in a client's file that starts this program, under whatever name; empty:
// there is none.
func (c Client) Command(file string, self Server) (string, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	all, err := c.format.decode(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	if err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	servers, _ := all[c.servers].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		if entry, _ := servers[name].(map[string]any); self.isOwn(entry) {
			return commandOf(entry), nil
		}
	}
	return "", nil
}

// plan reads a file, has it edited, and checks that the edited text says what it is to say, and that nothing else has
// changed.
func (c Client) plan(file string, edit func(p *Plan, servers, entry map[string]any, exists bool) error, name string) (*Plan, error) {
	data, err := os.ReadFile(file)
	p := &Plan{File: file, before: data, isNew: errors.Is(err, fs.ErrNotExist)}
	if err != nil && !p.isNew {
		return nil, err
	}
	p.before = bytes.TrimPrefix(p.before, []byte("\xef\xbb\xbf"))
	want, err := c.format.decode(p.before)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read, so that it is left as it is: %w", file, err)
	}
	servers, isMap := want[c.servers].(map[string]any)
	if !isMap {
		if want[c.servers] != nil {
			return nil, fmt.Errorf("%s: %s is no map of servers; %w", file, c.servers, ErrByHand)
		}
		servers = map[string]any{}
	}
	entry, exists := servers[name].(map[string]any)
	if _, isThere := servers[name]; isThere && !exists {
		return nil, fmt.Errorf("%s: %s.%s is no map of keys; %w", file, c.servers, name, ErrByHand)
	}
	if entry == nil {
		entry = map[string]any{}
	}
	want[c.servers] = servers
	if err := edit(p, servers, entry, exists); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if p.Action == Unchanged {
		p.after = p.before
		return p, nil
	}
	got, err := c.format.decode(p.after)
	if err == nil && got[c.servers] == nil {
		got[c.servers] = map[string]any{}
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		return nil, fmt.Errorf("%s is written in a way that cannot be edited for certain; %w", file, ErrByHand)
	}
	return p, nil
}

// Entry is what the client reads of a server, as its file has it, for people who add it by hand.
func (c Client) Entry(name string, s Server) string {
	text, err := c.format.set(nil, c.servers, name, c.entry(s))
	if err != nil {
		return ""
	}
	return string(text)
}

// Diff shows the change as a unified diff; empty: there is none.
func (p *Plan) Diff() string {
	from := p.File
	if p.isNew {
		from = os.DevNull
	}
	return udiff.Unified(from, p.File, string(p.before), string(p.after))
}

// Write makes the change: as a whole or not at all. What a symbolic link leads to is changed, and the link stays. If
// the file is not as it was when the plan was made, nothing is written.
func (p *Plan) Write() error {
	now, err := os.ReadFile(p.File)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if !bytes.Equal(bytes.TrimPrefix(now, []byte("\xef\xbb\xbf")), p.before) {
		return fmt.Errorf("%s has changed meanwhile; nothing was written, try again", p.File)
	}
	target := p.File
	if real, err := filepath.EvalSymlinks(p.File); err == nil {
		target = real
	}
	return wholefile.Edit(target, p.after, 0o600, 0o700)
}

// plainValue is a value as decoders give it.
func plainValue(v any) any {
	list, isList := v.([]string)
	if !isList {
		return v
	}
	plain := make([]any, len(list))
	for i, text := range list {
		plain[i] = text
	}
	return plain
}

// newlineOf is how the lines of a text end.
func newlineOf(data []byte) string {
	if bytes.Contains(data, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// splice replaces a part of a text.
func splice(data []byte, from, to int, with string) []byte {
	return []byte(string(data[:from]) + with + string(data[to:]))
}

// lineStart is where the line of a position begins, lineEnd where the next one does.
func lineStart(data []byte, at int) int { return bytes.LastIndexByte(data[:at], '\n') + 1 }

func lineEnd(data []byte, at int) int {
	if next := bytes.IndexByte(data[at:], '\n'); next >= 0 {
		return at + next + 1
	}
	return len(data)
}

// indentAt is the white space before the first text of a position's line.
func indentAt(data []byte, at int) string {
	line := string(data[lineStart(data, at):at])
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}
