package seen

import (
	"encoding/binary"
	"runtime/debug"
)

// A hash has 64 bits. Its first bits choose a bucket. The bucket is a list of pages, each with the
// other bits of up to 20 hashes, in entries of 6 bytes. Pages never move, so a growing set makes no
// garbage, and only the newest page of a bucket has free entries.

const (
	bucketBits = 20
	restBits   = 64 - bucketBits

	entrySize   = 6
	pageEntries = 20
	nextAt      = pageEntries * entrySize // offset of the number of the next page
	pageSize    = 128                     // two lines of the processor's cache
	chunkPages  = 1 << 13                 // number of pages that are allocated together
)

// hashes is a set of hashes with 64 bits. The zero value is empty. 100 million hashes take 720 MB.
type hashes struct {
	newest []uint32 // by bucket: the number of its newest page, from 1; 0 for an empty bucket
	filled []uint8  // by bucket: number of entries in the newest page
	chunks [][]byte
	pages  int
	n      int

	percent int // the value of GOGC before the set became large; 0 while it is small
}

// page returns the page with a number.
func (s *hashes) page(number uint32) []byte {
	i := int(number - 1)
	at := i % chunkPages * pageSize
	return s.chunks[i/chunkPages][at : at+pageSize]
}

// add adds h, and reports whether it is new.
func (s *hashes) add(h uint64) bool {
	if s.newest == nil {
		s.newest = make([]uint32, 1<<bucketBits)
		s.filled = make([]uint8, 1<<bucketBits)
	}
	b := h >> restBits
	rest := h & (1<<restBits - 1)
	if s.has(b, rest) {
		return false
	}
	if s.newest[b] == 0 || s.filled[b] == pageEntries {
		s.addPage(b)
	}
	e := s.page(s.newest[b])[int(s.filled[b])*entrySize:]
	binary.LittleEndian.PutUint32(e, uint32(rest))
	binary.LittleEndian.PutUint16(e[4:], uint16(rest>>32))
	s.filled[b]++
	s.n++
	if s.n%tuneInterval == 0 {
		s.tune()
	}
	return true
}

// has reports whether bucket b has an entry for rest.
func (s *hashes) has(b, rest uint64) bool {
	n := int(s.filled[b])
	for number := s.newest[b]; number != 0; {
		p := s.page(number)
		for i := range n {
			// the number of the next page follows the last entry, so 8 bytes can be read
			if binary.LittleEndian.Uint64(p[i*entrySize:])&(1<<(8*entrySize)-1) == rest {
				return true
			}
		}
		number = binary.LittleEndian.Uint32(p[nextAt:])
		n = pageEntries
	}
	return false
}

// addPage adds an empty page to bucket b.
func (s *hashes) addPage(b uint64) {
	if s.pages%chunkPages == 0 {
		s.chunks = append(s.chunks, make([]byte, chunkPages*pageSize))
	}
	s.pages++
	number := uint32(s.pages)
	binary.LittleEndian.PutUint32(s.page(number)[nextAt:], s.newest[b])
	s.newest[b] = number
	s.filled[b] = 0
}

const (
	tuneInterval = 1 << 20  // number of hashes after which the garbage collector is tuned again
	garbage      = 32 << 20 // bytes of garbage that may lie beside a large set
)

// tune bounds the garbage beside a large set. By default it could be as large as the set. The
// collector does not look into the pages, so it costs little. A lower GOGC of the user stays.
func (s *hashes) tune() {
	percent := int(max(int64(garbage)*100/(int64(s.pages)*pageSize), 3))
	if percent >= 100 {
		return
	}
	old := debug.SetGCPercent(percent)
	if s.percent == 0 {
		s.percent = old
	}
	if old < percent {
		debug.SetGCPercent(old)
	}
}

// free empties the set, and lets the garbage collector work as before.
func (s *hashes) free() {
	if s.percent != 0 {
		debug.SetGCPercent(s.percent)
	}
	*s = hashes{}
}
