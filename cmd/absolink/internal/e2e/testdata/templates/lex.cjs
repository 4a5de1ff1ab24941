// Prints for each file named on standard input a line of JSON: its pieces of Twig or, with the
// argument liquid, of Liquid in base64, as the lexers of twig.js and liquidjs cut them out of the
// text around them; null if they cannot read it. Twig's text between verbatim tags is a piece.
const fs = require('fs');
const {createRequire} = require('module');
const load = createRequire(process.argv[2] + '/');

function twig(source) {
  let tokens;
  load('twig').extend((Twig) => {
    tokens = Twig.tokenize.call({options: {}}, source);
  });
  return tokens
    .filter((t) => t.type !== 'raw' || /^{%-?\s*(verbatim|raw)/.test(source.slice(t.position.start)))
    .map((t) => source.slice(t.position.start, t.position.end));
}

function liquid(source) {
  const {Tokenizer, TokenKind} = load('liquidjs');
  return new Tokenizer(source).readTopLevelTokens().filter((t) => t.kind !== TokenKind.HTML).map((t) => t.getText());
}

const lexer = process.argv[3] === 'liquid' ? liquid : twig;
for (const name of fs.readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  try {
    const pieces = lexer(fs.readFileSync(name, 'utf8'));
    console.log(JSON.stringify(pieces.map((p) => Buffer.from(p).toString('base64'))));
  } catch {
    console.log('null');
  }
}
