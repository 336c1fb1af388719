import { expect, it } from 'vitest';
import { parsePackageJson } from './package-json.ts';
import { type ScriptKind, scriptKind } from './script-kind.ts';

const SCRIPTS = {
  dev: 'vite',
  prod: 'node server.js',
  loop: 'npm run loop',
  both: 'npm run prod & npm run dev',
  'watch:css': 'sass --watch a.scss',
  'prod:api': 'node api.js',
  compile: 'builder src',
};
const WEB = { name: '@shop/web', scripts: { start: 'ng serve', serve: 'node web.js' } };

it.each<[script: string, kind: ScriptKind]>([
  ['node server.js', 'server'],
  ['NODE_ENV=production node --enable-source-maps dist/main', 'server'],
  ['node --watch server.js', 'dev'],
  ['eleventy --serve', 'dev'],
  ['own-server --serve', 'server'],
  ['node scripts/dev-server.js', 'dev'],
  ['next start -p 3000', 'server'],
  ['next', 'dev'],
  ['next dev --turbo', 'dev'],
  ['cross-env NODE_ENV=x npx vite --host', 'dev'],
  ['vite build && node server.js', 'server'],
  ['vite preview', 'preview'],
  ['vite .', 'dev'],
  ['serve -s build', 'preview'],
  ['webpack --watch', 'dev'],
  ['webpack && node dist/server.js', 'server'],
  ['npx @11ty/eleventy@3 --serve', 'dev'],
  ['./node_modules/.bin/react-scripts start', 'dev'],
  ['pnpm exec astro dev', 'dev'],
  ['turbo run dev', 'dev'],
  ['turbo run start', 'server'],
  ['npm run prod', 'server'],
  ['npm run dev', 'dev'],
  ['yarn dev', 'dev'],
  ['npm run both', 'dev'],
  ['npm run loop', 'server'],
  ['npm-run-all --parallel dev prod', 'dev'],
  ['concurrently "npm:dev" "node a.js"', 'dev'],
  ['yarn --cwd ./web start', 'dev'],
  ['npm --prefix=web run serve', 'server'],
  ['cd web && npm start', 'dev'],
  ['pnpm --filter @shop/web start', 'dev'],
  ['yarn workspace @shop/web serve', 'server'],
  ['pnpm --filter @shop/unknown dev', 'dev'],
  ['pnpm --filter @shop/unknown start', 'server'],
  ['npm run start -w @shop/web', 'dev'],
  ['gunicorn app:app', 'server'],
  ['cross-env NODE_ENV=development node server', 'dev'],
  ['astro --config site/astro.mjs dev --port 3000', 'dev'],
  ['astro --config site/astro.mjs build', 'server'],
  ['vite --config web/vite.config.js', 'dev'],
  ['serve public & rollup -w -c', 'dev'],
  ['rollup -c && node server.js', 'server'],
  ['tsc -w & node dist/server.js', 'dev'],
  ['tsc && node dist/server.js', 'server'],
  ['concurrently "npm:watch:*" "node api.js"', 'dev'],
  ['run-p watch:*', 'dev'],
  ['docker-compose up', 'dev'],
  ['docsify serve docs', 'dev'],
  ['npm-run-all prod:*', 'server'],
  ["run-p 'compile -- --watch=forever'", 'dev'],
  ['next ./web', 'dev'],
  ['next web', 'dev'],
  ['next start web', 'server'],
  ['vite build', 'server'],
])('finds out that "%s" is a %s', (script, kind) => {
  const manifest = parsePackageJson(JSON.stringify({ scripts: SCRIPTS }));
  if (manifest === undefined) throw new Error('Not a manifest');
  const texts = { 'web/package.json': JSON.stringify(WEB) };
  const checkout = { files: [...Object.keys(texts), 'build/old.js'], texts };
  expect(scriptKind(script, { manifest, folder: '.', checkout })).toBe(kind);
});

it.each<[dependency: string, kind: ScriptKind]>([
  ['react-dev-utils', 'dev'],
  ['browser-sync', 'dev'],
  ['express', 'server'],
])('finds out that scripts/start.js of a project with %s is a %s', (dependency, kind) => {
  const text = JSON.stringify({ devDependencies: { [dependency]: '1' } });
  const manifest = parsePackageJson(text);
  if (manifest === undefined) throw new Error('Not a manifest');
  const scope = { manifest, folder: '.', checkout: { files: [], texts: {} } };
  expect(scriptKind('npm run build && node scripts/start.js', scope)).toBe(kind);
});
