package page_test

import (
	"absolink/extract/internal/charset"
	"absolink/extract/internal/page"
	"absolink/extract/internal/readingtest"
)

// The documents of the formats that this package reads.

func htmlDoc(s string) *readingtest.Doc {
	return &readingtest.Doc{Data: []byte(s), Charset: "utf-8", Declared: charset.InMeta, Find: (*page.Finder).HTML}
}

func sheetDoc(s string) *readingtest.Doc {
	return &readingtest.Doc{Data: []byte(s), Declared: charset.InRule,
		Find: func(f *page.Finder) { page.Sheet(&f.Text) }}
}

func manifestDoc(s string) *readingtest.Doc {
	return &readingtest.Doc{Data: []byte(s), Declared: charset.FixedUTF8,
		Find: func(f *page.Finder) { page.Manifest(&f.Text) }}
}

func scriptDoc(s string) *readingtest.Doc {
	return &readingtest.Doc{Data: []byte(s), Find: func(f *page.Finder) { page.Script(&f.Text) }}
}
