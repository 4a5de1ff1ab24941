//go:build !amd64

package resolve

const hasVector = false

func plainVector(s string) bool { panic("resolve: no vectors") }
