package storefile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"time"

	"go.etcd.io/bbolt"

	"github.com/hermes-cdp/hermes-cdp/host/internal/plugin/guestio"
)

// The file has a bucket for this version of the format, in it one for each plugin, and in that one for each task. An
// entry there is its key, and as its value: a CRC-32C of key, end and data, the end in nanoseconds since 1970 or 0,
// both big-endian, and the data. bbolt has checksums of its own roots alone.
var version = []byte("v1")

const headerBytes = 4 + 8

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// shelf is what a file has for a plugin and a task.
type shelf struct {
	plugin, task string
	values       map[string]guestio.Value
}

// read returns all that the file has.
func (f *File) read() ([]shelf, error) {
	var list []shelf
	err := f.db.View(func(tx *bbolt.Tx) error {
		// Beyond the end of a file that was cut, memory cannot be read.
		if info, err := os.Stat(f.path); err != nil || info.Size() < tx.Size() {
			return errors.Join(fmt.Errorf("it ends before its %d bytes", tx.Size()), err)
		}
		root := tx.Bucket(version)
		if root == nil {
			return onlyEmpty(tx)
		}
		return root.ForEachBucket(func(name []byte) error {
			tasks := root.Bucket(name)
			return tasks.ForEachBucket(func(task []byte) error {
				s := shelf{string(name), string(task), map[string]guestio.Value{}}
				list = append(list, s)
				return tasks.Bucket(task).ForEach(func(key, record []byte) error {
					v, err := decode(key, record)
					s.values[string(key)] = v
					return err
				})
			})
		})
	})
	return list, err
}

// onlyEmpty refuses a database that is another program's.
func onlyEmpty(tx *bbolt.Tx) error {
	return tx.ForEach(func(name []byte, _ *bbolt.Bucket) error {
		return fmt.Errorf("it has %q, which is of another program or version", name)
	})
}

// apply writes changes.
func apply(tx *bbolt.Tx, changes []guestio.Change) error {
	root, err := tx.CreateBucketIfNotExists(version)
	if err != nil {
		return err
	}
	for _, c := range changes {
		if err := applyOne(root, c); err != nil {
			return err
		}
	}
	return nil
}

func applyOne(root *bbolt.Bucket, c guestio.Change) error {
	tasks, err := root.CreateBucketIfNotExists([]byte(c.Plugin))
	if err != nil {
		return err
	}
	name := []byte(c.Task)
	if c.Whole && tasks.Bucket(name) != nil {
		if err := tasks.DeleteBucket(name); err != nil {
			return err
		}
	}
	if c.Whole && len(c.Values) == 0 {
		return nil
	}
	entries, err := tasks.CreateBucketIfNotExists(name)
	if err != nil {
		return err
	}
	for _, key := range c.Removed {
		if err := entries.Delete([]byte(key)); err != nil {
			return err
		}
	}
	for key, v := range c.Values {
		if err := entries.Put([]byte(key), encode(key, v)); err != nil {
			return err
		}
	}
	return nil
}

func encode(key string, v guestio.Value) []byte {
	record := make([]byte, headerBytes, headerBytes+len(v.Data))
	if !v.Ends.IsZero() {
		binary.BigEndian.PutUint64(record[4:], uint64(v.Ends.UnixNano()))
	}
	record = append(record, v.Data...)
	binary.BigEndian.PutUint32(record, sum([]byte(key), record))
	return record
}

func decode(key, record []byte) (guestio.Value, error) {
	if len(record) < headerBytes || binary.BigEndian.Uint32(record) != sum(key, record) {
		return guestio.Value{}, fmt.Errorf("the entry %q is not as it was written", key)
	}
	v := guestio.Value{Data: bytes.Clone(record[headerBytes:])}
	if end := int64(binary.BigEndian.Uint64(record[4:])); end != 0 {
		v.Ends = time.Unix(0, end)
	}
	return v, nil
}

// sum is the checksum of a record, which follows it there.
func sum(key, record []byte) uint32 {
	return crc32.Update(crc32.Checksum(key, castagnoli), castagnoli, record[4:])
}
