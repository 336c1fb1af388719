import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { run } from '../../processes/run.ts';
import { detect } from '../detect.ts';
import { LOOK_FOR_FONTS, withoutFonts } from './web-fonts.ts';

/** Nothing listens there. */
const UNREACHABLE = 'http://127.0.0.1:1/';
const FAMILY = 'https://fonts.googleapis.com/css2?family=Source+Sans+3:wght@400;700&display=swap';

it.each<[dependencies: Record<string, string>, isLookedFor: boolean]>([
  [{ next: '^14.2.5' }, true],
  [{ next: 'latest' }, true],
  [{ next: '12.0.0' }, false],
  [{ '@angular/core': '~20.1.0' }, true],
  [{ '@angular/core': '^10.0.0' }, false],
  [{ vite: '^7.0.0' }, false],
])('are looked for before a build with %j: %s', (dependencies, isLookedFor) => {
  const manifest = { scripts: { build: 'next build', start: 'next start' }, dependencies };
  const texts = { 'package.json': JSON.stringify(manifest) };
  const detection = detect({ files: ['package.json'], texts });
  const steps = detection.kind === 'plan' ? detection.plan.steps : [];
  expect(steps.some(({ label }) => label === LOOK_FOR_FONTS)).toBe(isLookedFor);
});

describe('the preparation of a build', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'longshore-fonts-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function prepare(framework: 'next' | 'angular', url: string, env = {}): Promise<void> {
    const argv = [process.execPath, ...withoutFonts(framework, url).slice(1)] as const;
    const options = { timeoutMs: 60_000, signal: new AbortController().signal };
    const end = await run({ argv, cwd: folder, env, identity: undefined }, options);
    expect(end).toMatchObject({ kind: 'exited', code: 0 });
  }

  it('gives Next.js styles for every font if there are none', async () => {
    await writeFile(join(folder, '.env.production.local'), 'OWN=1');
    await prepare('next', UNREACHABLE);
    const file = join(folder, '.longshore/fonts.cjs');
    expect(await readFile(join(folder, '.env.production.local'), 'utf8')).toBe(
      `OWN=1\nNEXT_FONT_GOOGLE_MOCKED_RESPONSES=${file}\n`,
    );
    const styles: Record<string, string> = createRequire(import.meta.url)(file);
    expect(styles[FAMILY]).toBe(
      "@font-face {\n  font-family: 'Source Sans 3';\n  src: local('Source Sans 3');\n}\n",
    );
  });

  it('changes nothing if they can be reached, or behind a proxy', async () => {
    const server = createServer((_, response) => response.writeHead(404).end());
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    await prepare('next', `http://127.0.0.1:${port}/`);
    await prepare('next', UNREACHABLE, { HTTPS_PROXY: 'http://proxy.example.com' });
    await expect(readFile(join(folder, '.env.production.local'))).rejects.toThrow('ENOENT');
  });

  it.each([
    [{ production: {} }, { production: { optimization: ofDefault() } }],
    [
      { production: { optimization: { scripts: false } } },
      { production: { optimization: { scripts: false, fonts: false } } },
    ],
    [{ production: { optimization: false } }, { production: { optimization: false } }],
  ])('lets Angular leave out fonts of %j', async (configurations, expected) => {
    const workspace = (it: object) => ({
      projects: { shop: { architect: { build: { configurations: it } } }, library: {} },
    });
    const file = join(folder, 'angular.json');
    await writeFile(file, JSON.stringify(workspace(configurations)));
    await prepare('angular', UNREACHABLE);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(workspace(expected));
  });

  function ofDefault() {
    return { scripts: true, styles: true, fonts: false };
  }
});
