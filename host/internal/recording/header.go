package recording

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Meta is what a file says about itself.
type Meta struct {
	// Task says whose tabs it shows; a file has at most 200 bytes of it.
	Task string
	// Began is when the first frame was shown.
	Began time.Time
	// Width and Height are those of the first frame, in pixels.
	Width, Height int
}

// Ending says why a file ended.
type Ending string

// The endings.
const (
	// EndedTask says that the task ended.
	EndedTask Ending = "task"
	// EndedStop says that the recording was stopped.
	EndedStop Ending = "stop"
	// EndedSize says that the file reached its maximum size; the next file continues where it ends.
	EndedSize Ending = "size"
	// EndedError says that the file could no longer be written.
	EndedError Ending = "error"
	// EndedKilled says that the process that wrote the file ended before it could end the file.
	EndedKilled Ending = "killed"
)

// Totals is what is known about a file at its end.
type Totals struct {
	// Duration is from the first frame to the end.
	Duration time.Duration
	// Frames were written; Dropped were sent by the browser but not written.
	Frames, Dropped int
	// Ending says why it ended; it is empty before that.
	Ending Ending
}

const (
	appName   = "hermes-cdp"
	maxText   = 200 // bytes of a text in a file
	maxEnding = 8   // likewise of an Ending
	// digits is the length of a count in a file: a tag is a text, and is overwritten.
	digits = 10
	// seekHeadSize is the size of a seek head with one entry: 5 bytes for itself, 3 for the entry, 7 and 11 for its
	// content.
	seekHeadSize = 26
	durationSize = 11
	// timestampScale is the unit of time in nanoseconds: milliseconds, as players expect.
	timestampScale = 1_000_000
)

// matroskaEpoch is when dates start (RFC 9559, DateUTC).
var matroskaEpoch = time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)

// The names of tags.
const (
	tagTask    = "HERMES_TASK"
	tagFrames  = "HERMES_FRAMES"
	tagDropped = "HERMES_DROPPED"
	tagEnding  = "HERMES_ENDING"
)

// closing is what the end of a file adds to its header.
type closing struct {
	Totals
	cues int64 // the offset of the index in the file; 0: there is none
	size int64 // of the whole file
}

// header returns the bytes before the first cluster. They have the same length for an open file (a nil closing) and a
// closed one, so that the second overwrites the first.
func header(m Meta, c *closing) []byte {
	start := element(idEBML,
		uintElement(idEBMLVersion, 1), uintElement(idEBMLReadVersion, 1), uintElement(idEBMLMaxIDLength, 4), uintElement(idEBMLMaxSizeLength, 8),
		textElement(idDocType, "webm"), uintElement(idDocTypeVersion, 4), uintElement(idDocTypeReadVersion, 2),
	)
	size := int64(unknownSize)
	origin := int64(len(start)) + 12 // where the content of the segment begins; positions are relative to it
	seek, duration := void(seekHeadSize), void(durationSize)
	var totals Totals
	if c != nil {
		totals, size = c.Totals, c.size-origin
		duration = floatElement(idDuration, float64(c.Duration.Milliseconds()))
		if c.cues > 0 {
			seek = element(idSeekHead, element(idSeek,
				element(idSeekID, binary.BigEndian.AppendUint32(nil, idCues)), fixedElement(idSeekPosition, uint64(c.cues-origin))))
		}
	}
	out := appendSizeOf(appendID(start, idSegment), uint64(size), 8)
	out = append(out, seek...)
	out = append(out, info(m, duration)...)
	out = append(out, tracks(m)...)
	return append(out, tags(m, totals)...)
}

func info(m Meta, duration []byte) []byte {
	return element(idInfo,
		uintElement(idTimestampScale, timestampScale), duration, fixedElement(idDateUTC, uint64(m.Began.Sub(matroskaEpoch))),
		textElement(idMuxingApp, appName), textElement(idWritingApp, appName),
	)
}

func tracks(m Meta) []byte {
	const video = 1
	return element(idTracks, element(idTrackEntry,
		uintElement(idTrackNumber, 1), uintElement(idTrackUID, 1), uintElement(idTrackType, video), uintElement(idFlagLacing, 0),
		textElement(idCodecID, "V_VP8"),
		element(idVideo, uintElement(idPixelWidth, uint64(m.Width)), uintElement(idPixelHeight, uint64(m.Height))),
	))
}

func tags(m Meta, t Totals) []byte {
	tag := func(name, text string) []byte {
		return element(idSimpleTag, textElement(idTagName, name), textElement(idTagString, text))
	}
	return element(idTags, element(idTag, element(idTargets),
		tag(tagTask, cut(m.Task)), tag(tagFrames, count(t.Frames)), tag(tagDropped, count(t.Dropped)), tag(tagEnding, fmt.Sprintf("%-*s", maxEnding, t.Ending)),
	))
}

func count(n int) string { return fmt.Sprintf("%0*d", digits, min(n, 9_999_999_999)) }

// cut bounds a text, and keeps it valid UTF-8.
func cut(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), maxText)], "")
}

// cluster returns one frame as a cluster.
func cluster(at time.Duration, data []byte) []byte {
	// The track, the time relative to the cluster, and the flag for a key frame.
	block := []byte{0x81, 0, 0, 0x80}
	return element(idCluster, uintElement(idTimestamp, uint64(at.Milliseconds())), element(idSimpleBlock, block, data))
}

// cue is where a frame is.
type cue struct {
	at     time.Duration
	offset int64 // of its cluster in the file
}

// cues returns the index of a file, for seeking. Its positions are relative to the content of the segment.
func cues(list []cue, origin int64) []byte {
	points := make([][]byte, len(list))
	for i, c := range list {
		points[i] = element(idCuePoint, uintElement(idCueTime, uint64(c.at.Milliseconds())),
			element(idCueTrackPositions, uintElement(idCueTrack, 1), uintElement(idCueClusterPosition, uint64(c.offset-origin))))
	}
	return element(idCues, points...)
}

// maxCue is the maximum size of a frame's entry in the index, in bytes.
const maxCue = 2 + 10 + 2 + 3 + 10

// parseTags reads what tags wrote.
func parseTags(content []byte, m *Meta, t *Totals) {
	each(content, func(_ uint32, tag []byte) bool {
		each(tag, func(id uint32, simple []byte) bool {
			if id == idSimpleTag {
				parseTag(simple, m, t)
			}
			return true
		})
		return true
	})
}

func parseTag(simple []byte, m *Meta, t *Totals) {
	var name, text string
	each(simple, func(id uint32, content []byte) bool {
		switch id {
		case idTagName:
			name = string(content)
		case idTagString:
			text = string(content)
		}
		return true
	})
	n, _ := strconv.Atoi(text) // 0 if it is not a number
	switch name {
	case tagTask:
		m.Task = text
	case tagFrames:
		t.Frames = n
	case tagDropped:
		t.Dropped = n
	case tagEnding:
		t.Ending = Ending(strings.TrimRight(text, " "))
	}
}
