package main

import "github.com/hermes-cdp/hermes-cdp/sdk"

// explain names what dropped frames, for people who ask why: the first rule and the caps. It is empty if all stayed.
func (f *filter) explain(s settings) string {
	text := f.byRule
	if f.byDepth {
		text = also(text, "max_oopif_depth ", s.maxOOPIFDepth)
	}
	if f.byChildren {
		text = also(text, "max_children ", s.maxChildren)
	}
	return text
}

func also(text, name string, n int64) string {
	if text != "" {
		text += ", "
	}
	return text + name + sdk.Decimal(n)
}
