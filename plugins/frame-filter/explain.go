package main

// explain names what left frames out, for people who ask why: the first rule and the caps; empty when all stayed.
func (f *filter) explain(s settings) string {
	text := f.byRule
	if f.byDepth {
		text = also(text, "max_oopif_depth ", s.oopifDepth())
	}
	if f.byChildren {
		text = also(text, "max_children ", s.children())
	}
	return text
}

func also(text, name string, n int64) string {
	if text != "" {
		text += ", "
	}
	return text + name + decimal(n)
}

// decimal stands in for strconv, which costs a module 25 KB; n is not negative.
func decimal(n int64) string {
	var digits [20]byte
	i := len(digits)
	for {
		i--
		digits[i] = byte('0' + n%10)
		if n /= 10; n == 0 {
			return string(digits[i:])
		}
	}
}
