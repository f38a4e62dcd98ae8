package guest

// Decimal formats a whole number. Package strconv would cost a module 25 KB.
func Decimal(n int64) string {
	var text [20]byte
	i := len(text)
	for rest := n; ; {
		i--
		text[i] = byte('0' + max(rest%10, -(rest%10))) // the smallest number has no negation
		if rest /= 10; rest == 0 {
			break
		}
	}
	if n < 0 {
		i--
		text[i] = '-'
	}
	return string(text[i:])
}
