package json

import (
	"strings"
	"testing"
)

// Values of attributes that take a URL or a text, separated by blanks.
const (
	urlTexts = `/a a/b ./a ../ a.png A.PNG logo@2x.png 1.png 16.9.webp movie.mov clip.3gp x.m3u8 index.action page.do 3.tiff
		v1.2.js jquery-1.5.min.js dir:x/y a:b.jpg img.php?x=1:2 a?b.c #a.b http://h/ http:x data:image/png;base64,AA
		mailto:me@h.example tel:+1 //h/x 2024/05/01 /16/9 16/9/ 16/x 1.5/2 www.h.example`
	otherTexts = `16:9 4:3 12:30 12:30:05 1:1.5 2.39:1 1.5 3.99 $3.99 €3.99 US$3.99 3.99EUR 1,234.50 -0.5 +1.5 .5 1.5em 0.5s 99.9% 1.5x
		4.7GB v1.2 V2 v1.2.3 1.2.3 1.0.0-rc.1 2.0b3 10.0.0.1 16/9 1920/1080 me@h.example first.last@mail.h.example :hover .modal
		a_b:c A:4 C:x Note: 16: e.g. Hello. ... .. a.b-c true 16 a=/b word`
)

func TestIsURLText(t *testing.T) {
	for _, v := range strings.Fields(urlTexts) {
		if !IsURLText([]byte(v)) {
			t.Errorf("IsURLText(%q) = false, want true", v)
		}
	}
	for _, v := range strings.Fields(otherTexts) {
		if IsURLText([]byte(v)) {
			t.Errorf("IsURLText(%q) = true, want false", v)
		}
	}
	for v, want := range map[string]bool{
		"/a b.png": true, "http://h/a b.png": true,
		"Some text": false, "at 12:30": false, "a/b c.png": false, "see /a": false, "": false,
	} {
		if got := IsURLText([]byte(v)); got != want {
			t.Errorf("IsURLText(%q) = %v, want %v", v, got, want)
		}
	}
}
