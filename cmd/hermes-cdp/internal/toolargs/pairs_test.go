package toolargs

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/hermes-cdp/hermes-cdp/host/agent"
)

// A tool from elsewhere may have any schema.
const strangeSchema = `{"type":"object","properties":{
	"s":{"type":"string"},"maybe":{"type":["string","null"]},"n":{"type":"number"},"i":{"type":"integer"},"b":{"type":"boolean"},
	"texts":{"type":"array","items":{"type":"string"}},"numbers":{"type":"array","items":{"type":"integer"}},"list":{"type":"array"},
	"o":{"type":"object"},"any":{},"true":true,"either":{"anyOf":[{"type":"string"},{"type":"number"}]},"numbered":{"enum":[1,2]},
	"word":{"type":"string","enum":["up","down"]}}}`

func TestArgumentsAsTheSchemaWantsThem(t *testing.T) {
	tool := agent.Tool{Name: "strange", Input: json.RawMessage(strangeSchema)}
	for pairs, want := range map[string]string{
		"":                             `{"base":1}`,
		"s=7":                          `{"base":1,"s":"7"}`,
		"s=a=b":                        `{"base":1,"s":"a=b"}`,
		"s=":                           `{"base":1,"s":""}`,
		"maybe=true":                   `{"base":1,"maybe":"true"}`,
		"n=1.5 i=12345678901234567890": `{"base":1,"i":12345678901234567890,"n":1.5}`,
		"b=true":                       `{"b":true,"base":1}`,
		"texts=[1]":                    `{"base":1,"texts":["[1]"]}`,
		"texts=a texts=b":              `{"base":1,"texts":["a","b"]}`,
		"numbers=[1,2]":                `{"base":1,"numbers":[1,2]}`,
		"numbers=1 numbers=2":          `{"base":1,"numbers":[1,2]}`,
		"list=1 list=x":                `{"base":1,"list":[1,"x"]}`,
		`o={"a":1}`:                    `{"base":1,"o":{"a":1}}`,
		`any={"a":1} true=x either=5`:  `{"any":{"a":1},"base":1,"either":5,"true":"x"}`,
		"numbered=2":                   `{"base":1,"numbered":2}`,
		"word=up":                      `{"base":1,"word":"up"}`,
		"unknown=1":                    `{"base":1,"unknown":1}`,
		"base=2":                       `{"base":2}`,
		"word=left":                    "--arg word: want up, down",
		"n=many":                       "--arg n: want a number",
		"n=Inf":                        "--arg n: want a number",
		"numbers=x":                    "--arg numbers: want a whole number",
		"o=[1]":                        "--arg o: want a JSON object",
		"s=1 s=2":                      "--arg s: it is given 2 times, and is no list",
		"s":                            `--arg is "s", want NAME=VALUE`,
		"=s":                           `--arg is "=s", want NAME=VALUE`,
	} {
		got, err := AddPairs(tool, map[string]any{"base": 1}, strings.Fields(pairs))
		if err != nil {
			got = json.RawMessage(err.Error())
		}
		if string(got) != want {
			t.Errorf("%s: got %s, want %s", pairs, got, want)
		}
	}
}
