package proctable

import (
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// List lists the processes, from a snapshot of the system.
func List() ([]Process, error) {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = windows.CloseHandle(snapshot) }()
	entry := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	var list []Process
	for err = windows.Process32First(snapshot, &entry); err == nil; err = windows.Process32Next(snapshot, &entry) {
		p := Process{PID: int(entry.ProcessID), Parent: int(entry.ParentProcessID), Command: windows.UTF16ToString(entry.ExeFile[:])}
		p.look()
		list = append(list, p)
	}
	if err == windows.ERROR_NO_MORE_FILES { //nolint:errorlint // it is returned as it is
		err = nil
	}
	return list, err
}

// Look is the process with an id, as far as this user may look; only its id is known of those of others, and of one
// that has ended.
func Look(pid int) Process {
	p := Process{PID: pid}
	p.look()
	return p
}

// look adds what only a handle tells; the processes of others give none.
func (p *Process) look() {
	handle, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(p.PID)) //nolint:gosec // it was one
	if err != nil {
		return
	}
	defer func() { _ = windows.CloseHandle(handle) }()
	p.Mine = isMine(handle)
	var created, exited, kernel, user windows.Filetime
	if windows.GetProcessTimes(handle, &created, &exited, &kernel, &user) == nil {
		p.Started = time.Unix(0, created.Nanoseconds())
	}
	if line := commandOf(handle); line != "" {
		p.Command = line
	}
	p.Memory = memoryOf(handle)
}

// isMine reports whether the process runs as this user.
func isMine(handle windows.Handle) bool {
	var token windows.Token
	if windows.OpenProcessToken(handle, windows.TOKEN_QUERY, &token) != nil {
		return false
	}
	defer func() { _ = token.Close() }()
	theirs, err := token.GetTokenUser()
	if err != nil {
		return false
	}
	mine, err := windows.GetCurrentProcessToken().GetTokenUser()
	return err == nil && theirs.User.Sid.Equals(mine.User.Sid)
}

// commandOf is the command line of a process; empty if it is not known.
func commandOf(handle windows.Handle) string {
	buffer := make([]uint64, 8<<10) // aligned for the structure, and larger than any command line
	size := uint32(len(buffer) * 8)
	err := windows.NtQueryInformationProcess(handle, windows.ProcessCommandLineInformation, unsafe.Pointer(&buffer[0]), size, &size)
	if err != nil {
		return ""
	}
	return (*windows.NTUnicodeString)(unsafe.Pointer(&buffer[0])).String()
}

var getProcessMemoryInfo = windows.NewLazySystemDLL("kernel32.dll").NewProc("K32GetProcessMemoryInfo")

// counters is PROCESS_MEMORY_COUNTERS,
// https://learn.microsoft.com/windows/win32/api/psapi/ns-psapi-process_memory_counters.
type counters struct {
	size, faults                                                                                 uint32
	peak, workingSet, peakPaged, paged, peakNonPaged, nonPaged, pagefileUsage, peakPagefileUsage uintptr
}

func memoryOf(handle windows.Handle) int64 {
	c := counters{size: uint32(unsafe.Sizeof(counters{}))}
	if ok, _, _ := getProcessMemoryInfo.Call(uintptr(handle), uintptr(unsafe.Pointer(&c)), uintptr(c.size)); ok == 0 {
		return 0
	}
	return int64(c.workingSet) //nolint:gosec // memory fits
}
