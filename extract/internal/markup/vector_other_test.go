//go:build !amd64

package markup

func setWide(bool) {}
