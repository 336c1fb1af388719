import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type BuildSettings, FALLBACK_FONTS } from '@longshore/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../processes/run.ts';
import type { BuildPlan, Checkout } from '../build-plan.ts';
import { renderDockerfile } from '../dockerfile.ts';
import { planBuild } from '../plan-build.ts';
import { REPLACE_GOOGLE_FONTS } from './google-fonts-script.ts';

const NEXT = { next: '^16.0.0', react: '19' };
const ANGULAR = { '@angular/core': '~20.1.0' };
const ENV = { [FALLBACK_FONTS.name]: FALLBACK_FONTS.value };

describe('a build with Google Fonts', () => {
  it.each<[dependencies: Record<string, string>, isMarked: boolean]>([
    [NEXT, true],
    [{ next: 'latest' }, true],
    [ANGULAR, true],
    [{ vite: '^7.0.0' }, false],
  ])('is recognised by %j: %s', (dependencies, isMarked) => {
    const { steps } = planOf(dependencies, {});
    const marked = steps.filter(({ downloadsGoogleFonts }) => downloadsGoogleFonts);
    expect(marked.map(({ label }) => label)).toEqual(isMarked ? ['npm run build'] : []);
  });

  it.each<[string, Record<string, string>, Record<string, string>, BuildSettings]>([
    ['Next.js', NEXT, ENV, {}],
    ['Next.js with a typed build command', NEXT, ENV, { buildCommand: 'next build --webpack' }],
    ['Angular', ANGULAR, ENV, {}],
    ['another value', NEXT, { [FALLBACK_FONTS.name]: 'other' }, {}],
    ['other projects', { vite: '^7.0.0' }, ENV, {}],
  ])('is planned with fallback fonts: %s', (_, dependencies, env, build) => {
    const { evidence, steps } = planOf(dependencies, env, build);
    const shown = steps.map(({ label, argv }) => [label, ...argv.slice(3)].join(' '));
    expect({ evidence, shown }).toMatchSnapshot();
  });

  it('finds the fonts of all packages of a workspace', () => {
    const { steps } = planOf(NEXT, ENV, {}, { path: '../..', files: [], texts: {} });
    expect(steps.map(({ argv }) => argv.at(-1))).toContain('../..');
  });

  it('replaces them in a generated Dockerfile, before the build', () => {
    const options = { nodeImage: 'node:24', root: undefined, hasStartCommand: false };
    const text = renderDockerfile(planOf(NEXT, ENV), { ...options, variables: Object.keys(ENV) });
    const commands = text.split('\n').flatMap((line) => /^RUN (\[.*)$/.exec(line)?.[1] ?? []);
    expect(commands.slice(-2).map((command) => JSON.parse(command))).toEqual([
      ['node', '-e', REPLACE_GOOGLE_FONTS, 'next', '.'],
      ['npm', 'run', 'build'],
    ]);
  });

  function planOf(
    dependencies: Record<string, string>,
    env: Record<string, string>,
    build: BuildSettings = {},
    workspace?: Checkout['workspace'],
  ): BuildPlan {
    const scripts = { build: 'next build', start: 'next start' };
    const texts = { 'package.json': JSON.stringify({ scripts, dependencies }) };
    const checkout = { files: ['package.json'], texts, ...(workspace && { workspace }) };
    const planned = planBuild(checkout, { build, env });
    if (planned.kind === 'nothing') throw new Error('No plan');
    return planned.plan;
  }
});

describe('the replacement', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'longshore-fonts-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('gives Next.js a style for every font', async () => {
    await write({ '.env.production.local': 'OWN=1' });
    expect(await replace('next')).toContain('Replaced Google Fonts with fallback fonts');
    const file = join(folder, '.longshore/google-fonts.cjs');
    expect(await read('.env.production.local')).toBe(
      `OWN=1\nNEXT_FONT_GOOGLE_MOCKED_RESPONSES=${file}\n`,
    );
    const styles = createRequire(import.meta.url)(file);
    expect(styles[urlOf('Source+Sans+3:wght@400')]).toBe(styleOf('Source Sans 3'));
    expect(styles[urlOf("X');}body{')")]).toBe(styleOf('Xbody'));
    expect(styles.__esModule).toBeUndefined();
  });

  it('lists the fonts of the sources for Turbopack, as Next.js asks for them', async () => {
    await write({
      ...NEXT_MODULES,
      'package.json': '{}',
      'app/layout.tsx': "import { Geist } from 'next/font/google'; Geist({ weight: '400' })",
      'lib/fonts.js':
        "import { Roboto_Mono } from 'next/font/google'; Roboto_Mono({ weight: '700' })",
      'app/page.tsx': 'Inter({})',
      'node_modules/ui/fonts.js': "import { Lato } from 'next/font/google'; Lato({ weight: '1' })",
    });
    expect(await replace('next')).toEqual([
      'Replaced Google Fonts with fallback fonts: Geist, Roboto Mono',
    ]);
    const styles = createRequire(import.meta.url)(join(folder, '.longshore/google-fonts.cjs'));
    expect(JSON.parse(JSON.stringify(styles))).toEqual({
      [urlOf('Geist:wght@400')]: styleOf('Geist'),
      [urlOf('Roboto+Mono:wght@700')]: styleOf('Roboto Mono'),
    });
  });

  it('removes the links to fonts from pages of Angular', async () => {
    const own = '<link rel="icon" href="favicon.ico">';
    await write({
      'src/index.html': `<head>${[
        '<link rel="preconnect" href="https://fonts.gstatic.com" crossorigin>',
        '<link\n  href="https://fonts.googleapis.com/css2?family=Roboto"\n  rel="stylesheet" />',
        "<link rel=stylesheet href='//fonts.googleapis.com/icon?family=Material+Icons'>",
      ].join('')}${own}</head>`,
      'node_modules/a/index.html': '<link href="https://fonts.googleapis.com/css2">',
    });
    expect(await replace('angular')).toEqual([
      'Removed the links to Google Fonts from src/index.html',
    ]);
    expect(await read('src/index.html')).toBe(`<head>${own}</head>`);
    expect(await read('node_modules/a/index.html')).toContain('fonts.googleapis.com');
  });

  async function replace(framework: 'next' | 'angular'): Promise<string[]> {
    const lines: string[] = [];
    const argv = [process.execPath, '-e', REPLACE_GOOGLE_FONTS, framework, '.'] as const;
    const options = {
      timeoutMs: 60_000,
      signal: new AbortController().signal,
      onLine: (line: string) => lines.push(line),
    };
    const end = await run({ argv, cwd: folder, env: {}, identity: undefined }, options);
    expect(end).toMatchObject({ kind: 'exited', code: 0 });
    return lines;
  }

  async function write(files: Record<string, string>): Promise<void> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
  }

  function read(name: string): Promise<string> {
    return readFile(join(folder, name), 'utf8');
  }
});

