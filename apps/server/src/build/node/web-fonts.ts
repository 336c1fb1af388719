import type { Argv, BuildStep } from '../build-plan.ts';
import type { PackageJson } from './package-json.ts';

const FONTS = 'https://fonts.googleapis.com/';
export const LOOK_FOR_FONTS = 'Look for Google Fonts';
const OLDEST = { next: 13, '@angular/core': 11 };

/** Lets builds that download fonts of Google succeed where these cannot be reached: visitors get similar fonts (decision 127). */
export function webFontSteps({ dependencies }: PackageJson): BuildStep[] {
  const names = ['next', '@angular/core'] as const;
  const found = names.find((name) => majorOf(dependencies[name]) >= OLDEST[name]);
  if (found === undefined) return [];
  const argv = withoutFonts(found === 'next' ? 'next' : 'angular', FONTS);
  return [{ kind: 'build', label: LOOK_FOR_FONTS, argv, orElse: [['true']] }];
}

/** A range without a number, such as `latest`, is a new version. */
function majorOf(range: string | undefined): number {
  if (range === undefined) return 0;
  const [, major] = /^\D*(\d+)/.exec(range) ?? [];
  return major === undefined ? Number.POSITIVE_INFINITY : Number(major);
}

/** Prepares the build if nothing answers at the URL. Behind a proxy that is not known, so nothing changes. */
export function withoutFonts(framework: 'next' | 'angular', url: string): Argv {
  return ['node', '-e', PREPARE, framework, url];
}

/**
 * Next.js takes styles from a module of its own tests, in which every font is one that visitors may have installed. Angular
 * leaves the links to the fonts in the page. Also for old versions of Node.
 */
const PREPARE = `
const fs = require('fs');
const path = require('path');
const [framework, url] = process.argv.slice(1);
const styles = path.resolve('.longshore/fonts.cjs');
const module_ = [
  'const styleOf = (url) => {',
  "  const [, family = 'sans-serif'] = /[?&]family=([^:&]+)/.exec(decodeURIComponent(url)) || [];",
  "  const name = family.replace(/\\\\+/g, ' ').replace(/[^\\\\w -]/g, '');",
  "  return '@font-face {\\\\n  font-family: \\\\'' + name + '\\\\';\\\\n  src: local(\\\\'' + name + '\\\\');\\\\n}\\\\n';",
  '};',
  'module.exports = new Proxy({}, { get: (_, url) => typeof url === "string" && url.startsWith("http") ? styleOf(url) : undefined });',
].join('\\n');
const prepare = {
  next() {
    fs.mkdirSync('.longshore', { recursive: true });
    fs.writeFileSync(styles, module_ + '\\n');
    fs.appendFileSync('.env.production.local', '\\nNEXT_FONT_GOOGLE_MOCKED_RESPONSES=' + styles + '\\n');
  },
  angular() {
    const workspace = JSON.parse(fs.readFileSync('angular.json', 'utf8'));
    for (const project of Object.values(workspace.projects || {})) {
      const { build } = project.architect || project.targets || {};
      if (!build) continue;
      const { production } = build.configurations || {};
      const options = production || (build.options = build.options || {});
      const { optimization = true } = options;
      if (optimization === false) continue;
      const others = optimization === true ? { scripts: true, styles: true } : optimization;
      options.optimization = Object.assign({}, others, { fonts: false });
    }
    fs.writeFileSync('angular.json', JSON.stringify(workspace, null, 2) + '\\n');
  },
};
const isBehindProxy = Object.keys(process.env).some((name) => /^https?_proxy$/i.test(name));
let isDone = false;
const end = (isMissing) => {
  if (isDone) return;
  isDone = true;
  if (isMissing) {
    prepare[framework]();
    console.log('Google Fonts cannot be reached: building without them');
  }
  process.exit(0);
};
if (isBehindProxy) end(false);
const request = require(url.startsWith('https') ? 'https' : 'http').get(url, () => end(false));
request.on('error', () => end(true));
request.setTimeout(5000, () => end(true));
`;
