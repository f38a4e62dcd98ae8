package view

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// UnixTime is a time that is Unix seconds with a fraction in JSON.
type UnixTime struct{ time.Time }

// MarshalJSON writes seconds with six decimals.
func (t UnixTime) MarshalJSON() ([]byte, error) {
	return []byte(formatSeconds(t.Time)), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (t *UnixTime) UnmarshalJSON(data []byte) error {
	seconds, err := strconv.ParseFloat(string(data), 64)
	if err != nil {
		return fmt.Errorf("want Unix seconds: %w", err)
	}
	t.Time = time.UnixMicro(int64(math.Round(seconds * 1e6)))
	return nil
}

func formatSeconds(t time.Time) string {
	return strconv.FormatFloat(float64(t.UnixMicro())/1e6, 'f', 6, 64)
}
