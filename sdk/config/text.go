package config

import (
	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/internal/guest"
)

// describe formats a value for an error.
func describe(v abi.Value) string {
	switch v.Kind {
	case abi.KindNull:
		return "null"
	case abi.KindString:
		return quote(v.String)
	case abi.KindNumber:
		return number(v.Number)
	case abi.KindBool:
		if v.Bool {
			return "true"
		}
		return "false"
	default:
		return "an " + v.Kind.String()
	}
}

func quote(s string) string { return `"` + s + `"` }

// list joins words as in a sentence: a, b and c.
func list(words []string, last string) string {
	text := ""
	for i, word := range words {
		switch {
		case i == 0:
		case i == len(words)-1:
			text += " " + last + " "
		default:
			text += ", "
		}
		text += word
	}
	return text
}

// number formats a number with up to three decimal places; strconv would cost a module 25 KB.
func number(n float64) string {
	whole, ok := abi.NumberValue(n).Int()
	if ok {
		return guest.Decimal(whole)
	}
	if !(n > -1e12 && n < 1e12) {
		return "this number"
	}
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	thousandths := int64(n*1000 + 0.5)
	return sign + guest.Decimal(thousandths/1000) + "." + guest.Decimal(thousandths%1000 + 1000)[1:]
}
