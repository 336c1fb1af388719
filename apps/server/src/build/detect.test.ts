import { describe, expect, it } from 'vitest';
import type { Checkout } from './build-plan.ts';
import { detect } from './detect.ts';
import { plainCommand } from './plain-command.ts';

describe('detection', () => {
  it.each<[what: string, checkout: Checkout, steps: string[], start: unknown]>([
    [
      'a start script without dependencies',
      node({ scripts: { start: 'node server.js' } }),
      [],
      { kind: 'command', argv: ['node', 'server.js'] },
    ],
    [
      'dependencies and a lock file',
      node({ scripts: { start: 'next start' }, dependencies: { next: '1' } }, 'package-lock.json'),
      ['npm ci'],
      { kind: 'command', argv: ['next', 'start'] },
    ],
    [
      'dependencies, a build and no lock file',
      node({ scripts: { start: 'a && b', build: 'tsc' }, devDependencies: { a: '1' } }),
      ['npm install', 'npm run build'],
      { kind: 'command', argv: ['npm', 'run', 'start'] },
    ],
    [
      'another lock file',
      node({ scripts: { start: 'a' }, dependencies: { a: '1' } }, 'yarn.lock'),
      ['npm install'],
      { kind: 'command', argv: ['a'] },
    ],
    [
      'hooks around the start',
      node({ scripts: { start: 'node a.js', prestart: 'x' } }),
      [],
      { kind: 'command', argv: ['npm', 'run', 'start'] },
    ],
    [
      'server.js and no start script',
      node({}, 'server.js'),
      [],
      { kind: 'command', argv: ['node', 'server.js'] },
    ],
    [
      'a site to build',
      node({ scripts: { build: 'vite build' }, devDependencies: { vite: '1' } }, 'index.html'),
      ['npm install', 'npm run build'],
      { kind: 'static', folders: ['dist', 'build', 'out', 'public'] },
    ],
    ['a page', files('index.html', 'style.css'), [], { kind: 'static', folders: ['.'] }],
    ['a page in public', files('public/index.html'), [], { kind: 'static', folders: ['public'] }],
    [
      'a page beside a package.json that starts nothing',
      node({ devDependencies: { prettier: '1' } }, 'index.html'),
      [],
      { kind: 'static', folders: ['.'] },
    ],
    [
      'a page beside a package.json that is torn',
      { files: ['package.json', 'index.html'], packageJson: '{' },
      [],
      { kind: 'static', folders: ['.'] },
    ],
  ])('plans %s', (_, checkout, steps, start) => {
    const detection = detect(checkout);
    expect(detection).toMatchObject({ kind: 'plan', plan: { start } });
    if (detection.kind !== 'plan') return;
    expect(detection.plan.steps.map(({ label }) => label)).toEqual(steps);
    expect(detection.plan.evidence[0]).toMatch(/^Found /);
  });

  it('says what it looked for when it finds nothing', () => {
    expect(detect(files('README.md'))).toEqual({
      kind: 'nothing',
      evidence: [
        'There is no package.json',
        'There is no index.html in ., public, dist',
        'Add a start script to package.json, or an index.html',
      ],
    });
  });
});

describe('a script', () => {
  it.each([
    ['node server.js', ['node', 'server.js']],
    ['  node  --max-old-space-size=512 a.js ', ['node', '--max-old-space-size=512', 'a.js']],
    ['PORT=1 node a.js', undefined],
    ['node a.js && node b.js', undefined],
    ['node "a b.js"', undefined],
    ['node $FILE', undefined],
    ['cd app', undefined],
    ['node *.js', undefined],
    ['', undefined],
  ])('"%s" is the plain command %o', (script, argv) => {
    expect(plainCommand(script)).toEqual(argv);
  });
});

function node(manifest: object, ...others: string[]): Checkout {
  return { files: ['package.json', ...others], packageJson: JSON.stringify(manifest) };
}

function files(...names: string[]): Checkout {
  return { files: names, packageJson: undefined };
}
