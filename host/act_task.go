package host

// actTask is a task with what its readings and actions remember.
type actTask struct {
	*engineTask
	rules    *rules
	readings *readings
	visited  *lastAddress
	deaf     deafTabs
}

func newActTask(t *engineTask, r *rules) *actTask {
	return &actTask{engineTask: t, rules: r, readings: newReadings(t)}
}
