//go:build unix

package privatedir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

const permissionsApply = true

func checkOwner(info fs.FileInfo) error { return checkOwnerIs(info, os.Geteuid()) }

func checkOwnerIs(info fs.FileInfo, uid int) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return errors.New("its owner is unknown")
	}
	if int64(stat.Uid) != int64(uid) {
		return fmt.Errorf("it belongs to user %d, but this process runs as user %d", stat.Uid, uid)
	}
	return nil
}
