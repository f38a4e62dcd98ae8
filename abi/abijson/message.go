package abijson

import (
	"encoding/json"
	"maps"
	"reflect"
	"strconv"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/internal/strictjson"
)

// Message is a pointer to a message of package abi.
type Message interface {
	*abi.Header | *abi.DialogEvent | *abi.DialogVerdict | *abi.DialogClosedEvent | *abi.Frame | *abi.FramesEvent |
		*abi.FramesVerdict | *abi.BridgeScriptEvent | *abi.BridgeScript | *abi.BridgeRequestEvent | *abi.BridgeRequest |
		*abi.BridgeReplyEvent | *abi.HTTPHeader | *abi.BridgeReply | *abi.NavigateEvent | *abi.NavigateVerdict |
		*abi.RequestEvent | *abi.RequestVerdict |
		*abi.ToolCallEvent | *abi.ToolResult | *abi.ToolUseEvent | *abi.ToolVerdict |
		*abi.ConsoleEvent | *abi.ConsoleVerdict | *abi.SnapshotEvent | *abi.SnapshotVerdict |
		*abi.FileEvent | *abi.FileVerdict | *abi.ManifestTool | *abi.Manifest
}

// Marshal formats a message as JSON on one line: with the field names of hermes.proto, enums as words, random_seed in
// base64, and without fields that have their default value.
func Marshal[M Message](m M) ([]byte, error) { return codec.Marshal(m) }

// Unmarshal is the inverse of [Marshal]. It replaces m. An unknown or repeated key and an unknown word are errors that
// name it; m is then the zero value.
func Unmarshal[M Message](data []byte, m M) error {
	value := reflect.ValueOf(m).Elem()
	value.SetZero()
	err := codec.Unmarshal(data, m)
	if err != nil {
		value.SetZero()
	}
	return err
}

type (
	writers = map[reflect.Type]func(*strictjson.Encoder, reflect.Value) error
	readers = map[reflect.Type]func(*strictjson.Decoder, reflect.Value) error
)

// codec writes configuration values as the JSON that they are, and enums as words.
var codec = newCodec(
	wordsOf(abi.ParseDialogType), wordsOf(abi.ParseFrameKind), wordsOf(abi.ParseDialogAction), wordsOf(abi.ParseClosedBy),
	wordsOf(abi.ParseBridgeVia), wordsOf(abi.ParseBridgeSuppressed), wordsOf(abi.ParseNavigateAction), wordsOf(abi.ParseRequestAction),
	wordsOf(abi.ParseToolAction), wordsOf(abi.ParseConsoleAction), wordsOf(abi.ParseSnapshotAction), wordsOf(abi.ParseFileAction),
)

func newCodec(enums ...strictjson.Codec) strictjson.Codec {
	c := strictjson.Codec{
		Write: writers{
			reflect.TypeFor[abi.Struct](): func(e *strictjson.Encoder, v reflect.Value) error {
				return writeStruct(e, "", v.Interface().(abi.Struct))
			},
			reflect.TypeFor[abi.Value](): func(e *strictjson.Encoder, v reflect.Value) error {
				return writeValue(e, "", v.Interface().(abi.Value))
			},
		},
		Read: readers{
			reflect.TypeFor[abi.Struct](): func(d *strictjson.Decoder, v reflect.Value) error {
				s, err := readStruct(d)
				v.Set(reflect.ValueOf(s))
				return err
			},
		},
	}
	for _, enum := range enums {
		maps.Copy(c.Write, enum.Write)
		maps.Copy(c.Read, enum.Read)
	}
	return c
}

// wordsOf writes the number of a value that this version has no word for.
func wordsOf[E interface {
	~int32
	String() string
}](parse func(string) (E, bool)) strictjson.Codec {
	t := reflect.TypeFor[E]()
	return strictjson.Codec{
		Write: writers{t: func(e *strictjson.Encoder, v reflect.Value) error {
			if word := E(v.Int()).String(); word != "unknown" && word != "unspecified" {
				return e.Text(word)
			}
			e.Raw(strconv.FormatInt(v.Int(), 10))
			return nil
		}},
		Read: readers{t: func(d *strictjson.Decoder, v reflect.Value) error {
			token, err := d.Token()
			if err != nil {
				return err
			}
			switch token := token.(type) {
			case json.Number:
				n, err := strconv.ParseInt(token.String(), 10, 32)
				if err != nil {
					return d.Fail("%s is not an integer of 32 bits", token)
				}
				v.SetInt(n)
				return nil
			case string:
				if word, ok := parse(token); ok {
					v.SetInt(int64(word))
					return nil
				}
				return d.Fail("unknown word %q", token)
			}
			return d.Fail("want a word")
		}},
	}
}
