package markup

// setWide says whether vectors of 64 bytes are used.
func setWide(wide bool) { hasWide = wide }
