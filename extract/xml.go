package extract

func (f *finder) xhtml()   { f.find(Unknown) }
func (f *finder) xml()     { f.find(Unknown) }
func (f *finder) svg()     { f.find(Unknown) }
func (f *finder) feed()    { f.find(Unknown) }
func (f *finder) sitemap() { f.find(Unknown) }
func (f *finder) opml()    { f.find(Unknown) }

func (d *Doc) xmlCharset() *charset { return d.prescan() }
