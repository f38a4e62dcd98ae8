package main

import (
	"strconv"
	"strings"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/sdk/dialog"
	"github.com/hermes-cdp/hermes-cdp/sdk/dialogclosed"
	"github.com/hermes-cdp/hermes-cdp/sdk/kv"
)

// What is in the store of a task:
//
//	open/<dialog>  the question of a dialog that an agent is asked
//	answer/<hash>  the answer, its length, and its question, because two questions can have the same hash
//	order          the hashes of all answers, the oldest first
const (
	openPrefix   = "open/"
	answerPrefix = "answer/"
	orderKey     = "order"
)

// longestQuestion keeps a page from filling the store. An agent is asked about a longer message each time.
const longestQuestion = 1 << 10

// questionOf returns what must be the same for an answer to apply again: type, origin and message. A beforeunload
// dialog has no message, and an opaque origin is different each time.
func questionOf(e *dialog.Event) (question string, ok bool) {
	if e.Type == abi.DialogTypeBeforeUnload || e.Origin == "" || e.Origin == "null" || e.DialogID == "" {
		return "", false
	}
	question = e.Type.String() + " " + e.Origin + "\n" + e.Message
	return question, len(question) <= longestQuestion
}

// answer is what an agent did.
type answer struct {
	accepted bool
	prompt   bool // the dialog was a prompt, so there is a text
	text     string
}

func (a answer) verdict() dialog.Verdict {
	switch {
	case !a.accepted:
		return dialog.Dismiss()
	case a.prompt:
		return dialog.AcceptText(a.text)
	default:
		return dialog.Accept()
	}
}

// The words of an answer in the store.
const (
	wordDismissed = "dismissed"
	wordAccepted  = "accepted"
	wordText      = "text" // accepted with the text that follows
)

// encode writes the word, the length of the text, the text, and the question.
func (a answer) encode(question string) string {
	word := wordDismissed
	switch {
	case a.accepted && a.prompt:
		word = wordText
	case a.accepted:
		word = wordAccepted
	}
	return word + " " + strconv.Itoa(len(a.text)) + "\n" + a.text + question
}

// decode is the inverse of encode; ok is false for an answer to another question.
func decode(value, question string) (a answer, ok bool) {
	head, rest, found := strings.Cut(value, "\n")
	word, digits, hasLength := strings.Cut(head, " ")
	length, err := strconv.Atoi(digits)
	if !found || !hasLength || err != nil || length < 0 || length > len(rest) || rest[length:] != question {
		return answer{}, false
	}
	return answer{accepted: word != wordDismissed, prompt: word == wordText, text: rest[:length]}, true
}

// recall looks for the answer to a question.
func recall(question string) (a answer, found bool, err error) {
	value, found, err := kv.Get(answerPrefix + hash(question))
	if !found || err != nil {
		return answer{}, false, err
	}
	a, found = decode(string(value), question)
	return a, found, nil
}

// note stores the question until the dialog is closed, because the event for that does not have it.
func note(dialogID, question string) error { return kv.Set(openPrefix+dialogID, []byte(question)) }

// learn remembers what an agent answered. How others close a dialog says nothing about what an agent wants.
func learn(s *settings, e *dialogclosed.Event) error {
	key := openPrefix + e.DialogID
	question, found, err := kv.Get(key)
	if !found || err != nil {
		return err
	}
	if err := kv.Delete(key); err != nil {
		return err
	}
	if e.ClosedBy != abi.ClosedByAgent || len(e.Text) > longestQuestion {
		return nil
	}
	a := answer{accepted: e.Accepted, prompt: e.Type == abi.DialogTypePrompt}
	if a.accepted && a.prompt {
		a.text = e.Text
	}
	return remember(hash(string(question)), a.encode(string(question)), s.answers)
}

// remember stores an answer as the newest, and forgets the oldest ones if there are too many, or if they exceed the
// quota.
func remember(id, value string, most int) error {
	stored, _, err := kv.Get(orderKey)
	if err != nil {
		return err
	}
	order := strings.ReplaceAll(string(stored), id, "")
	for {
		for len(order)/hashDigits >= most {
			if order, err = forgetOldest(order); err != nil {
				return err
			}
		}
		err = store(id, value, order+id)
		if err != kv.ErrTooLarge || order == "" { //nolint:errorlint // package errors doubles the size of a small module
			return err
		}
		if order, err = forgetOldest(order); err != nil {
			return err
		}
	}
}

// store writes the answer only if the order could be written.
func store(id, value, order string) error {
	if err := kv.Set(orderKey, []byte(order)); err != nil {
		return err
	}
	return kv.Set(answerPrefix+id, []byte(value))
}

func forgetOldest(order string) (rest string, err error) {
	return order[hashDigits:], kv.Delete(answerPrefix + order[:hashDigits])
}

// hashDigits is the length of every hash. In the order, no hash can be found across two others, because each starts
// with a letter that is not a digit.
const hashDigits = 17

// hash is an h and then 64-bit FNV-1a in hexadecimal.
func hash(s string) string {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	digits := strconv.FormatUint(h, 16)
	return "h" + strings.Repeat("0", hashDigits-1-len(digits)) + digits
}
