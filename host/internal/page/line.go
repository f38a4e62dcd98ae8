package page

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// caps are the maximum lengths of an element's texts, in characters.
type caps struct{ name, text int }

// capsFor are the caps of a reading. They keep a single line from taking all the room.
func capsFor(full bool, room int) caps {
	if full {
		return caps{min(300, room/5), min(2000, room/5)}
	}
	return caps{min(100, room/5), min(200, room/5)}
}

// shape is how lines are written.
type shape struct {
	caps
	full bool
}

// line writes an element without its indentation and its ref. before is its role, name and states; after, which follows
// the ref, is its value or text. cut says that something was shortened.
func (s shape) line(n *Node) (before, after string, cut bool) {
	var out strings.Builder
	out.WriteString(roleWord(n.Role))
	if n.Role == roleText {
		if n.Note != "" {
			out.WriteString(" (" + n.Note + ")")
		}
		text, cut := clipBlocks(n.Name, s.text)
		return out.String(), ": " + text, cut
	}
	if !isBlank(n.Name) {
		name, c := Clip(n.Name, s.name)
		out.WriteString(" " + name)
		cut = cut || c
	}
	states := n.States
	nameless := n.Name == "" && n.Value == "" && len(n.Children) == 0
	if n.URL != "" && (s.full || nameless) {
		url, c := Clip(SafeURL(n.URL), s.text)
		states = append(states[:len(states):len(states)], "url="+url)
		cut = cut || c
	}
	if n.Hint != "" {
		hint, c := Clip(n.Hint, s.name)
		states = append(states[:len(states):len(states)], hintMark+hint)
		cut = cut || c
	}
	if !isBlank(n.Description) {
		description, c := Clip(n.Description, s.name)
		states = append(states[:len(states):len(states)], "description="+description)
		cut = cut || c
	}
	if len(states) > 0 {
		out.WriteString(" [" + strings.Join(states, ", ") + "]")
	}
	if n.Note != "" {
		out.WriteString(" (" + n.Note + ")")
	}
	if !isBlank(n.Value) {
		value, c := clipBlocks(n.Value, s.text)
		after, cut = ": "+value, cut || c
	}
	return out.String(), after, cut
}

// roleWord is a role as it is written. It is sanitized, because pages can choose it too.
func roleWord(role string) string {
	role = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return -1
	}, role)
	if role == "" || len(role) > 40 {
		return "generic"
	}
	return role
}

func refText(number int) string { return " @e" + strconv.Itoa(number) }

func length(s string) int { return utf8.RuneCountInString(s) }
