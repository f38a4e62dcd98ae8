package agent

import (
	"maps"
	"slices"
	"sync"
)

// builtins are the tools of this package, by name. A model chooses a tool by the first sentence of its description, and
// every word of it is paid for with each request. There is a function for each package of tools.
var builtins = sync.OnceValue(func() map[string]spec {
	list := slices.Concat(lookTools(), moveTools(), actTools(), scriptTools(), requestTools(), taskTools())
	by := make(map[string]spec, len(list))
	for _, s := range list {
		by[s.Name] = s
	}
	return by
})

// Builtins lists the tools of this package by name, whichever toolsets they are in. Their input schemas are for people
// and programs: they have all parameters and the bounds of numbers, which are left out for models.
func Builtins() []Tool {
	list := make([]Tool, 0, len(builtins()))
	for _, name := range slices.Sorted(maps.Keys(builtins())) {
		s := builtins()[name]
		s.Input = s.whole
		list = append(list, s.Tool)
	}
	return list
}

func needsCDP(g gates) bool      { return g.cdp }
func needsEvaluate(g gates) bool { return g.evaluate }

// everywhere is every bundle for working with a browser by what the page shows.
const everywhere = inBrowser | inRead | inSafe

func lookTools() []spec {
	look := traits{readOnly: true, openWorld: true, in: everywhere}
	more := traits{readOnly: true, openWorld: true, in: inRead | inSafe}
	return []spec{
		define("browser_snapshot", "Read the page, all frames, as a tree with refs (e5) to act on.", look, (*Browser).Snapshot),
		define("browser_find", "Search the page, all frames, and get refs.", more, (*Browser).Find),
		define("browser_get_images", "List the page's images.", look, (*Browser).Images),
		// An expression is the client's own script, so that no client may take it for a mere look.
		define("browser_wait_for", "Wait for an element or a text.", traits{destructive: true, openWorld: true, in: everywhere}, (*Browser).WaitFor),
		define("browser_vision", "Look at a screenshot to answer a question.", look, (*Browser).Vision),
		define("browser_screenshot", "Take a picture of the page or of an element.", more, (*Browser).Screenshot),
		define("browser_extract_text", "Get the text of the page or of an element.", more, (*Browser).ExtractText),
		define("browser_get", "Get an element's HTML, value, attribute, style, state or box.",
			traits{readOnly: true, openWorld: true, in: inInspect}, (*Browser).Get),
		define("browser_highlight", "Draw a line around elements, for people who watch and in screenshots.",
			traits{readOnly: true, openWorld: true, in: inInspect}, (*Browser).Highlight),
		define("browser_save", "Save the page as a PDF or MHTML file.", traits{openWorld: true, in: inInspect}, (*Browser).Save),
	}
}

// Navigating is not read-only: loading a URL may have an effect.
func moveTools() []spec {
	move := traits{openWorld: true, in: everywhere}
	more := traits{openWorld: true, in: inRead | inSafe}
	return []spec{
		define("browser_navigate", "Open a URL and read the page.", move, (*Browser).Navigate),
		define("browser_back", "Go back in the history.", move, (*Browser).Back),
		define("browser_forward", "Go forward in the history.", more, (*Browser).Forward),
		define("browser_reload", "Load the page again.", traits{openWorld: true, in: inSafe}, (*Browser).Reload),
		define("browser_tabs", "List, open, focus or close tabs.", traits{destructive: true, openWorld: true, in: inBrowser | inSafe}, (*Browser).Tabs),
	}
}

func actTools() []spec {
	act := traits{destructive: true, openWorld: true, in: inBrowser | inSafe}
	more := traits{destructive: true, openWorld: true, in: inSafe}
	return []spec{
		define("browser_click", "Click an element.", act, (*Browser).Click),
		define("browser_type", "Clear a field, or what has the focus, and type into it.", act, (*Browser).Type),
		define("browser_press", "Press a key.", act, (*Browser).Press),
		define("browser_scroll", "Scroll the page or an element.", traits{openWorld: true, in: everywhere}, (*Browser).Scroll),
		define("browser_dialog", "Answer an open dialog or, with arm, the next.", act, (*Browser).Dialog).behind(needsCDP),
		define("browser_dblclick", "Double-click an element.", more, (*Browser).DoubleClick),
		define("browser_hover", "Move the pointer onto an element.", act, (*Browser).Hover),
		define("browser_select", "Choose options of a select.", act, (*Browser).Select),
		define("browser_check", "Set a checkbox, radio or switch.", more, (*Browser).Check),
		define("browser_drag", "Drag an element onto another.", act, (*Browser).Drag),
		define("browser_download", "Click an element and keep the file that it gives.", more, (*Browser).Download),
		define("browser_mouse", "Click, hover, drag or turn the wheel at a point of a screenshot.",
			traits{destructive: true, openWorld: true, in: inMouse}, (*Browser).Mouse),
		define("browser_upload", "Give files to a file input, chooser or drop zone.", traits{destructive: true, openWorld: true, in: inBrowser}, (*Browser).Upload),
	}
}

func scriptTools() []spec {
	return []spec{
		define("browser_console", "Read the console, or evaluate an expression.",
			traits{destructive: true, openWorld: true, in: inBrowser}, (*Browser).Console),
		define("browser_cdp", "Send a raw Chrome DevTools Protocol command.",
			traits{destructive: true, openWorld: true, in: inBrowser}, (*Browser).CDP).behind(needsCDP),
		define("browser_evaluate", "Run JavaScript in a page or frame and return its value.",
			traits{destructive: true, openWorld: true}, (*Browser).Evaluate).behind(needsEvaluate),
	}
}

func requestTools() []spec {
	look := traits{readOnly: true, openWorld: true, in: inNetwork}
	return []spec{
		define("browser_network_requests", "List the requests of pages, frames and workers, or save a HAR file.", look, (*Browser).Requests),
		define("browser_network_request", "Get a request's headers, timing and bodies.", look, (*Browser).Request),
		define("browser_route", "Block, answer or change requests of pages by rules for their URLs.",
			traits{destructive: true, openWorld: true, in: inRoute}, (*Browser).Route),
	}
}

func taskTools() []spec {
	return []spec{
		define("browser_interact", "Do a list of actions in one call.", traits{destructive: true, openWorld: true, in: inBrowser | inSafe}, (*Browser).Interact),
		define("browser_resume", "Get the result of a call that was held up.",
			traits{openWorld: true, in: inBrowser | inSafe}, (*Browser).Resume),
		define("browser_close", "End the session and close its tabs.", traits{destructive: true, in: everywhere}, (*Browser).Close).withoutBrowser(),
		define("browser_emulate", "Set device, viewport, touch, user agent, locale, timezone, media, location, permissions, network, CPU or headers for all tabs; what is left out stays.",
			traits{in: inEmulation}, (*Browser).Emulate),
		define("browser_trace", "Start, or stop and write, a trace: an HTML file of all calls with pictures, console and requests.",
			traits{in: inTrace}, (*Browser).Trace),
		define("browser_state", "Save cookies, localStorage, sessionStorage and IndexedDB, so a login, under a name, or load them.",
			traits{destructive: true, in: inState}, (*Browser).State),
		define("browser_record", "Start, or stop and keep, a video of the tab in use with its dialogs.", traits{in: inRecord}, (*Browser).Record),
		define(asksOperator, "Ask the person who runs the browser, and wait for the answer.", traits{openWorld: true, in: inOperator}, (*Browser).AskOperator),
	}
}
