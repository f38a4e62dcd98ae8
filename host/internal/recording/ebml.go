package recording

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// The ids of the elements that are written and read (RFC 8794 and RFC 9559), with their marker bits.
const (
	idEBML               = 0x1A45DFA3
	idEBMLVersion        = 0x4286
	idEBMLReadVersion    = 0x42F7
	idEBMLMaxIDLength    = 0x42F2
	idEBMLMaxSizeLength  = 0x42F3
	idDocType            = 0x4282
	idDocTypeVersion     = 0x4287
	idDocTypeReadVersion = 0x4285
	idVoid               = 0xEC
	idSegment            = 0x18538067
	idSeekHead           = 0x114D9B74
	idSeek               = 0x4DBB
	idSeekID             = 0x53AB
	idSeekPosition       = 0x53AC
	idInfo               = 0x1549A966
	idTimestampScale     = 0x2AD7B1
	idDuration           = 0x4489
	idDateUTC            = 0x4461
	idMuxingApp          = 0x4D80
	idWritingApp         = 0x5741
	idTracks             = 0x1654AE6B
	idTrackEntry         = 0xAE
	idTrackNumber        = 0xD7
	idTrackUID           = 0x73C5
	idTrackType          = 0x83
	idFlagLacing         = 0x9C
	idCodecID            = 0x86
	idVideo              = 0xE0
	idPixelWidth         = 0xB0
	idPixelHeight        = 0xBA
	idTags               = 0x1254C367
	idTag                = 0x7373
	idTargets            = 0x63C0
	idSimpleTag          = 0x67C8
	idTagName            = 0x45A3
	idTagString          = 0x4487
	idCluster            = 0x1F43B675
	idTimestamp          = 0xE7
	idSimpleBlock        = 0xA3
	idCues               = 0x1C53BB6B
	idCuePoint           = 0xBB
	idCueTime            = 0xB3
	idCueTrackPositions  = 0xB7
	idCueTrack           = 0xF7
	idCueClusterPosition = 0xF1
)

// unknownSize, in eight bytes, is the size of an element that ends with its parent or the file (RFC 8794, section 6.2).
const unknownSize = 1<<56 - 1

// element returns an element whose content is its parts joined.
func element(id uint32, parts ...[]byte) []byte {
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	out := appendID(make([]byte, 0, size+12), id)
	out = appendSize(out, uint64(size))
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

func appendID(to []byte, id uint32) []byte {
	for shift := (bits.Len32(id) - 1) / 8 * 8; shift >= 0; shift -= 8 {
		to = append(to, byte(id>>shift))
	}
	return to
}

// appendSize writes a size in as few bytes as it needs.
func appendSize(to []byte, size uint64) []byte {
	n := 1
	for n < 8 && size >= 1<<(7*n)-1 { // all ones would be an unknown size
		n++
	}
	return appendSizeOf(to, size, n)
}

// appendSizeOf writes a size in n bytes.
func appendSizeOf(to []byte, size uint64, n int) []byte {
	size |= 1 << (7 * n)
	for i := n - 1; i >= 0; i-- {
		to = append(to, byte(size>>(8*i)))
	}
	return to
}

func uintElement(id uint32, v uint64) []byte {
	n := max((bits.Len64(v)+7)/8, 1)
	return element(id, binary.BigEndian.AppendUint64(nil, v)[8-n:])
}

// fixedElement is a number in eight bytes, for a number that is overwritten later.
func fixedElement(id uint32, v uint64) []byte {
	return element(id, binary.BigEndian.AppendUint64(nil, v))
}

func floatElement(id uint32, v float64) []byte { return fixedElement(id, math.Float64bits(v)) }

func textElement(id uint32, text string) []byte { return element(id, []byte(text)) }

// void is a gap of size bytes: from 2 to 127.
func void(size int) []byte {
	return append([]byte{idVoid, 0x80 | byte(size-2)}, make([]byte, size-2)...)
}

// head is the id and size of an element.
type head struct {
	id      uint32
	size    uint64 // of the content
	unknown bool   // the size is unknown
	length  int    // of the head itself
}

// readHead reads the head of an element; ok is false if there is none.
func readHead(data []byte) (h head, ok bool) {
	if len(data) == 0 || data[0] < 0x10 {
		return h, false // an id has at most four bytes
	}
	n := bits.LeadingZeros8(data[0]) + 1
	if len(data) < n+1 || data[n] == 0 {
		return h, false // a size has at most eight bytes
	}
	for _, b := range data[:n] {
		h.id = h.id<<8 | uint32(b)
	}
	m := bits.LeadingZeros8(data[n]) + 1
	if len(data) < n+m {
		return h, false
	}
	h.size = uint64(data[n]) & (1<<(8-m) - 1)
	for _, b := range data[n+1 : n+m] {
		h.size = h.size<<8 | uint64(b)
	}
	h.unknown = h.size == 1<<(7*m)-1
	h.length = n + m
	return h, true
}

// each calls f with the elements of a content, until one is incomplete or f returns false.
func each(content []byte, f func(id uint32, content []byte) bool) {
	for {
		h, ok := readHead(content)
		if !ok || h.unknown || h.size > uint64(len(content)-h.length) {
			return
		}
		end := h.length + int(h.size)
		if !f(h.id, content[h.length:end]) {
			return
		}
		content = content[end:]
	}
}

// number reads an unsigned number; it returns 0 for more than eight bytes.
func number(content []byte) (v uint64) {
	if len(content) > 8 {
		return 0
	}
	for _, b := range content {
		v = v<<8 | uint64(b)
	}
	return v
}
