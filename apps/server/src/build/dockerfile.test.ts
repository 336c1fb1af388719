import { describe, expect, it } from 'vitest';
import type { BuildPlan, Checkout } from './build-plan.ts';
import { HOST, PORT } from './command-line.ts';
import { detect } from './detect.ts';
import { renderDockerfile, renderDockerignore } from './dockerfile.ts';

const WORKING_DIRECTORY = [
  'RUN ["mkdir","-p","/app","/home/app"]',
  'RUN ["chown","1000:1000","/app","/home/app"]',
  'WORKDIR /app',
  'USER 1000:1000',
  'ENV HOME=/home/app',
];
const COPY_SOURCE = 'COPY --chown=1000:1000 [".","."]';

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
      'RUN ["pnpm","install","--frozen-lockfile"]',
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
      `CMD ["python3","-m","gunicorn","--bind","${HOST}:${PORT}","app:app"]`,
    ]);
  });

  it('Go has a final stage without the compiler', () => {
    expect(linesFor({ 'go.mod': 'module shop', 'main.go': 'package main' })).toEqual([
      'FROM golang:1.25-bookworm AS build',
      ...WORKING_DIRECTORY,
      'ENV GOTOOLCHAIN="auto"',
      'ENV CGO_ENABLED="0"',
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
  expect(renderDockerignore(planOf(texts as Record<string, string>))).toBe(ignored);
});

function linesFor(texts: Record<string, string>): string[] {
  return renderDockerfile(planOf(texts), 'node:24-slim').trimEnd().split('\n');
}

function planOf(texts: Record<string, string>): BuildPlan {
  const checkout: Checkout = { files: Object.keys(texts), texts };
  const detection = detect(checkout);
  if (detection.kind === 'plan') return detection.plan;
  throw new Error(detection.evidence.join('\n'));
}
