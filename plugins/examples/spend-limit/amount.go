package main

import (
	"strings"

	"github.com/hermes-cdp/hermes-cdp/sdk"
)

// reach is how far behind a word like total an amount may be, in bytes.
const reach = 60

// totalIn is the largest amount of a text that follows one of the words, in hundredths; -1 if none does.
func (s *settings) totalIn(text string) int64 {
	text = strings.ToLower(text)
	largest := int64(-1)
	for _, word := range s.words {
		rest := text
		for {
			i := strings.Index(rest, word)
			if i < 0 {
				break
			}
			rest = rest[i+len(word):]
			line, _, _ := strings.Cut(rest[:min(len(rest), reach)], "\n")
			largest = max(largest, largestAmount(line))
		}
	}
	return largest
}

// largestAmount is the largest number of a text, in hundredths; -1 if there is none. A point or a comma with two digits
// behind it, at the end, separates the hundredths; what else there is groups digits.
func largestAmount(text string) int64 {
	largest := int64(-1)
	for {
		begin := strings.IndexAny(text, "0123456789")
		if begin < 0 {
			return largest
		}
		end := begin
		for end < len(text) && (isDigit(text[end]) || (text[end] == '.' || text[end] == ',' || text[end] == '\'') && end+1 < len(text) && isDigit(text[end+1])) {
			end++
		}
		digits := text[begin:end]
		n := number(digits)
		if len(digits) <= 3 || isDigit(digits[len(digits)-3]) || digits[len(digits)-3] == '\'' {
			n *= 100
		}
		largest, text = max(largest, n), text[end:]
	}
}

// most is where counting stops: whatever is more is above any limit.
const most = 1_000_000_000_000_000

// number is what the digits of a text make.
func number(text string) int64 {
	n := int64(0)
	for i := 0; i < len(text) && n < most; i++ {
		if isDigit(text[i]) {
			n = n*10 + int64(text[i]-'0')
		}
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// amount writes hundredths with two digits behind a point.
func amount(n int64) string {
	rest := sdk.Decimal(n % 100)
	if len(rest) == 1 {
		rest = "0" + rest
	}
	return sdk.Decimal(n/100) + "." + rest
}
