package flag_test

import (
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"absolink/cmd/absolink/internal/flag"
)

func TestEnum(t *testing.T) {
	var got string
	c := &cobra.Command{Use: "c", Run: func(*cobra.Command, []string) {}}
	flag.Enum(c, &got, "way", "`WAY`: a, b or c", "a", "b", "c")
	if err := c.ParseFlags([]string{"--way", "b"}); err != nil || got != "b" {
		t.Errorf("--way b: got %q and error %v, want b", got, err)
	}
	if err := c.ParseFlags([]string{"--way=d"}); err == nil || !strings.HasSuffix(err.Error(), "use a, b or c") {
		t.Errorf("--way=d: got error %v, want one that ends in use a, b or c", err)
	}
	if got != "b" {
		t.Errorf("--way=d: sets %q, want b as before", got)
	}
	flag.RegisterCompletions(c)
	complete, _ := c.GetFlagCompletionFunc("way")
	if names, _ := complete(c, nil, ""); strings.Join(names, " ") != "a b c" {
		t.Errorf("completion of --way: got %q, want a b c", names)
	}
}

// Each item of a list is completed, once.
func TestListCompletions(t *testing.T) {
	var list flag.Names
	c := &cobra.Command{Use: "c", Run: func(*cobra.Command, []string) {}}
	c.Flags().Var(&list, "keys", "`KEY,...`")
	flag.Complete(c, "keys", "page", "part", "uri")
	flag.RegisterCompletions(c)
	complete, _ := c.GetFlagCompletionFunc("keys")
	for typed, want := range map[string]string{"": "page part uri", "pa": "page part uri", "uri,": "uri,page uri,part",
		"page,part,u": "page,part,uri", "!": "!page !part !uri", "!uri,p": "!uri,page !uri,part"} {
		got, directive := complete(c, nil, typed)
		if strings.Join(got, " ") != want ||
			directive != cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace {
			t.Errorf("completion of --keys %s: got %q and directive %d, want %s, no files and no blank",
				typed, got, directive, want)
		}
	}
}

func TestText(t *testing.T) {
	var x flag.Text
	for _, v := range []string{"a", "a"} {
		if err := x.Set(v); err != nil || x != "a" {
			t.Errorf("Set(%q): got %q and error %v, want a", v, x, err)
		}
	}
	if err := x.Set("b"); err == nil || err.Error() != `"a" is given already, and only one can count` || x != "a" {
		t.Errorf("Set(b): got %q and error %v, want a refusal", x, err)
	}
}

func TestOr(t *testing.T) {
	for want, names := range map[string][]string{"": nil, "a": {"a"},
		"a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}} {
		if got := flag.Or(names); got != want {
			t.Errorf("Or(%q): got %q, want %q", names, got, want)
		}
	}
}

func TestSize(t *testing.T) {
	for in, want := range map[string]int64{"1": 1, "1000": 1000,
		"512K": 512 << 10, "64M": 64 << 20, "1G": 1 << 30, "1024G": 1 << 40} {
		var s flag.Size
		if err := s.Set(in); err != nil || int64(s) != want {
			t.Errorf("Set(%q): got %d and error %v, want %d", in, s, err, want)
		}
		var again flag.Size
		if err := again.Set(s.String()); err != nil || again != s {
			t.Errorf("Set(%q), as String gives it: got %d and error %v, want %d", s.String(), again, err, s)
		}
	}
	for _, in := range []string{"", "0", "-1", "1k", "K", "1KK", "1025G", "99999999999999999999", "1.5M"} {
		if err := new(flag.Size).Set(in); err == nil {
			t.Errorf("Set(%q): got no error, want one", in)
		}
	}
}

func TestSeconds(t *testing.T) {
	for in, want := range map[string]time.Duration{"30": 30 * time.Second,
		"1.5": 1500 * time.Millisecond, "30s": 30 * time.Second, "2m": 2 * time.Minute} {
		var s flag.Seconds
		if err := s.Set(in); err != nil || time.Duration(s) != want {
			t.Errorf("Set(%q): got %v and error %v, want %v", in, time.Duration(s), err, want)
		}
	}
	if err := new(flag.Seconds).Set("soon"); err == nil {
		t.Error(`Set("soon"): got no error, want one`)
	}
}
