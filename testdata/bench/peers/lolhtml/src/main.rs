// MODE PASSES FILE...: reads the files, and reads or sets the links of each so many times.
use lol_html::{element, HtmlRewriter, Settings};

const SELECTOR: &str = "a[href],area[href],link[href],img[src],script[src],iframe[src],source[src],video[src],audio[src],form[action],base[href]";

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let write = args[1] == "write";
    let passes: usize = args[2].parse().expect("a number of passes");
    let pages: Vec<Vec<u8>> = args[3..].iter().map(|f| std::fs::read(f).expect(f)).collect();
    let mut size = 0;
    for _ in 0..passes {
        for page in &pages {
            size += work(page, write);
        }
    }
    std::hint::black_box(size);
}

fn work(page: &[u8], write: bool) -> usize {
    let mut size = 0;
    let handler = element!(SELECTOR, |e| {
        for name in ["href", "src", "action"] {
            if let Some(value) = e.get_attribute(name) {
                if write && !value.contains(':') && !value.starts_with('#') {
                    e.set_attribute(name, &format!("http://example.com/dir/{value}"))?;
                }
            }
        }
        Ok(())
    });
    let settings = Settings { element_content_handlers: vec![handler], ..Settings::new() };
    let mut rewriter = HtmlRewriter::new(settings, |out: &[u8]| size += out.len());
    let done = rewriter.write(page).is_ok();
    if done {
        let _ = rewriter.end();
    }
    size
}
