package files

// Checked appends the check to name.
func Checked(name string) string { return name + shortHash(name) }
