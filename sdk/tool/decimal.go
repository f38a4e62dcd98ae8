package tool

// Decimal writes a whole number, for a result. Package strconv would cost a module 25 KB.
func Decimal(n int64) string {
	if n < 0 {
		return "-" + digits(uint64(-n)) // of the smallest number, too: its negation is itself, and the right one unsigned
	}
	return digits(uint64(n))
}

func digits(n uint64) string {
	var text [20]byte
	i := len(text)
	for {
		i--
		text[i] = byte('0' + n%10)
		if n /= 10; n == 0 {
			return string(text[i:])
		}
	}
}
