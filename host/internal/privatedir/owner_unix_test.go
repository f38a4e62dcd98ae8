//go:build unix

package privatedir

import (
	"os"
	"strings"
	"testing"
)

// Only root could make a directory of another user, so the test takes its own and another user.
func TestADirectoryOfAnotherUserIsNotPrivate(t *testing.T) {
	info, err := os.Stat(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := checkOwnerIs(info, os.Geteuid()); err != nil {
		t.Error(err)
	}
	if err := checkOwnerIs(info, os.Geteuid()+1); err == nil || !strings.Contains(err.Error(), "it belongs to user") {
		t.Errorf("error is %v", err)
	}
}
