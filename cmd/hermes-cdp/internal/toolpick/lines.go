package toolpick

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// ByLines lets a person choose by typing numbers, for terminals that cannot move a cursor and for those who have lines
// read to them. It tells whether what is chosen is to be written; the end of the input cancels.
func ByLines(in io.Reader, out io.Writer, s *State) (bool, error) {
	rows := rowsOf(s)
	if err := showRows(out, s, rows); err != nil {
		return false, err
	}
	input := bufio.NewScanner(in)
	for {
		if _, err := fmt.Fprint(out, "numbers to switch, l to list, s to save, q to leave it as it was: "); err != nil {
			return false, err
		}
		if !input.Scan() {
			_, err := fmt.Fprintln(out)
			if err == nil {
				err = input.Err()
			}
			return false, err
		}
		save, done, err := answer(out, s, rows, input.Text())
		if done || err != nil {
			return save, err
		}
	}
}

// answer does what a line asks for.
func answer(out io.Writer, s *State, rows []row, line string) (save, done bool, err error) {
	words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' })
	for _, word := range words {
		number, notNumber := strconv.Atoi(word)
		switch {
		case word == "q":
			return false, true, nil
		case word == "l":
			err = showRows(out, s, rows)
		case word == "s":
			if _, wrong := s.Choice(); wrong == nil {
				return true, true, nil
			} else if _, err = fmt.Fprintln(out, wrong); err != nil {
				return false, false, err
			}
		case notNumber != nil || number < 1 || number > len(rows):
			_, err = fmt.Fprintf(out, "%q is none of 1 to %d, l, s, q\n", word, len(rows))
		default:
			err = switchRow(out, s, rows, number)
		}
		if err != nil {
			return false, false, err
		}
	}
	return false, false, nil
}

func switchRow(out io.Writer, s *State, rows []row, number int) error {
	r := rows[number-1]
	if r.set != nil {
		s.SwitchSet(r.set.Name)
	} else {
		s.SwitchTool(r.tool.Name)
	}
	_, err := fmt.Fprintf(out, "%d %s\n", number, rowText(s, r, 0))
	return err
}

func showRows(out io.Writer, s *State, rows []row) error {
	width := nameWidth(rows)
	for i, r := range rows {
		if _, err := fmt.Fprintf(out, "%3d %s\n", i+1, rowText(s, r, width)); err != nil {
			return err
		}
		if r.tool != nil {
			if _, err := fmt.Fprintf(out, "        %s\n", s.Why(*r.tool)); err != nil {
				return err
			}
		}
	}
	return nil
}
