import { expect, it } from 'vitest';
import type { BuildPlan } from '../build-plan.ts';
import { detect } from '../detect.ts';

const MAIN = 'package main\n';

it.each<[what: string, texts: Record<string, string>, built: string]>([
  ['cmd itself', { 'cmd/main.go': MAIN }, './cmd to bin/shop'],
  ['a folder', { 'app/main.go': MAIN, 'shop.go': 'package shop' }, './app to bin/app'],
  [
    'the program that is named like the module',
    { 'cmd/shop/main.go': MAIN, 'cmd/shopctl/main.go': MAIN },
    './cmd/shop to bin/shop',
  ],
  [
    'the server of several programs',
    { 'cmd/shop/main.go': MAIN, 'cmd/server/main.go': MAIN, 'cmd/seed/main.go': MAIN },
    './cmd/server to bin/server',
  ],
  [
    'the daemon of several programs',
    { 'cmd/shop/main.go': MAIN, 'cmd/shopd/main.go': MAIN },
    './cmd/shopd to bin/shopd',
  ],
  [
    'the program in cmd rather than in another folder',
    { 'cmd/worker/main.go': MAIN, 'web/main.go': MAIN },
    './cmd/worker to bin/worker',
  ],
  [
    'the only program that listens',
    {
      'seed/main.go': MAIN,
      'front/start.go': `${MAIN}func main() { http.ListenAndServe(":80", nil) }`,
    },
    './front to bin/front',
  ],
  [
    'the only program in a main.go, if none is seen to listen',
    { 'front/main.go': MAIN, 'seed/seed.go': MAIN },
    './front to bin/front',
  ],
  [
    'no tools, examples or parts of other modules',
    {
      'tools.go': '//go:build tools\n\npackage main',
      'examples/main.go': MAIN,
      'plugin/main.go': MAIN,
      'plugin/go.mod': '',
      'cmd/run/start.go': MAIN,
    },
    './cmd/run to bin/run',
  ],
])('builds %s', (_, texts, built) => {
  expect(planOf(texts).evidence[0]).toBe(`Found go.mod: building ${built}`);
});

it.each(['./bin/b -v', 'bin/b', 'b', './bin/migrate && ./bin/b'])(
  'builds the program of several that the start command %j names',
  (command) => {
    const texts = { 'cmd/a/main.go': MAIN, 'cmd/b/main.go': MAIN };
    expect(planOf(texts, command).evidence[0]).toBe('Found go.mod: building ./cmd/b to bin/b');
  },
);

it('names a few of many programs', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  const checkout = withModule(Object.fromEntries(names.map((name) => [`${name}/main.go`, MAIN])));
  expect(detect(checkout)).toMatchObject({
    evidence: expect.arrayContaining([
      'go.mod has several programs: enter the start command of one of them, ./bin/a or ./bin/b or ./bin/c or ./bin/d or ./bin/e or one of 2 others',
    ]),
  });
});

it('asks for one of several programs that listen', () => {
  const server = `${MAIN}func main() { http.ListenAndServe(":80", nil) }`;
  const checkout = withModule({ 'a/a.go': server, 'b/b.go': server, 'c/main.go': MAIN });
  expect(detect(checkout)).toMatchObject({
    evidence: expect.arrayContaining([
      'go.mod has several programs: enter the start command of one of them, ./bin/a or ./bin/b or ./bin/c',
    ]),
  });
});

it.each([
  ['require github.com/mattn/go-sqlite3 v1.14.22\n', '1'],
  ['require (\n\tgithub.com/mattn/go-sqlite3 v1.14.22 // indirect\n)\n', '1'],
  ['require github.com/gin-gonic/gin v1.10.0\n', '0'],
])('compiles C code for %j: %s', (requirement, isEnabled) => {
  const texts = { 'main.go': MAIN, 'go.mod': `module shop\n\ngo 1.25.1\n\n${requirement}` };
  const { env, versions } = planOf(texts);
  expect({ env, versions }).toEqual({
    env: { CGO_ENABLED: isEnabled, GOTOOLCHAIN: 'auto' },
    versions: { go: '1.25.1' },
  });
});

function planOf(texts: Record<string, string>, command?: string): BuildPlan {
  const settings = command === undefined ? {} : { run: { command } };
  const detection = detect(withModule(texts), settings);
  if (detection.kind === 'plan') return detection.plan;
  throw new Error(detection.evidence.join('\n'));
}

function withModule(texts: Record<string, string>) {
  const all = { 'go.mod': 'module example.com/shop/v2\n', ...texts };
  return { files: Object.keys(all), texts: all };
}
