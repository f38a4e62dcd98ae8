package browser

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// detached starts a process without a console.
func detached() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}
