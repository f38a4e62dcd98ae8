package module_test

import (
	"context"
	"fmt"
	"log"

	"github.com/hermes-cdp/hermes-cdp/abi"
	"github.com/hermes-cdp/hermes-cdp/host/module"
)

func ExampleOpenFile() {
	ctx := context.Background()
	m, err := module.OpenFile(ctx, path("ok"), module.Options{Limits: patient})
	if err != nil {
		log.Fatal(err)
	}
	defer m.Close()

	event := abi.DialogEvent{DialogID: "d-1", Type: abi.DialogTypeConfirm, Message: "Leave this page?"}
	res, err := m.Call(ctx, abi.HookDialog, event.Append(nil))
	if err != nil {
		log.Fatal(err)
	}
	var verdict abi.DialogVerdict
	if err := verdict.Unmarshal(res.Verdict); err != nil {
		log.Fatal(err)
	}
	fmt.Println(res.Status, verdict.Action)
	// Output: decided accept
}

func ExampleCheckFile() {
	report, err := module.CheckFile(context.Background(), path("load_unknown_hook"), module.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, step := range report.Steps {
		if step.Outcome == module.OutcomeFailed {
			fmt.Println(step.Name, "failed:", step.Detail)
		}
	}
	// Output: exports failed: exports hermes_on_dialogue, which this host does not know; did you mean hermes_on_dialog?
}
