package httpmsg

import (
	"errors"
	"strings"
	"testing"

	"absolink/testdata/coded"
)

const page = "<!DOCTYPE html><title>Page</title><a href=\"next.html\">next</a>\n"

// packed returns text in one coding. "raw" means deflate without its wrapper.
func packed(coding, text string) string { return string(coded.Bytes(coding, []byte(text))) }

func TestDecode(t *testing.T) {
	long := strings.Repeat(page, 50)
	tests := []struct {
		name, codings, body, want, problem string
	}{
		{"none", "", page, page, ""},
		{"identity", "identity", page, page, ""},
		{"empty body", "gzip", "", "", ""},
		{"gzip", "gzip", packed("gzip", page), page, ""},
		{"x-gzip in capitals", " X-GZip ", packed("gzip", page), page, ""},
		{"deflate in zlib", "deflate", packed("zlib", page), page, ""},
		{"deflate alone", "deflate", packed("raw", page), page, ""},
		{"br", "br", packed("br", page), page, ""},
		{"zstd", "zstd", packed("zstd", page), page, ""},
		{"two codings", "deflate, gzip", packed("gzip", packed("zlib", page)), page, ""},
		{"two codings in two fields", "br,\r\n gzip", packed("gzip", packed("br", page)), page, ""},
		{"a charset among them", "gzip, utf-8", packed("gzip", page), page, ""},
		{"two members", "gzip", packed("gzip", page) + packed("gzip", "more"), page + "more", ""},
		{"gzip and junk", "gzip", packed("gzip", page) + "<!-- cached -->",
			page, "15 bytes after the end of the gzip data, not read"},
		{"gzip and zeros", "gzip", packed("gzip", page) + "\x00\x00\x00",
			page, "3 bytes after the end of the gzip data, not read"},
		{"two members and junk", "gzip", packed("gzip", page) + packed("gzip", "more") + "\n",
			page + "more", "1 bytes after the end of the gzip data, not read"},
		{"a member and the beginning of one", "gzip", packed("gzip", page) + packed("gzip", "more")[:12],
			page, "gzip damaged after 63 decoded bytes: unexpected EOF"},
		{"deflate in zlib and junk", "deflate", packed("zlib", page) + "junk",
			page, "4 bytes after the end of the deflate data, not read"},
		{"deflate alone and junk", "deflate", packed("raw", page) + "\r\n",
			page, "2 bytes after the end of the deflate data, not read"},
		{"br and junk", "br", packed("br", page) + "\r\n", page, "some bytes after the end of the br data, not read"},
		{"two frames", "zstd", packed("zstd", page) + packed("zstd", "more"), page + "more", ""},
		{"two frames and junk", "zstd", packed("zstd", page) + packed("zstd", "more") + "\r\n",
			page + "more", "2 bytes after the end of the zstd data, not read"},
		{"a frame and the beginning of one", "zstd", packed("zstd", page) + packed("zstd", "more")[:7],
			page, "zstd damaged after 63 decoded bytes: unexpected EOF"},
		{"a skippable frame and junk", "zstd", "\x50\x2a\x4d\x18\x02\x00\x00\x00ab" + packed("zstd", page) + "junk",
			page, "4 bytes after the end of the zstd data, not read"},
		{"junk under another coding", "deflate, gzip", packed("gzip", packed("zlib", page)+"a") + "bc",
			page, "2 bytes after the end of the gzip data, not read"},
		{"damage under junk", "deflate, gzip",
			packed("gzip", packed("zlib", long)[:len(packed("zlib", long))-3]) +
				"\n", long, "deflate damaged after 3150 decoded bytes: unexpected EOF"},
		{"junk under damage", "deflate, gzip",
			packed("gzip",
				packed("zlib", page)+
					"a")[:len(packed("gzip",
				packed("zlib", page)+"a"))-4], page, "gzip damaged after 77 decoded bytes: unexpected EOF"},
		{"gzip that is none", "gzip", page, page, "gzip declared, the body is not encoded"},
		{"zstd that is none", "zstd", page, page, "zstd declared, the body is not encoded"},
		{"deflate that is none", "deflate", page, page, "deflate declared, the body is not encoded"},
		{"br that is none", "br", page, page, "br declared, the body is not encoded"},
		{"gzip twice declared", "gzip, gzip", packed("gzip", page), page, "gzip declared, the body is not encoded"},
		{"gzip cut in its header", "gzip", packed("gzip", page)[:7],
			"", "gzip damaged after 0 decoded bytes: unexpected EOF"},
		{"gzip cut before its checksum", "gzip", packed("gzip", long)[:len(packed("gzip", long))-8], long,
			"gzip damaged after 3150 decoded bytes: unexpected EOF"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, problem, err := Decode(tt.codings, []byte(tt.body), 1<<20)
			if err != nil || string(got) != tt.want || problem.Text != tt.problem {
				t.Errorf("Decode(%q): got %q, %q, %v, want %q, %q",
					tt.codings, got, problem.Text, err, tt.want, tt.problem)
			}
		})
	}
}

