package sheet

import (
	"bytes"
	"cmp"
	"iter"
	"math/rand/v2"
	"slices"
)

// A document may have a reference every few bytes, and URIs of thousands of bytes. So the rows of a
// page are found without keeping all rows in memory. The keys are read several times. Each time, a
// random sample of them gives narrower bounds for the keys of the page.

// keyed is a key with its number. Equal keys are ordered by their numbers.
type keyed struct {
	key []byte
	n   int
}

func (a *keyed) compare(b *keyed) int { return cmp.Or(bytes.Compare(a.key, b.key), a.n-b.n) }

func (a *keyed) clone() *keyed { return &keyed{slices.Clone(a.key), a.n} }

const (
	sampled = 2048 // size of a sample
	// astray is the number of ranks in a sample by which a key may be off. It is more than four
	// standard deviations.
	astray    = 100
	maxPasses = 60 // largest number of passes over the keys
)

// ranks finds keys by their ranks. The wanted keys are between low and high, which are nil if
// unknown.
type ranks struct {
	low, high *keyed
	below     int     // number of keys before low
	inside    int     // number of keys from low to high
	sample    []keyed // sample of the keys from low to high; all of them if they are few
	random    *rand.Rand
}

// ranked returns the numbers of the keys with ranks in [from, to), in the order of the keys. all
// yields the keys, numbered from 0; a key is valid until the next one. all is called several times,
// and must yield the same keys each time. If it does not, for example because the work is
// cancelled, the result is shorter.
func ranked(all func() iter.Seq[[]byte], from, to int) []int {
	r := &ranks{random: rand.New(rand.NewPCG(1, 2))}
	var before ranks // the last bounds that were right
	for range maxPasses {
		r.read(all())
		if from < r.below || to > r.below+r.inside { // the sample gave wrong bounds
			if r.low == before.low && r.high == before.high {
				return nil
			}
			r.low, r.high = before.low, before.high
			continue
		}
		slices.SortFunc(r.sample, func(a, b keyed) int { return a.compare(&b) })
		if r.inside == len(r.sample) {
			list := make([]int, 0, to-from)
			for _, k := range r.sample[from-r.below : to-r.below] {
				list = append(list, k.n)
			}
			return list
		}
		before.low, before.high = r.low, r.high
		r.narrow(from-r.below, to-r.below)
	}
	return nil
}

// read sets r.below and r.inside, and takes a sample of the keys inside the bounds.
func (r *ranks) read(all iter.Seq[[]byte]) {
	r.below, r.inside, r.sample = 0, 0, r.sample[:0]
	n := -1
	for key := range all {
		n++
		k := keyed{key, n}
		switch {
		case r.low != nil && k.compare(r.low) < 0:
			r.below++
		case r.high == nil || k.compare(r.high) <= 0:
			r.inside++
			r.addSample(k)
		}
	}
}

// addSample may add k to the sample, at random: each key so far is in the sample with the same
// probability.
func (r *ranks) addSample(k keyed) {
	i := len(r.sample)
	switch {
	case i == sampled:
		i = r.random.IntN(r.inside)
		if i >= sampled {
			return
		}
	case i < cap(r.sample):
		r.sample = r.sample[:i+1]
	default:
		r.sample = append(r.sample, keyed{})
	}
	own := &r.sample[i]
	own.key, own.n = append(own.key[:0], k.key...), k.n
}

// narrow moves the bounds close to the keys inside with ranks in [from, to).
func (r *ranks) narrow(from, to int) {
	m := len(r.sample)
	if i := from*m/r.inside - astray; i >= 0 {
		r.low = r.sample[i].clone()
	}
	if i := to*m/r.inside + astray; i < m {
		r.high = r.sample[i].clone()
	}
}
