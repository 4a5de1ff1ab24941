//go:build !amd64

package css

const hasVector = false

func startVector(data []byte, i int) int { panic("css: no vectors") }
