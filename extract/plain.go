package extract

func (f *finder) plainText() { f.find(Unknown) }
