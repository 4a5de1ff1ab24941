package sheet

import (
	"embed"
	"net/url"
)

//go:embed samples
var sampleFiles embed.FS

// Sample is a document that the first page offers.
type Sample struct {
	File  string // its name
	title string
	Flags url.Values
}

// samples lists the samples in the order of the first page.
var samples = []Sample{
	{"page.html", "a page", url.Values{"base": {"http://www.example.org/journal/issue5/index.html"}}},
	{"mail.eml", "a mail", url.Values{}},
	{"page.mht", "an MHTML page", url.Values{}},
}

// SampleNamed returns the sample with the name of a file, or nil.
func SampleNamed(file string) *Sample {
	for i := range samples {
		if samples[i].File == file {
			return &samples[i]
		}
	}
	return nil
}

// Data returns the bytes of the sample.
func (s *Sample) Data() []byte {
	data, err := sampleFiles.ReadFile("samples/" + s.File)
	if err != nil {
		panic(err) // the file is embedded
	}
	return data
}
