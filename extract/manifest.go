package extract

func (f *finder) manifest() { f.find(Unknown) }
