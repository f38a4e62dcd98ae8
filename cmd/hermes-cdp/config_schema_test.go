package main

import (
	"encoding/json"
	"testing"
)

func TestTheSchemaOfTheConfigurationIsPrinted(t *testing.T) {
	exit, out, _ := runInProcess(t, []string{"config", "schema"}, []string{"HOME=" + t.TempDir()})
	var schema struct {
		Schema     string         `json:"$schema"`
		Properties map[string]any `json:"properties"`
	}
	if err := json.Unmarshal([]byte(out), &schema); err != nil || exit != exitOK || schema.Schema == "" || schema.Properties["browser"] == nil {
		t.Errorf("exit %d, %v: %+v", exit, err, schema)
	}
}
