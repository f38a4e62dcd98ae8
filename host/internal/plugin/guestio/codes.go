package guestio

import "github.com/hermes-cdp/hermes-cdp/abi"

// Known is a code of an environment in the form that a guest may see.
func Known(c abi.Code) abi.Code {
	switch {
	case c >= 0:
		return 0
	case c < abi.CodeInternal:
		return abi.CodeInternal
	}
	return c
}

// KnownOfCompare is Known for the answer to a comparison, which alone can be [abi.CodeConflict].
func KnownOfCompare(c abi.Code) abi.Code {
	if c == abi.CodeConflict {
		return c
	}
	return Known(c)
}

// KnownOfEmbedder is Known for the answer of an embedder, which alone can be [abi.CodeFailed].
func KnownOfEmbedder(c abi.Code) abi.Code {
	if c == abi.CodeFailed {
		return c
	}
	return Known(c)
}
