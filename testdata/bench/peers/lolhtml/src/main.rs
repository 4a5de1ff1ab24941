// MODE PASSES FILE...: reads the files, and reads or sets the links of each file PASSES times.
use lol_html::html_content::Element;
use lol_html::{ElementContentHandlers, HandlerResult, HtmlRewriter, Selector, Settings};
use std::borrow::Cow;
use std::cell::Cell;

// The attributes, each with the elements in which it is a link.
const LINKS: [(&str, &str); 3] = [
    ("href", "a[href],area[href],link[href],base[href]"),
    ("src", "img[src],script[src],iframe[src],source[src],video[src],audio[src]"),
    ("action", "form[action]"),
];

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let write = args[1] == "write";
    let passes: usize = args[2].parse().expect("a number of passes");
    let pages: Vec<Vec<u8>> = args[3..].iter().map(|f| std::fs::read(f).expect(f)).collect();
    let links = LINKS.map(|(name, elements)| (name, elements.parse().expect(elements)));
    let mut size = 0;
    for _ in 0..passes {
        for page in &pages {
            size += work(page, &links, write);
        }
    }
    std::hint::black_box(size);
}

// work returns the number of bytes that were read and written.
fn work(page: &[u8], links: &[(&str, Selector)], write: bool) -> usize {
    let (read, mut written) = (Cell::new(0), 0);
    let mut settings = Settings::new();
    for (name, selector) in links {
        let handlers = ElementContentHandlers::default().element(|e: &mut Element| -> HandlerResult {
            if let Some(value) = e.get_attribute(name) {
                read.set(read.get() + value.len());
                if write && !value.contains(':') && !value.starts_with('#') {
                    e.set_attribute(name, &format!("http://example.com/dir/{value}"))?;
                }
            }
            Ok(())
        });
        settings = settings.append_element_content_handler((Cow::Borrowed(selector), handlers));
    }
    let mut rewriter = HtmlRewriter::new(settings, |out: &[u8]| written += out.len());
    if rewriter.write(page).is_ok() {
        let _ = rewriter.end();
    }
    read.get() + written
}
