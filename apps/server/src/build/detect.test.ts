import { describe, expect, it } from 'vitest';
import type { BuildPlan, Checkout } from './build-plan.ts';
import { HOST, PORT } from './command-line.ts';
import { detect } from './detect.ts';

const APP = { scripts: { start: 'a' }, dependencies: { a: '1' } };
const VENV = 'python3 -m venv .venv';
const PIP_GUNICORN = 'python3 -m pip install gunicorn==23.0.0';
const TOOLS = 'python3 -m venv .longshore/tools';
const DJANGO = "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'shop.settings')";

type Case = [
  what: string,
  checkout: Checkout,
  steps: string[],
  start: string[] | { folders: string[] },
];

describe('detection', () => {
  it.each<Case>([
    [
      'a start script without dependencies',
      node({ scripts: { start: 'node server.js' } }),
      [],
      ['node', 'server.js'],
    ],
    [
      'dependencies and a lock file',
      node(
        { scripts: { start: 'next start' }, dependencies: { next: '1' } },
        { 'package-lock.json': '' },
      ),
      ['npm ci', 'next build'],
      ['next', 'start'],
    ],
    [
      'dependencies, a build and no lock file',
      node({ scripts: { start: 'a && b', build: 'tsc' }, devDependencies: { a: '1' } }),
      ['npm install', 'npm run build'],
      ['npm', 'run', 'start'],
    ],
    [
      'a pnpm lock file',
      node(APP, { 'pnpm-lock.yaml': "lockfileVersion: '6.0'\n" }),
      ['npm install pnpm@8.15.9', 'pnpm install --frozen-lockfile'],
      ['a'],
    ],
    [
      'a pnpm lock file of an unknown newer version',
      node(APP, { 'pnpm-lock.yaml': 'lockfileVersion: 99.0\n' }),
      ['npm install pnpm@10.34.9', 'pnpm install --frozen-lockfile'],
      ['a'],
    ],
    [
      'a pnpm workspace',
      node(
        { scripts: { start: 'a', build: 'b' } },
        { 'pnpm-lock.yaml': '', 'pnpm-workspace.yaml': '' },
      ),
      ['npm install pnpm@10.34.9', 'pnpm install --frozen-lockfile', 'pnpm run build'],
      ['a'],
    ],
    [
      'a yarn 1 lock file',
      node(APP, { 'yarn.lock': '# yarn lockfile v1\n' }),
      ['npm install yarn@1.22.22', 'yarn install --frozen-lockfile'],
      ['a'],
    ],
    [
      'a yarn Berry lock file, where yarn starts the program',
      node(APP, { 'yarn.lock': '# generated\n__metadata:\n  version: 8\n' }),
      ['npm install @yarnpkg/cli-dist@4.9.4', 'yarn install --immutable'],
      ['yarn', 'run', 'start'],
    ],
    [
      'yarn Berry with the node-modules linker',
      node(APP, { 'yarn.lock': '__metadata:\n', '.yarnrc.yml': 'nodeLinker: node-modules\n' }),
      ['npm install @yarnpkg/cli-dist@4.9.4', 'yarn install --immutable'],
      ['a'],
    ],
    [
      'the yarn that a project names as its own, whether or not it contains it',
      node(
        { ...APP, packageManager: 'yarn@4.9.4' },
        {
          'yarn.lock': '__metadata:\n',
          '.yarnrc.yml': 'nodeLinker: pnp\n\nyarnPath: .yarn/releases/yarn-3.6.2.cjs\n',
        },
      ),
      ['npm install @yarnpkg/cli-dist@3.6.2', 'yarn install --immutable'],
      ['yarn', 'run', 'start'],
    ],
    [
      'a packageManager field, which overrides the lock file',
      node({ ...APP, packageManager: 'yarn@3.8.7+sha224.0ab1' }, { 'package-lock.json': '' }),
      ['npm install @yarnpkg/cli-dist@3.8.7', 'yarn install'],
      ['yarn', 'run', 'start'],
    ],
    [
      'a packageManager field with npm',
      node({ ...APP, packageManager: 'npm@10.9.0' }, { 'package-lock.json': '' }),
      ['npm install npm@10.9.0', 'npm ci'],
      ['a'],
    ],
    [
      'an invalid packageManager field',
      node({ ...APP, packageManager: 'pnpm@latest --evil' }),
      ['npm install'],
      ['a'],
    ],
    [
      'a bun lock file',
      node(APP, { 'bun.lock': '' }),
      ['npm install bun@1.4.4', 'bun install --frozen-lockfile'],
      ['a'],
    ],
    [
      'a bun lock file beside one of npm',
      node(APP, { 'bun.lockb': '', 'package-lock.json': '' }),
      ['npm ci'],
      ['a'],
    ],
    [
      'a start script with a prestart hook',
      node({ scripts: { start: 'node a.js', prestart: 'x' } }),
      [],
      ['npm', 'run', 'start'],
    ],
    ['server.js and no start script', node({}, { 'server.js': '' }), [], ['node', 'server.js']],
    [
      'a start script and a Procfile',
      node(APP, { Procfile: 'release: x\nweb: node --enable-source-maps web.js\n' }),
      ['npm install'],
      ['node', '--enable-source-maps', 'web.js'],
    ],
    [
      'a static site with a build script',
      node(
        { scripts: { build: 'vite build' }, devDependencies: { vite: '1' } },
        { 'index.html': '' },
      ),
      ['npm install', 'npm run build'],
      { folders: ['dist', 'build', 'out', 'public'] },
    ],
    [
      'a Procfile that starts what npm builds',
      node({ scripts: { build: 'x' } }, { Procfile: 'web: node out.js' }),
      ['npm run build'],
      ['node', 'out.js'],
    ],
    ['an index.html', files({ 'index.html': '', 'style.css': '' }), [], { folders: ['.'] }],
    ['an index.html in public', files({ 'public/index.html': '' }), [], { folders: ['public'] }],
    [
      'an index.html beside a package.json without scripts',
      node({ devDependencies: { prettier: '1' } }, { 'index.html': '' }),
      [],
      { folders: ['.'] },
    ],
    [
      'an index.html beside an invalid package.json',
      files({ 'package.json': '{', 'index.html': '' }),
      [],
      { folders: ['.'] },
    ],
    [
      'a Python program without packages',
      files({ 'main.py': 'print(1)' }),
      [],
      ['python3', 'main.py'],
    ],
    [
      'a requirements.txt',
      files({ 'requirements.txt': 'requests', 'app.py': 'print(1)' }),
      [VENV, 'python3 -m pip install --requirement requirements.txt'],
      ['python3', 'app.py'],
    ],
    [
      'a Flask app with gunicorn',
      files({
        'requirements.txt': 'Flask\ngunicorn>=20',
        'app.py': 'site = flask.Flask(__name__)',
      }),
      [VENV, 'python3 -m pip install --requirement requirements.txt'],
      ['gunicorn', '--bind', `${HOST}:${PORT}`, 'app:site'],
    ],
    [
      'a Flask app without gunicorn',
      files({ 'requirements.txt': 'flask==3', 'main.py': 'app: Flask = Flask(__name__)' }),
      [VENV, 'python3 -m pip install --requirement requirements.txt', PIP_GUNICORN],
      ['gunicorn', '--bind', `${HOST}:${PORT}`, 'main:app'],
    ],
    [
      'a FastAPI app with a pyproject.toml',
      files({
        'pyproject.toml': '[build-system]\n[project]\ndependencies = ["fastapi[standard]>=0.1"]',
        'main.py': 'app = FastAPI()',
      }),
      [VENV, 'python3 -m pip install .'],
      ['python3', '-m', 'uvicorn', 'main:app', '--host', HOST, '--port', PORT],
    ],
    [
      'a FastAPI app with a uv lock file',
      files({
        'pyproject.toml': '[project]\ndependencies = ["fastapi", "uvicorn>=0.3"]',
        'uv.lock': '',
        'main.py': 'api = FastAPI()',
      }),
      [TOOLS, pipTool('uv==0.8.0'), VENV, 'uv sync --frozen --no-dev --python .venv/bin/python3'],
      ['python3', '-m', 'uvicorn', 'main:api', '--host', HOST, '--port', PORT],
    ],
    [
      'a poetry lock file',
      files({ 'pyproject.toml': '[tool.poetry]', 'poetry.lock': '', 'main.py': '' }),
      [
        TOOLS,
        pipTool('uv==0.8.0'),
        expect.stringMatching(/ --exclude-newer \S+ --only-binary :all: poetry==2\.1\.3 poetry-/),
        VENV,
        'poetry export --only main --without-hashes --output .longshore/tools/requirements.txt',
        'List the packages for this Python',
        'python3 -m pip install --requirement .longshore/tools/requirements.txt',
      ],
      ['python3', 'main.py'],
    ],
    [
      'a pipenv lock file',
      files({ Pipfile: '[packages]', 'Pipfile.lock': '', 'main.py': '' }),
      [
        VENV,
        'List the packages of the Pipfile',
        'python3 -m pip install --requirement .longshore/tools/pipfile-lock.txt',
      ],
      ['python3', 'main.py'],
    ],
    [
      'a Pipfile without a lock file',
      files({ Pipfile: '[packages]', 'main.py': '' }),
      [
        VENV,
        'List the packages of the Pipfile',
        'python3 -m pip install --requirement .longshore/tools/pipfile.txt',
      ],
      ['python3', 'main.py'],
    ],
    [
      'a pyproject.toml with tool settings only, which installs nothing',
      files({ 'pyproject.toml': '[tool.ruff]', 'main.py': '' }),
      [],
      ['python3', 'main.py'],
    ],
    [
      'Django with gunicorn',
      files({ 'requirements.txt': 'django\ngunicorn', 'manage.py': DJANGO }),
      [VENV, 'python3 -m pip install --requirement requirements.txt'],
      ['gunicorn', '--bind', `${HOST}:${PORT}`, 'shop.wsgi'],
    ],
    [
      'Django with uvicorn',
      files({ 'requirements.txt': 'django\nuvicorn[standard]', 'manage.py': DJANGO }),
      [VENV, 'python3 -m pip install --requirement requirements.txt'],
      ['python3', '-m', 'uvicorn', 'shop.asgi:application', '--host', HOST, '--port', PORT],
    ],
    [
      'Django without gunicorn, which is only in a comment',
      files({ 'requirements.txt': 'django\n# gunicorn', 'manage.py': DJANGO }),
      [VENV, 'python3 -m pip install --requirement requirements.txt', PIP_GUNICORN],
      ['gunicorn', '--bind', `${HOST}:${PORT}`, 'shop.wsgi'],
    ],
    [
      'Django beside a package.json for its frontend',
      node(
        { scripts: { build: 'vite build' }, devDependencies: { vite: '1' } },
        { 'requirements.txt': 'django', 'manage.py': '', 'public/index.html': '' },
      ),
      [VENV, 'python3 -m pip install --requirement requirements.txt'],
      ['python3', 'manage.py', 'runserver', '--noreload', `${HOST}:${PORT}`],
    ],
    [
      'Python with a Procfile',
      files({ 'requirements.txt': 'gunicorn', Procfile: 'web: gunicorn -b :$PORT shop:app' }),
      [VENV, 'python3 -m pip install --requirement requirements.txt'],
      ['gunicorn', '-b', `:${PORT}`, 'shop:app'],
    ],
    [
      'a Go program at the root',
      files({ 'go.mod': 'module example.com/shop/v2\n', 'main.go': '// Hi\npackage main\n' }),
      ['go mod download', 'go build'],
      ['./bin/shop'],
    ],
    [
      'a Go program in cmd',
      go({ 'shop.go': 'package shop', 'cmd/web/main.go': 'package main' }),
      ['go mod download', 'go build'],
      ['./bin/web'],
    ],
    [
      'a Go program with a Procfile',
      files({ 'go.mod': 'module shop', 'a.go': 'package main', Procfile: 'web: bin/shop -v' }),
      ['go mod download', 'go build'],
      ['bin/shop', '-v'],
    ],
    ['only a Procfile', files({ Procfile: 'web: ./serve "a b"\n' }), [], ['./serve', 'a b']],
  ])('plans %s', (_, checkout, steps, start) => {
    const plan = planOf(checkout);
    expect(plan.steps.map(({ label }) => label)).toEqual(steps);
    expect(plan.start).toMatchObject(Array.isArray(start) ? { argv: start } : start);
    expect(plan.evidence.join('\n')).toMatch(/^Found /m);
  });

  it.each([
    [
      node(APP, { 'package-lock.json': '', '.npmrc': '' }),
      ['package.json', 'package-lock.json', '.npmrc'],
    ],
    [node({ ...APP, scripts: { start: 'a', postinstall: 'x' } }), undefined],
    [node({ ...APP, workspaces: ['a'] }), undefined],
    [node({ ...APP, devDependencies: { b: 'file:b' } }), undefined],
    [files({ 'requirements.txt': 'flask\n', 'main.py': '' }), ['requirements.txt']],
    [files({ 'requirements.txt': '-r base.txt\n', 'main.py': '' }), undefined],
    [files({ 'requirements.txt': './greeter.whl\n', 'main.py': '' }), undefined],
    [files({ 'go.mod': 'module a', 'go.sum': '', 'a.go': 'package main' }), ['go.mod', 'go.sum']],
    [files({ 'go.mod': 'module a\nreplace b => ../b', 'a.go': 'package main' }), undefined],
  ])('lists the files that the install of case %# reads', (checkout, inputs) => {
    const { steps } = planOf(checkout);
    const last = steps.findLast(({ kind }) => kind === 'install');
    expect(last?.inputs).toEqual(inputs);
  });

  it('lists the missing files when nothing is detected', () => {
    expect(detect(files({ 'README.md': '' }))).toEqual({
      kind: 'nothing',
      evidence: [
        'There is no package.json',
        'There is no requirements.txt, pyproject.toml, Pipfile, setup.py, main.py, app.py, manage.py',
        'There is no go.mod',
        'There is no Gemfile, composer.json, index.php, pom.xml, build.gradle, Cargo.toml, .csproj or deno.json',
        'There is no Procfile with a web line',
        'There is no index.html in ., public, dist, site, www, html, docs, src',
        'Add a start script to package.json, a Procfile with a web line, a Dockerfile for Docker, or an index.html; or enter a start command in the settings of the app',
      ],
    });
  });

  it.each([
    [{ 'package.json': '{ "name": "a", }' }, 'package.json is not valid JSON'],
    [
      { 'main.go': 'package main' },
      'The Go files have no go.mod: run go mod init and go mod tidy, and push it',
    ],
  ])('says only what is missing of the language of %j', (texts, sentence) => {
    const advice = expect.stringMatching(/^Add a start script/);
    expect(detect(files(texts))).toEqual({ kind: 'nothing', evidence: [sentence, advice] });
  });

  it.each([
    [files({ 'package.json': '{}' }), /no start script, no build script and no server\.js/],
    [files({ 'requirements.txt': '' }), /requirements\.txt has no main\.py, app\.py, manage\.py/],
    [files({ 'go.mod': '', 'a.go': 'package a' }), /go\.mod has no package main/],
    [
      go({ 'cmd/a/main.go': 'package main', 'cmd/b/main.go': 'package main' }),
      /several programs: enter the start command of one of them, \.\/bin\/a or \.\/bin\/b/,
    ],
  ])('lists what is missing in case %#', (checkout, expected) => {
    const detection = detect(checkout);
    expect(detection.kind).toBe('nothing');
    if (detection.kind === 'nothing') expect(detection.evidence.join('\n')).toMatch(expected);
  });

  it('names a missing submodule if a step fails, or if nothing is detected', () => {
    const missingSubmodules = ['The submodule lib was not fetched', 'Another one'];
    const steps = planOf({ ...node(APP), missingSubmodules }).steps;
    expect(steps.map(({ advice }) => advice)).toEqual([missingSubmodules[0]]);
    expect(detect({ ...files({}), missingSubmodules })).toMatchObject({
      kind: 'nothing',
      evidence: expect.arrayContaining(missingSubmodules.slice(0, 1)),
    });
  });

  it.each([
    ['python -m SimpleHTTPServer $PORT', 'index.html', 'static'],
    ['python3 -m http.server', 'index.html', 'static'],
    ['python3 -m http.server $PORT --directory site', 'index.html', 'command'],
    ['python3 -m http.server $PORT', 'page.html', 'command'],
  ])('starts the Procfile line %s beside %s: %s', (line, page, kind) => {
    const checkout = files({ Procfile: `web: ${line}\n`, [page]: '' });
    expect(planOf(checkout).start.kind).toBe(kind);
  });

  it('starts a Procfile line that needs a shell by a shell', () => {
    const checkout = node(APP, { Procfile: 'web: node migrate.js && node web.js' });
    expect(detect(checkout)).toMatchObject({
      plan: { start: { argv: ['/bin/sh', '-c', 'node migrate.js && node web.js'] } },
    });
  });
});

function pipTool(tool: string): string {
  return `.longshore/tools/bin/python3 -m pip install ${tool}`;
}

function planOf(checkout: Checkout): BuildPlan {
  const detection = detect(checkout);
  if (detection.kind === 'plan') return detection.plan;
  throw new Error(detection.evidence.join('\n'));
}

function go(texts: Record<string, string>): Checkout {
  return files({ 'go.mod': 'module example.com/shop\n', ...texts });
}

function node(manifest: object, others: Record<string, string> = {}): Checkout {
  return files({ 'package.json': JSON.stringify(manifest), ...others });
}

function files(texts: Record<string, string>): Checkout {
  return { files: Object.keys(texts), texts };
}
