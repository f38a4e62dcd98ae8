package procgroup

import (
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// members is the job of a program. What a process of a job starts is in the job, too. The system ends all of them when
// the last handle of the job is closed, and it closes this one when this process ends.
//
// https://learn.microsoft.com/windows/win32/procthread/job-objects
type members struct {
	job windows.Handle
	pid int
}

// own has the program begin suspended, so that it starts nothing before it is in its job, and in a console group of its
// own, which Ctrl-C does not reach.
func own(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = new(syscall.SysProcAttr)
	}
	cmd.SysProcAttr.CreationFlags |= windows.CREATE_SUSPENDED | windows.CREATE_NEW_PROCESS_GROUP
}

var resume = windows.NewLazySystemDLL("ntdll.dll").NewProc("NtResumeProcess")

// gather puts a suspended program into a new job, and lets it run.
func gather(cmd *exec.Cmd) (m members, err error) {
	m.pid = cmd.Process.Pid
	if m.job, err = windows.CreateJobObject(nil, nil); err != nil {
		return m, fmt.Errorf("create its job: %w", err)
	}
	if err := errors.Join(m.limit(windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE), m.admit()); err != nil {
		return m, errors.Join(err, windows.CloseHandle(m.job))
	}
	return m, nil
}

// limit says what the system does about the job.
func (m members) limit(flags uint32) error {
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: flags}}
	_, err := windows.SetInformationJobObject(m.job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		return fmt.Errorf("limit its job: %w", err)
	}
	return nil
}

func (m members) release() error { return m.limit(0) }

// admit puts the program into its job, and lets it run. No other process can have its id yet.
func (m members) admit() error {
	const rights = windows.PROCESS_SET_QUOTA | windows.PROCESS_TERMINATE | windows.PROCESS_SUSPEND_RESUME
	process, err := windows.OpenProcess(rights, false, uint32(m.pid)) //nolint:gosec // it was one
	if err != nil {
		return fmt.Errorf("open it: %w", err)
	}
	defer func() { _ = windows.CloseHandle(process) }()
	if err := windows.AssignProcessToJobObject(m.job, process); err != nil {
		return fmt.Errorf("put it into its job: %w", err)
	}
	if status, _, _ := resume.Call(uintptr(process)); status != 0 {
		return fmt.Errorf("let it run: %w", windows.NTStatus(status)) //nolint:gosec // a status has 32 bits
	}
	return nil
}

// terminate asks programs of a console with Ctrl-Break, and those with a window to close it.
func (m members) terminate() {
	_ = windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(m.pid)) //nolint:gosec // it was one
	_ = exec.Command("taskkill", "/T", "/PID", strconv.Itoa(m.pid)).Run()
}

func (m members) kill() { _ = windows.TerminateJobObject(m.job, 1) }

// Wait waits for the program to end, and then ends what is left of its job.
func (g *Group) Wait() {
	_ = g.cmd.Wait() // its error is in cmd.ProcessState
	g.mu.Lock()
	defer g.mu.Unlock()
	g.members.kill()
	_ = windows.CloseHandle(g.members.job)
	g.reaped = true
}
