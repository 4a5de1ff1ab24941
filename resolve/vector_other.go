//go:build !amd64

package resolve

const hasVector = false

func plainVector(s string) (plain, escapes bool) { panic("resolve: no vectors") }

func domainVector(s string, i int) int { panic("resolve: no vectors") }
