package viewer

import (
	"embed"
	"net/url"
)

//go:embed samples
var sampleFiles embed.FS

// sample is a document that the first page offers.
type sample struct {
	file, title string
	flags       url.Values
}

// samples lists the samples in the order of the first page.
var samples = []sample{
	{"page.html", "a page", url.Values{"base": {"http://www.example.org/journal/issue5/index.html"}}},
	{"mail.eml", "a mail", url.Values{}},
	{"page.mht", "an MHTML page", url.Values{}},
}

// sampleNamed returns the sample with the name of a file, or nil.
func sampleNamed(file string) *sample {
	for i := range samples {
		if samples[i].file == file {
			return &samples[i]
		}
	}
	return nil
}

// data returns the bytes of the sample.
func (s *sample) data() []byte {
	data, err := sampleFiles.ReadFile("samples/" + s.file)
	if err != nil {
		panic(err) // the file is embedded
	}
	return data
}