function urlOf(family: string): string {
  return `https://fonts.googleapis.com/css2?family=${family}&display=swap`;
}

function styleOf(family: string): string {
  return `@font-face {\n  font-family: '${family}';\n  src: local('${family}');\n}\n`;
}

const FONTS = 'node_modules/next/dist/compiled/@next/font/dist/google';

/** The parts of Next.js that know the addresses of fonts, for calls with a weight. */
const NEXT_MODULES = {
  'node_modules/next/dist/build/swc.js': `
    exports.loadBindings = async () => {};
    exports.transform = async (text) => {
      const [, name, given] = /(\\w+)\\((\\{.*\\})\\)/.exec(text);
      const call = { path: 'app', import: name, arguments: [eval('(' + given + ')')] };
      return { code: "import font from 'next/font/google/target.css?" + JSON.stringify(call) + "';" };
    };`,
  [`${FONTS}/validate-google-font-function-call.js`]: `
    exports.validateGoogleFontFunctionCall = (name, { weight }) => (
      { fontFamily: name.replace('_', ' '), weights: [weight], styles: [], display: 'swap' });`,
  [`${FONTS}/get-font-axes.js`]: 'exports.getFontAxes = (_, [wght]) => ({ wght });',
  [`${FONTS}/get-google-fonts-url.js`]: `
    exports.getGoogleFontsUrl = (family, { wght }, display) =>
      'https://fonts.googleapis.com/css2?family=' + family.replace(' ', '+') + ':wght@' + wght + '&display=' + display;`,
};
