package build

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// The program shows the version, commit and date that the go command records for a clone.
func TestBuildInfo(t *testing.T) {
	here := Build{version: "(devel)", goVersion: runtime.Version(), system: runtime.GOOS + "/" + runtime.GOARCH}
	clone := here
	clone.version, clone.commit, clone.date,
		clone.modified = "v0.0.0-20260102030405-0a1b+dirty", "0a1b", "2026-01-02T03:04:05Z", true
	for _, tt := range []struct {
		info debug.BuildInfo
		want Build
	}{
		{debug.BuildInfo{}, here},
		{debug.BuildInfo{Main: debug.Module{Version: clone.version}, Settings: []debug.BuildSetting{
			{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: "0a1b"}, {Key: "vcs.time",
				Value: "2026-01-02T03:04:05Z"}, {Key: "vcs.modified", Value: "true"}}}, clone},
	} {
		if got := of(&tt.info); got != tt.want {
			t.Errorf("of(%v): got %+v, want %+v", tt.info, got, tt.want)
		}
	}
}

// Facts that the build did not record are left out.
func TestBuild(t *testing.T) {
	for _, tt := range []struct {
		b          Build
		text, json string
	}{
		{Build{version: "v1.2.3", commit: "0a1b", date: "2026-01-02T03:04:05Z",
			goVersion: "go1.26", system: "linux/amd64"},
			"absolink v1.2.3 commit 0a1b 2026-01-02T03:04:05Z go1.26 linux/amd64",
			`{"version":"v1.2.3","commit":"0a1b","date":"2026-01-02T03:04:05Z","go":"go1.26","system":"linux/amd64"}`},
		{Build{version: "(devel)", commit: "0a1b", modified: true, goVersion: "go1.26", system: "linux/amd64"},
			"absolink (devel) commit 0a1b modified go1.26 linux/amd64",
			`{"version":"(devel)","commit":"0a1b","modified":true,"go":"go1.26","system":"linux/amd64"}`},
		{Build{version: "(devel)", goVersion: "go1.26", system: "linux/amd64"},
			"absolink (devel) go1.26 linux/amd64", `{"version":"(devel)","go":"go1.26","system":"linux/amd64"}`},
	} {
		if got := tt.b.Text(); got != tt.text {
			t.Errorf("text of %+v: got %q, want %q", tt.b, got, tt.text)
		}
		if got := string(tt.b.JSON()); got != tt.json {
			t.Errorf("json of %+v: got %s, want %s", tt.b, got, tt.json)
		}
	}
}
