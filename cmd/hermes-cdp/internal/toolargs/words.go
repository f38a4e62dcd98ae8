package toolargs

import (
	"regexp"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// positionals are the parameters of the tools of package agent that are given without a flag, in this order: ? those
// that may be left out, ... the one that takes all that is left. What has its flag is left out of the order. @file is
// no parameter: it is the file of --file.
var positionals = map[string]string{
	"browser_back":             "",
	"browser_cdp":              "method params?",
	"browser_check":            "ref",
	"browser_click":            "ref",
	"browser_close":            "",
	"browser_console":          "",
	"browser_dblclick":         "ref",
	"browser_dialog":           "action dialog_id?",
	"browser_download":         "ref",
	"browser_drag":             "ref to_ref",
	"browser_emulate":          "",
	"browser_evaluate":         "expression ref?",
	"browser_extract_text":     "ref?",
	"browser_find":             "text?",
	"browser_forward":          "",
	"browser_get":              "ref what property?",
	"browser_get_images":       "",
	"browser_highlight":        "ref?",
	"browser_hover":            "ref",
	"browser_interact":         "@file?",
	"browser_mouse":            "action x y",
	"browser_navigate":         "url",
	"browser_network_request":  "id",
	"browser_network_requests": "filter?",
	"browser_press":            "key ref?",
	"browser_reload":           "",
	"browser_ask_operator":     "question",
	"browser_record":           "action",
	"browser_resume":           "call_id",
	"browser_route":            "action pattern?",
	"browser_save":             "format",
	"browser_screenshot":       "ref?",
	"browser_scroll":           "direction ref?",
	"browser_select":           "ref values...",
	"browser_snapshot":         "",
	"browser_state":            "action name",
	"browser_tabs":             "action? tab?",
	"browser_trace":            "action",
	"browser_type":             "ref text",
	"browser_upload":           "ref paths...",
	"browser_vision":           "question",
	"browser_wait_for":         "",
}

// fileArgument is the slot of the file that --file names otherwise.
const fileArgument = "@file"

// help is what people are told of parameters that models know by their names.
var help = map[string]string{
	"action":          "what to do",
	"actions":         "a JSON array; see FILE",
	"arm":             "answer the next dialog, not an open one",
	"append":          "keep what the field has, and type after it",
	"backend_node_id": "the element by its number in the protocol",
	"body":            "the text of the answer",
	"button":          "of the mouse",
	"call_id":         "of the call that a dialog blocked, or whose page is busy",
	"click_count":     "how many clicks, 1 to 3",
	"dialog_id":       "as d-1; default: the only one that is open",
	"direction":       "where to",
	"expires_s":       "seconds that an armed answer waits (default 60)",
	"force":           "do it whatever is in the way",
	"mobile":          "lay pages out as on a phone",
	"offline":         "cut pages off from the network",
	"reduced_motion":  "as of a user who wants less motion",
	"touch":           "as on a touch screen",
	"user_agent":      "what the browser calls itself; empty: its own",
	"cpu_slowdown":    "how many times slower pages run",
	"download_kbps":   "limit of the network; 0: none",
	"latency_ms":      "milliseconds that each answer is late",
	"network":         "how fast it is",
	"upload_kbps":     "limit of the network; 0: none",
	"frame_id":        "id of the frame in which to search; see hermes-cdp frames",
	"full_page":       "all of the page, not what is in view",
	"landscape":       "turn the paper",
	"load_state":      "what the page, or the one that is loading, must have reached",
	"method":          "as Page.reload",
	"name":            "of the element, with --role; of find, a part of it",
	"modifiers":       "keys held down, as ctrl; may be repeated",
	"out_path":        "below the directory of screenshots or downloads, as page.png",
	"page":            "of a reading that did not fit, from 1",
	"params":          "of the command",
	"prompt_text":     "what an accepted prompt returns (default: the page's own text)",
	"question":        "what to look for",
	"ref":             "of a snapshot, as e5",
	"repeat":          "answer all dialogs that follow, too, for a while",
	"role":            "of the element as snapshots write it, as button",
	"scope":           "ref of the element to look in",
	"selector":        "CSS, in place of a ref",
	"state":           "what to wait for (default visible)",
	"stop_on_error":   "leave the rest out after an action that failed",
	"tab":             "as t2; default: the one in use, or that of the ref",
	"target_id":       "id of the tab or worker",
	"stop":            "id of a call whose script is to end",
	"text":            "what the element shows, in place of a ref; of type, what to type; of wait-for, what to wait for",
	"timeout_ms":      "milliseconds that the call may take",
	"to_name":         "of the element where it is dropped, with --to-role",
	"to_ref":          "of a snapshot: where it is dropped",
	"to_role":         "of the element where it is dropped",
	"to_text":         "what the element where it is dropped shows",
	"to_selector":     "CSS, in place of a ref",
	"url":             "address; of wait-for, what it must match, as */done or /[0-9]+$/",
	"values":          "of the options, or their labels; may be repeated",
	"wait_for_hidden": "CSS of what must be gone first, as an overlay",
	"wipe":            "remove what pages have stored, too",
	"wait_until":      "what to wait for (default load)",
}

// alternatives are parameters that name what another does: where one is given the other is not asked for.
var alternatives = map[string][]string{
	"ref": {"selector", "backend_node_id", "text", "role", "field_text"}, "to_ref": {"to_selector", "to_text", "to_role"},
}

// picturing are the tools that can give pictures.
var picturing = map[string]bool{"browser_screenshot": true, "browser_vision": true, "browser_interact": true, "browser_resume": true}

var refPattern = regexp.MustCompile(`^@?e[1-9][0-9]*$`)

// Slot is a place in the order of arguments.
type Slot struct {
	Parameter
	optional, rest bool
	file           bool // the slot of --file
	element        bool // takes a selector as well
}

// slotsOf reads the table for a tool.
func slotsOf(tool agent.Tool, parameters []Parameter) []Slot {
	var list []Slot
	for word := range strings.FieldsSeq(positionals[tool.Name]) {
		name, rest := strings.CutSuffix(word, "...")
		name, optional := strings.CutSuffix(name, "?")
		s := Slot{optional: optional, rest: rest, file: name == fileArgument}
		for _, p := range parameters {
			if p.Name == name {
				s.Parameter = p
			}
			if selector := alternatives[name]; len(selector) > 0 && p.Name == selector[0] {
				s.element = true
			}
		}
		list = append(list, s)
	}
	return list
}

// IsFile tells whether a file is named there.
func (s Slot) IsFile() bool { return s.file || s.Name == "paths" }

// word is the slot as a usage line shows it.
func (s Slot) word() string {
	word := strings.ToUpper(s.Name)
	switch {
	case s.file:
		word = "FILE"
	case s.element && s.Name == "to_ref":
		word = "TO_ELEMENT"
	case s.element:
		word = "ELEMENT"
	case len(s.Allowed) > 0:
		word = strings.Join(s.Allowed, "|")
	case s.rest: // one of several
		word = strings.TrimSuffix(word, "S")
	}
	if s.rest {
		word += "..."
	}
	if s.optional {
		return "[" + word + "]"
	}
	return word
}

// FlagName is a parameter's flag.
func FlagName(parameter string) string { return strings.ReplaceAll(parameter, "_", "-") }
