/**
 * Replaces Google Fonts in a checkout before its build. Arguments: the framework, and the folder of all its packages. For
 * every Node that a project may use.
 *
 * Next.js reads the styles of fonts from the module that a variable names, as in its own tests. In ours, a font is one that
 * visitors may have installed, and Next.js adds a similar one. Turbopack turns the module into JSON, so it lists the
 * addresses that will be read: those that Next.js itself makes of the sources.
 *
 * Angular downloads what its pages link to, so they lose these links.
 */
export const REPLACE_GOOGLE_FONTS = String.raw`
const fs = require('fs');
const path = require('path');
const { createRequire } = require('module');

const [framework, top] = process.argv.slice(1);
const HOST = /^https:\/\/fonts\.googleapis\.com\//;
const LINK = /<link\b[^>]*\bhref\s*=\s*["']?(?:https?:)?\/\/fonts\.(?:googleapis|gstatic)\.com\b[^>]*>/gi;

function filesIn(folder, ending) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return /^\.|^node_modules$/.test(entry.name) ? [] : filesIn(file, ending);
    return entry.isFile() && ending.test(entry.name) ? [file] : [];
  });
}

function removeLinks() {
  for (const file of filesIn(top, /\.html$/)) {
    const text = fs.readFileSync(file, 'utf8');
    const without = text.replace(LINK, '');
    if (without === text) continue;
    fs.writeFileSync(file, without);
    console.log('Removed the links to Google Fonts from ' + path.relative(top, file));
  }
}

function familyOf(url) {
  const [, family = ''] = /[?&]family=([^:&]+)/.exec(decodeURIComponent(url)) || [];
  return family.replace(/\+/g, ' ').replace(/[^\w -]/g, '');
}

function styleOf(url) {
  const name = "'" + familyOf(url) + "'";
  return '@font-face {\n  font-family: ' + name + ';\n  src: local(' + name + ');\n}\n';
}

async function sourceUrls() {
  const ofNext = createRequire(path.resolve('package.json'));
  const ofFonts = (name) => ofNext('next/dist/compiled/@next/font/dist/google/' + name);
  const { validateGoogleFontFunctionCall } = ofFonts('validate-google-font-function-call');
  const { getFontAxes } = ofFonts('get-font-axes');
  const { getGoogleFontsUrl } = ofFonts('get-google-fonts-url');
  const compiler = ofNext('next/dist/build/swc');
  await compiler.loadBindings();
  const urls = [];
  for (const file of filesIn(top, /\.[cm]?[jt]sx?$/)) {
    const text = fs.readFileSync(file, 'utf8');
    if (!text.includes('next/font/google')) continue;
    const syntax = /\.[cm]?tsx?$/.test(file) ? 'typescript' : 'ecmascript';
    const parser = { syntax, tsx: !/\.[cm]?ts$/.test(file), jsx: true };
    const fontLoaders = { fontLoaders: ['next/font/google'], relativeFilePathFromRoot: file };
    const options = { filename: file, isModule: true, jsc: { parser, target: 'esnext' }, fontLoaders };
    const { code } = await compiler.transform(text, options);
    for (const [, call] of code.matchAll(/next\/font\/google\/target\.css\?(\{.*\})["'];?$/gm)) {
      const { import: name, arguments: given } = JSON.parse(call);
      const font = validateGoogleFontFunctionCall(name, given[0]);
      const { fontFamily, weights, styles, selectedVariableAxes, display } = font;
      const axes = getFontAxes(fontFamily, weights, styles, selectedVariableAxes);
      urls.push(getGoogleFontsUrl(fontFamily, axes, display));
    }
  }
  return urls;
}

async function mockFonts() {
  const urls = await sourceUrls().catch((error) => {
    console.log('The fonts of the sources are not known: ' + error.message);
    return [];
  });
  const file = path.resolve('.longshore/google-fonts.cjs');
  const listed = Object.fromEntries(urls.map((url) => [url, styleOf(url)]));
  const get = '(listed, url) => HOST.test(url) ? styleOf(url) : listed[url]';
  const lines = [
    'const HOST = ' + HOST + ';',
    familyOf,
    styleOf,
    'module.exports = new Proxy(' + JSON.stringify(listed) + ', { get: ' + get + ' });',
  ];
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, lines.join('\n') + '\n');
  fs.appendFileSync('.env.production.local', '\nNEXT_FONT_GOOGLE_MOCKED_RESPONSES=' + file + '\n');
  const families = [...new Set(urls.map(familyOf))].join(', ');
  console.log('Replaced Google Fonts with fallback fonts' + (families && ': ' + families));
}

if (framework === 'next') mockFonts();
else removeLinks();
`;
