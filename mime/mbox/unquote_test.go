package mbox

import (
	"fmt"
	"strings"
	"testing"

	"absolink/extract"
)

func TestAppendUnquoted(t *testing.T) {
	tests := []struct {
		variant  Variant
		in, want string
	}{
		{RD, "", ""},
		{RD, "A: b\n\nbody\n", "A: b\n\nbody\n"},
		{RD, ">From a\n>>From b\n>>>From c\nFrom d\n> From e\n>from f\n",
			"From a\n>From b\n>>From c\nFrom d\n> From e\n>from f\n"},
		{CL, ">From a\n>>From b\n", "From a\n>From b\n"},
		{O, ">From a\n>>From b\n>>>From c\n", "From a\n>>From b\n>>>From c\n"},
		{CL2, ">From a\n>>From b\n", ">From a\n>>From b\n"},
		{RD, "a >From a\nb>From b\r>From c\r\n>From d\r\n>From e>From ",
			"a >From a\nb>From b\r>From c\r\nFrom d\r\nFrom e>From "},
		{RD, "a\n>From From >From \n>From", "a\nFrom From >From \n>From"},
	}
	for _, tt := range tests {
		var text extract.Text
		m := &Message{Variant: tt.variant, eol: '\n'}
		m.AppendUnquoted(&text, []byte(tt.in))
		if got := string(text.Data); got != tt.want {
			t.Errorf("AppendUnquoted of %s, %q = %q, want %q", tt.variant, tt.in, got, tt.want)
		}
	}
}

// Only ">" at the start of a line is a quote.
func TestQuotes(t *testing.T) {
	m := &Message{eol: '\n'}
	for c := range 256 {
		if c == '\n' || c == '>' {
			continue
		}
		in := fmt.Sprintf("A: b\n%[1]sFrom a\n%[1]s>From b\n>%[1]sFrom c\n", string([]byte{byte(c)}))
		var text extract.Text
		m.AppendUnquoted(&text, []byte(in))
		if got := string(text.Data); got != in {
			t.Errorf("AppendUnquoted of %q = %q, want no change", in, got)
		}
	}
}

// Each byte comes from the same byte of the mailbox.
func FuzzAppendUnquoted(f *testing.F) {
	f.Add(">From a\r\n>>From b\n>From >From \n", uint8(RD))
	f.Fuzz(func(t *testing.T, in string, variant uint8) {
		v := Variant(variant % 4)
		var text extract.Text
		m := &Message{Variant: v, eol: '\n'}
		m.AppendUnquoted(&text, []byte(in))
		var want strings.Builder
		for line := range strings.Lines(in) {
			quoted := strings.HasPrefix(strings.TrimLeft(line, ">"), "From ")
			if quoted && line[0] == '>' && (v == RD || v == CL || v == O && line[1] == 'F') {
				line = line[1:]
			}
			want.WriteString(line)
		}
		if got := string(text.Data); got != want.String() {
			t.Fatalf("AppendUnquoted of %s, %q = %q, want %q", v, in, got, want.String())
		}
		for i, c := range text.Data {
			if raw := text.Raw(extract.Span{Start: i, End: i + 1}); raw.End != raw.Start+1 || in[raw.Start] != c {
				t.Fatalf("byte %d of %s, %q comes from %v", i, v, in, raw)
			}
		}
	})
}
