import { describe, expect, it } from 'vitest';
import { candidateFolders, proposedRoots } from './proposed-roots.ts';

type Files = Record<string, string>;

const NEXT = JSON.stringify({ dependencies: { next: '15', react: '19' } });
const EXPRESS = JSON.stringify({
  scripts: { start: 'node server.js' },
  dependencies: { express: '4' },
});
const VITE = JSON.stringify({
  scripts: { build: 'vite build' },
  devDependencies: { vite: '6' },
});
const LIBRARY = JSON.stringify({ main: 'dist/index.js', scripts: { build: 'tsc' } });
const FLASK = { 'requirements.txt': 'flask', 'app.py': 'app = Flask(__name__)' };

describe('the folders that are proposed as root directory', () => {
  it.each<[string, Files, string[]]>([
    ['one app of a workspace', { 'apps/web/package.json': NEXT }, ['apps/web: Next.js']],
    [
      'several apps, before a documentation',
      {
        ...inFolder('docs', { 'package.json': NEXT }),
        ...inFolder('apps/docs', { 'package.json': NEXT }),
        ...inFolder('apps/admin', { 'package.json': NEXT }),
        ...inFolder('apps/web', { 'package.json': NEXT }),
        ...inFolder('apps/api', { 'package.json': EXPRESS, 'server.js': '' }),
      },
      [
        'apps/web: Next.js',
        'apps/api: Node.js (package.json with a start script)',
        'apps/admin: Next.js',
        'apps/docs: Next.js',
        'docs: Next.js',
      ],
    ],
    [
      'nothing of a Python package, whose packages are listed above it',
      { 'pyproject.toml': '', 'shop/__init__.py': '', 'shop/app.py': 'app = Flask(__name__)' },
      [],
    ],
    [
      'a Python package with a list of its own',
      { 'setup.py': '', 'shop/__init__.py': '', ...inFolder('shop', FLASK) },
      ['shop: Python (app.py)'],
    ],
    [
      'an app, without the libraries beside it',
      {
        ...inFolder('packages/ui', { 'package.json': LIBRARY, 'index.ts': '' }),
        ...inFolder('packages/charts', { 'package.json': VITE, 'vite.config.ts': '' }),
        ...inFolder('packages/site', { 'package.json': VITE, 'index.html': '' }),
      },
      ['packages/site: Vite'],
    ],
    [
      'a frontend and a backend',
      {
        ...inFolder('backend', FLASK),
        ...inFolder('frontend', { 'package.json': VITE, 'index.html': '' }),
      },
      ['frontend: Vite', 'backend: Python (app.py)'],
    ],
    [
      'a server in Go beside a client',
      {
        ...inFolder('server', { 'go.mod': 'module shop', 'main.go': 'package main' }),
        ...inFolder('client', { 'package.json': VITE, 'index.html': '' }),
      },
      ['client: Vite', 'server: Go (go.mod)'],
    ],
    [
      'no examples, tests, templates and tools',
      {
        ...inFolder('examples/next', { 'package.json': NEXT }),
        ...inFolder('code-examples', { 'package.json': NEXT }),
        ...inFolder('test/fixtures/app', { 'package.json': NEXT }),
        ...inFolder('templates/basic', { 'package.json': NEXT }),
        ...inFolder('e2e', { 'package.json': EXPRESS, 'server.js': '' }),
        ...inFolder('.github/site', { 'index.html': '' }),
      },
      [],
    ],
    ['a documentation alone', inFolder('docs', { 'package.json': NEXT }), ['docs: Next.js']],
    ['a page without a build', inFolder('src', { 'index.html': '' }), ['src: index.html']],
    [
      'no page beside an app, and none inside of it',
      {
        ...inFolder('landing', { 'index.html': '' }),
        ...inFolder('web', { 'package.json': VITE, 'index.html': '', 'old/index.html': '' }),
      },
      ['web: Vite'],
    ],
    [
      'an app in a folder of a group',
      inFolder('services/billing/web', { 'package.json': NEXT }),
      ['services/billing/web: Next.js'],
    ],
    [
      'no folder with a package.json that cannot be read',
      inFolder('web', { 'package.json': '{' }),
      [],
    ],
    ['nothing without apps', { 'README.md': '', 'src/lib/a.ts': '' }, []],
  ])('are %s', (_, files, expected) => {
    expect(roots(files)).toEqual(expected);
  });

  it('include folders with a Dockerfile where Dockerfiles are used', () => {
    const files = inFolder('service', { Dockerfile: 'FROM scratch', 'main.rb': '' });
    expect(roots(files)).toEqual([]);
    expect(roots(files, true)).toEqual(['service: Dockerfile']);
  });

  it('begin with the folder that the file of another platform names', () => {
    const checkout = (texts: Files) => ({ files: Object.keys(texts), texts });
    const candidates = [
      { folder: 'web', checkout: checkout({ 'package.json': NEXT }) },
      { folder: 'pages', checkout: checkout({ 'index.html': '' }), namedIn: 'render.yaml' },
    ];
    expect(proposedRoots(candidates, { usesDockerfiles: false })).toEqual([
      { kind: 'root-directory', folder: 'pages', evidence: 'index.html, named in render.yaml' },
      { kind: 'root-directory', folder: 'web', evidence: 'Next.js' },
    ]);
  });

  it('are limited, and so are the folders that are looked at', () => {
    const numbers = Array.from({ length: 3_000 }, (_, number) => number);
    const files = Object.fromEntries(numbers.map((n) => [`apps/a${n}/package.json`, NEXT]));
    expect(candidateFolders(Object.keys(files))).toHaveLength(16);
    expect(roots(files)).toHaveLength(8);
  });
});

function inFolder(folder: string, files: Files): Files {
  return Object.fromEntries(
    Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]),
  );
}

function roots(files: Files, usesDockerfiles = false): string[] {
  const candidates = candidateFolders(Object.keys(files)).map((folder) => {
    const inside = Object.entries(files).filter(([name]) => name.startsWith(`${folder}/`));
    const texts = Object.fromEntries(
      inside.map(([name, text]) => [name.slice(folder.length + 1), text]),
    );
    return { folder, checkout: { files: Object.keys(texts), texts } };
  });
  return proposedRoots(candidates, { usesDockerfiles }).map(
    ({ folder, evidence }) => `${folder}: ${evidence}`,
  );
}
