package abi

// Status is what a hook export returns; any other value is a fault of the module.
type Status int32

// The statuses of a hook call.
const (
	// StatusDecided says that result_write received the verdict.
	StatusDecided Status = 0
	// StatusAbstain leaves the decision to the next module of the chain, or to the host.
	StatusAbstain Status = 1
	// StatusError says that the module could not decide; error_write received the reason.
	StatusError Status = 2
)

// Code is what an import returns: a length, or one of these.
type Code int32

// The negative results of an import.
const (
	CodeNotFound    Code = -1 // no such key
	CodeBadMemory   Code = -2 // pointer and length are not within the guest's memory
	CodeTooLarge    Code = -3 // over a limit or quota; nothing was stored
	CodeDenied      Code = -4 // the capability was not granted
	CodeUnsupported Code = -5 // this host does not have the function
	CodeInternal    Code = -6 // the host failed
	CodeFailed      Code = -7 // an embedder's function failed; answer_read has the reason
	CodeConflict    Code = -8 // kv_compare_and_set: the value is another than the one expected; nothing was stored
)

// LogLevel is the first parameter of the log import.
type LogLevel int32

// The levels of the log import.
const (
	LogDebug LogLevel = iota
	LogInfo
	LogWarn
	LogError
)