// Bytes after the data lose nothing, whatever they are.
func TestHarmless(t *testing.T) {
	for _, coding := range []string{"gzip", "zlib", "raw", "br", "zstd"} {
		name := coding
		if coding == "zlib" || coding == "raw" {
			name = "deflate"
		}
		for _, text := range []string{page, strings.Repeat(page, 5000)} {
			whole := packed(coding, text)
			for _, junk := range []string{"\x00", "\n", "\r\n\r\n", "<!-- cached -->", strings.Repeat("\x00", 5000)} {
				got, problem, err := Decode(name, []byte(whole+junk), 1<<20)
				if err != nil || string(got) != text || !problem.Minor {
					t.Errorf("Decode(%s and %.20q): got %d bytes, %q and %v, want %d and a minor problem",
						coding, junk, len(got), problem.Text, err, len(text))
				}
			}
			if _, problem, _ := Decode(name, []byte(whole[:len(whole)-4]), 1<<20); problem.Text == "" || problem.Minor {
				t.Errorf("Decode(%s cut short): got the problem %q, want one that is not minor", coding, problem.Text)
			}
		}
	}
	if _, problem, _ := Decode("gzip", []byte(packed("gzip", page)), 1<<20); problem.Minor || problem.Text != "" {
		t.Errorf("Decode of a whole body: got the problem %q", problem.Text)
	}
}

// A reused decoder holds nothing of the body before.
func TestDecodeAgain(t *testing.T) {
	for _, coding := range []string{"gzip", "zlib", "raw", "br", "zstd"} {
		name := coding
		if coding == "zlib" || coding == "raw" {
			name = "deflate"
		}
		for _, text := range []string{page, "short", strings.Repeat("long ", 50000), ""} {
			body := packed(coding, text)
			for _, cut := range []int{len(body) / 2, len(body)} {
				got, problem, err := Decode(name, []byte(body[:cut]), 1<<20)
				if err != nil || !strings.HasPrefix(text, string(got)) {
					t.Errorf("Decode(%s, %d of %d bytes): got %d bytes, %v, no beginning of the %d",
						coding, cut, len(body), len(got), err, len(text))
				}
				if cut == len(body) && (string(got) != text || problem.Text != "") {
					t.Errorf("Decode(%s): got %d bytes, %q, want %d", coding, len(got), problem.Text, len(text))
				}
			}
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	const limit = 256 << 10
	bomb := strings.Repeat("\x00", 2*limit)
	tests := []struct {
		name, codings, body, want string
		first                     int // bytes that come with the error
	}{
		{"unknown", "compress", page, `unknown content coding "compress"`, 0},
		{"too many", strings.Repeat("gzip,", 9), page, "9 content codings", 0},
		{"gzip bomb", "gzip", packed("gzip", bomb),
			"gzip: decoded body larger than the limit of 262144 bytes", limit},
		{"deflate bomb", "deflate", packed("raw", bomb),
			"deflate: decoded body larger than the limit of 262144 bytes", limit},
		{"br bomb", "br", packed("br", bomb), "br: decoded body larger than the limit of 262144 bytes", limit},
		{"zstd bomb", "zstd", packed("zstd", bomb),
			"zstd: decoded body larger than the limit of 262144 bytes", limit},
		{"bomb under another coding", "br, gzip", packed("gzip", bomb),
			"gzip: decoded body larger than the limit of 262144 bytes", 0},
		{"bomb in a bomb", "gzip, gzip", packed("gzip", packed("gzip", bomb)),
			"gzip: decoded body larger than the limit of 262144 bytes", limit},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			data, _, err := Decode(tt.codings, []byte(tt.body), limit)
			if len(data) != tt.first || err == nil || err.Error() != tt.want {
				t.Errorf("Decode(%q): got %d bytes, %v, want %d, %s", tt.codings, len(data), err, tt.first, tt.want)
			}
		})
	}
	if _, err := readAll(strings.NewReader("abc"), 1, 2); !errors.Is(err, ErrLimit) {
		t.Errorf("readAll of 3 bytes with limit 2: got %v, want %v", err, ErrLimit)
	}
}
