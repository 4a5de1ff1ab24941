package resolve

// setFast prepares the fast path.
func (b *Base) setFast() {}

func (b *Base) appendWeb(dst []byte, ref string) ([]byte, error) {
	return b.appendSlow(dst, trimWeb(ref))
}
