import { expect, it } from 'vitest';
import type { Checkout } from '../build-plan.ts';
import { detect } from '../detect.ts';

type Manifest = { scripts?: Record<string, string>; [field: string]: unknown };
type Case = [what: string, manifest: Manifest, files?: Record<string, string>];

const uses = (...names: string[]) => ({
  dependencies: Object.fromEntries(names.map((name) => [name, '^20.0.0'])),
});
const kit = (adapter: string) => ({
  'svelte.config.js': `import adapter from '${adapter}';\nexport default { kit: { adapter: adapter() } };`,
});
const LISTENS = 'require("express")().listen(process.env.PORT)';

it.each<Case>([
  [
    'Next.js',
    { ...uses('next'), scripts: { dev: 'next dev', build: 'next build', start: 'next start' } },
  ],
  ['Next.js without scripts', uses('next')],
  [
    'Next.js whose start script is the development server',
    { ...uses('next'), scripts: { start: 'next' } },
  ],
  [
    'Next.js in a folder, whose start script is the development server',
    { ...uses('next'), scripts: { build: 'next build src', start: 'next src' } },
    { 'src/pages/index.js': '' },
  ],
  [
    'Next.js with static export',
    { ...uses('next'), scripts: { build: 'next build', start: 'next start' } },
    { 'next.config.mjs': "export default { output: 'export' };" },
  ],
  [
    'Next.js with an export that depends on a variable',
    { ...uses('next'), scripts: { build: 'next build', start: 'next start' } },
    { 'next.config.js': "module.exports = { output: process.env.EXPORT ? 'export' : undefined };" },
  ],
  [
    'Next.js with static export to another folder',
    { ...uses('next'), scripts: { build: 'next build', start: 'next start' } },
    { 'next.config.mjs': "export default { output: 'export', distDir: 'site' };" },
  ],
  [
    'Next.js before 14 with an export to another folder',
    { ...uses('next'), scripts: { build: 'next build && next export -o docs', start: 'next' } },
  ],
  [
    'Next.js with standalone output and yarn 4',
    { ...uses('next'), packageManager: 'yarn@4.3.1', scripts: { build: 'next build' } },
    {
      'next.config.mjs': 'export default { output: "standalone" };',
      '.yarnrc.yml': 'nodeLinker: pnp\nyarnPath: .yarn/releases/yarn-4.3.1.cjs\n',
      'yarn.lock': '__metadata:',
    },
  ],
  [
    'Next.js with standalone output',
    { ...uses('next'), scripts: { build: 'next build', start: 'next start' } },
    { 'next.config.ts': "export default { output: 'standalone' };", 'public/logo.svg': '' },
  ],
  [
    'Next.js whose standalone output is only in a comment',
    uses('next'),
    { 'next.config.js': "module.exports = {\n  // output: 'standalone',\n};" },
  ],
  ['Nuxt', { ...uses('nuxt'), scripts: { build: 'nuxt build', dev: 'nuxt dev' } }],
  ['Nuxt, generated', { ...uses('nuxt'), scripts: { build: 'nuxt generate' } }],
  ['Nuxt 2', { dependencies: { nuxt: '^2.15.0' }, scripts: { dev: 'nuxt', build: 'nuxt build' } }],
  ['SvelteKit with adapter-node', uses('@sveltejs/kit'), kit('@sveltejs/adapter-node')],
  [
    'SvelteKit with adapter-auto',
    {
      devDependencies: { '@sveltejs/kit': '^2.5.0' },
      scripts: { build: 'vite build', dev: 'vite dev' },
    },
    kit('@sveltejs/adapter-auto'),
  ],
  [
    'SvelteKit with the adapter of a hosting provider, and pnpm',
    { devDependencies: { '@sveltejs/kit': '^2.5.0' }, scripts: { build: 'vite build' } },
    { ...kit('@sveltejs/adapter-vercel'), 'pnpm-lock.yaml': '' },
  ],
  [
    'SvelteKit with adapter-static and a fallback page',
    uses('@sveltejs/kit'),
    {
      'svelte.config.js':
        "import adapter from '@sveltejs/adapter-static';\nexport default { kit: { adapter: adapter({ pages: 'site', fallback: '200.html' }) } };",
    },
  ],
  ['Remix', { ...uses('@remix-run/dev', '@remix-run/serve'), scripts: { build: 'remix build' } }],
  [
    'Remix without a package that serves it',
    { ...uses('@remix-run/dev'), scripts: { build: 'remix build' } },
    { 'remix.config.js': "module.exports = { serverBuildPath: 'server/build.js' };" },
  ],
  [
    'Remix without a server',
    { ...uses('@remix-run/dev'), scripts: { build: 'remix vite:build', start: 'vite preview' } },
    {
      'vite.config.ts': "import { vitePlugin } from '@remix-run/dev';\nvitePlugin({ ssr: false })",
    },
  ],
  [
    'Remix with Vite',
    {
      ...uses('@remix-run/dev', '@remix-run/serve'),
      scripts: { dev: 'remix vite:dev', build: 'remix vite:build' },
    },
    { 'vite.config.ts': "import { vitePlugin } from '@remix-run/dev';" },
  ],
  ['React Router', uses('@react-router/dev', '@react-router/serve')],
  [
    'React Router without a package that serves it, in another folder',
    { dependencies: { '@react-router/dev': '^7.9.1' }, packageManager: 'pnpm@10.1.0' },
    { 'react-router.config.ts': "export default { buildDirectory: 'dist', ssr: true };" },
  ],
  [
    'React Router whose start script runs a build that only exports',
    {
      ...uses('@react-router/dev', '@react-router/serve'),
      scripts: {
        build: 'react-router build',
        start: 'NODE_ENV=production node build/server/index.js',
      },
    },
    { 'vite.config.ts': "import { reactRouter } from '@react-router/dev/vite';" },
  ],
  [
    'React Router whose build is a server',
    {
      ...uses('@react-router/dev', 'react-router-hono-server'),
      scripts: { build: 'react-router build', start: 'node ./build/server/index.js' },
    },
    { 'vite.config.ts': "import { reactRouterHonoServer } from 'react-router-hono-server/dev';" },
  ],
  [
    'React Router without a server',
    {
      ...uses('@react-router/dev'),
      scripts: { build: 'react-router build', start: 'react-router-serve x' },
    },
    { 'react-router.config.ts': 'export default { ssr: false };' },
  ],
  ['TanStack Start', { ...uses('@tanstack/react-start'), scripts: { build: 'vite build' } }],
  ['Astro', { ...uses('astro'), scripts: { start: 'astro dev', build: 'astro build' } }],
  [
    'Astro with a server',
    { ...uses('astro'), scripts: { build: 'astro build', preview: 'astro preview' } },
    {
      'astro.config.mjs':
        "import node from '@astrojs/node';\nexport default { output: 'server', adapter: node({ mode: 'standalone' }) };",
    },
  ],
  [
    'Astro with its own output folder',
    uses('astro'),
    { 'astro.config.ts': "export default { outDir: './site' };" },
  ],
  [
    'Vite',
    { ...uses('vite'), scripts: { dev: 'vite', build: 'vite build' } },
    { 'index.html': '' },
  ],
  [
    'Vite with its pages in another folder',
    uses('vite'),
    {
      'client/index.html': '',
      'vite.config.js': "export default { root: 'client', build: { outDir: '../site' } };",
    },
  ],
  [
    'Vite for another host',
    { ...uses('vite'), scripts: { build: 'tsc && vite build' } },
    { 'index.html': '', 'vite.config.js': "export default { base: 'https://example.org/x/' };" },
  ],
  [
    'Vite with a server of its own',
    {
      ...uses('vite', 'express'),
      scripts: { dev: 'vite', build: 'vite build', start: 'node server.js' },
    },
    { 'index.html': '', 'server.js': LISTENS },
  ],
  [
    'Vite that previews in its start script',
    { ...uses('vite'), scripts: { build: 'vite build', start: 'vite preview' } },
    { 'index.html': '' },
  ],
  [
    'Eleventy',
    {
      ...uses('@11ty/eleventy'),
      scripts: { start: 'npx @11ty/eleventy --serve', build: 'npx @11ty/eleventy' },
    },
  ],
  [
    'Eleventy whose production script builds the site',
    {
      ...uses('@11ty/eleventy'),
      scripts: {
        start: 'concurrently "npm run sass -- --watch" "npm run serve"',
        serve: 'npx eleventy --serve',
        sass: 'sass src/site.scss dist/site.css',
        production: 'npm run sass && npx eleventy',
      },
    },
  ],
  [
    'Eleventy with its own output folder',
    uses('@11ty/eleventy'),
    { '.eleventy.js': "module.exports = () => ({ dir: { input: 'src', output: 'www' } });" },
  ],
  [
    'Gatsby',
    {
      ...uses('gatsby'),
      scripts: { build: 'gatsby build', start: 'npm run develop', develop: 'gatsby develop' },
    },
  ],
  [
    'Docusaurus',
    {
      ...uses('@docusaurus/core'),
      scripts: { start: 'docusaurus start', build: 'docusaurus build', serve: 'docusaurus serve' },
    },
  ],
  [
    'Angular',
    { ...uses('@angular/core'), scripts: { ng: 'ng', start: 'ng serve', build: 'ng build' } },
    {
      'angular.json': JSON.stringify({
        projects: { shop: { projectType: 'application', architect: { build: { options: {} } } } },
      }),
    },
  ],
  [
    'Angular that is built by webpack',
    { ...uses('@angular/core'), scripts: { build: 'rimraf public && webpack --env.prod' } },
  ],
  [
    'Angular with its own output folder',
    uses('@angular/core'),
    {
      'angular.json': JSON.stringify({
        projects: { shop: { architect: { build: { options: { outputPath: { base: 'www' } } } } } },
      }),
    },
  ],
  [
    'Angular with a server',
    { ...uses('@angular/core'), scripts: { build: 'ng build' } },
    {
      'angular.json': JSON.stringify({
        projects: {
          shop: {
            architect: {
              build: { options: { outputPath: 'dist/shop', ssr: { entry: 'server.ts' } } },
            },
          },
        },
      }),
    },
  ],
  [
    'VitePress beside a library',
    {
      ...uses('vitepress'),
      scripts: {
        build: 'tsc',
        'docs:dev': 'vitepress dev docs',
        'docs:build': 'vitepress build docs',
      },
    },
  ],
  [
    'Create React App',
    {
      ...uses('react-scripts'),
      scripts: { start: 'react-scripts start', build: 'react-scripts build' },
    },
    { 'public/index.html': '', 'src/index.js': 'render()' },
  ],
  [
    'Vue CLI',
    {
      ...uses('@vue/cli-service'),
      scripts: { serve: 'vue-cli-service serve', build: 'vue-cli-service build' },
    },
  ],
  [
    'Umi',
    {
      ...uses('@umijs/max'),
      scripts: { start: 'cross-env UMI_ENV=dev max dev', build: 'max build' },
    },
  ],
  [
    'Vite whose build script watches files',
    { ...uses('vite'), scripts: { build: 'vite build --watch' } },
  ],
  [
    'TypeScript whose build script watches files, with yarn 4',
    {
      ...uses('express'),
      packageManager: 'yarn@4.3.1',
      main: 'dist/index.js',
      scripts: { build: 'tsc -p . -w' },
    },
    { 'yarn.lock': '__metadata:' },
  ],
  [
    'packages that are locked to a mirror of the registry',
    { ...uses('koa'), main: 'app.js' },
    {
      'app.js': LISTENS,
      'package-lock.json': '{ "resolved": "https://registry.npmmirror.com/koa/-/koa-2.0.0.tgz" }',
    },
  ],
  [
    'NestJS',
    {
      ...uses('@nestjs/core'),
      scripts: { build: 'nest build', start: 'nest start', 'start:prod': 'node dist/main' },
    },
  ],
  [
    'NestJS without a script for production',
    { ...uses('@nestjs/core'), scripts: { start: 'nest start', build: 'nest build' } },
  ],
  ['Express with a start script', { ...uses('express'), scripts: { start: 'node bin/www' } }],
  [
    'Express with nodemon',
    { ...uses('express'), scripts: { start: 'nodemon -e js app.js' } },
    { 'app.js': LISTENS },
  ],
  ['TypeScript with a watcher', { ...uses('tsx'), scripts: { start: 'tsx watch src/index.ts' } }],
  ['Express without a script', uses('express'), { 'src/index.js': LISTENS }],
  [
    'Fastify with a main file',
    { ...uses('fastify'), main: './lib/web.js' },
    { 'lib/web.js': '', 'index.js': '' },
  ],
  ['a server without dependencies', {}, { 'app.js': 'http.createServer(f).listen(80)' }],
  ['a TypeScript server that tsx runs', uses('tsx', 'hono'), { 'src/server.ts': 'serve(app)' }],
  ['a compiled server', { ...uses('express'), main: 'dist/index.js', scripts: { build: 'tsc' } }],
  [
    'a start script of another package that is a development server',
    {
      workspaces: ['app'],
      ...uses('typescript'),
      scripts: { start: 'yarn --cwd ./app start', build: 'yarn --cwd ./app build' },
    },
    {
      'yarn.lock': '',
      'app/package.json': JSON.stringify({
        scripts: { start: 'yarn && vite', build: 'vite build' },
      }),
    },
  ],
  [
    'several commands at once, one of them a development server',
    {
      ...uses('concurrently'),
      scripts: {
        start: 'concurrently "npm:web" "node api.js"',
        web: 'webpack serve',
        build: 'webpack',
      },
    },
  ],
  [
    'a start script that builds before it starts the server of the framework',
    { ...uses('next'), scripts: { start: 'next build && next start' } },
  ],
  [
    'a server that runs its bundler in development',
    {
      ...uses('express'),
      scripts: {
        start: 'cross-env NODE_ENV=development node server',
        'start:prod': 'cross-env NODE_ENV=production node server',
      },
    },
  ],
  ['a server that only starts for development', { scripts: { dev: 'NODE_ENV=dev node web' } }],
  [
    'a server with the build script of a hosting provider',
    { ...uses('express'), scripts: { start: 'node a.js', 'heroku-postbuild': 'cd web && vite' } },
  ],
  ['a server on Bun', { ...uses('elysia') }, { 'src/index.ts': 'new Elysia().listen(3000)' }],
  [
    'a server on Bun with a lock file and a start script',
    { ...uses('hono'), scripts: { start: 'bun run src/index.ts' } },
    { 'bun.lock': '' },
  ],
  ['a bundle for a page', { scripts: { build: 'webpack' } }, { 'index.html': '' }],
  ['Quasar', { ...uses('@quasar/app-vite', 'vite'), scripts: { dev: 'quasar dev' } }],
  ['Expo', { ...uses('expo'), scripts: { start: 'expo start', web: 'expo start --web' } }],
  ['git hooks', { scripts: { start: 'node a.js' }, devDependencies: { husky: '9' } }],
  [
    'a site beside a Python script',
    { devDependencies: { vitepress: '^1.0.0' }, scripts: { build: 'vitepress build' } },
    { 'main.py': 'import requests\nprint(requests.get(URL))', 'requirements.txt': 'requests' },
  ],
  [
    'a site beside a Python server',
    { devDependencies: { vitepress: '^1.0.0' }, scripts: { build: 'vitepress build' } },
    { 'main.py': 'HTTPServer(address, Handler).serve_forever()', 'requirements.txt': 'requests' },
  ],
  [
    'a desktop app and tests of accessibility',
    { scripts: { start: 'node a.js' }, devDependencies: { electron: '38', 'pa11y-ci': '4' } },
  ],
  ['tests with a browser', { scripts: { start: 'node a.js' }, devDependencies: { cypress: '1' } }],
])('plans %s', (_, manifest, files = {}) => {
  expect(summaryOf({ 'package.json': JSON.stringify(manifest), ...files })).toMatchSnapshot();
});

it.each<[what: string, manifest: object, workspace: Record<string, string>]>([
  ['pnpm', { 'shop-ui': 'workspace:*' }, { 'pnpm-lock.yaml': "lockfileVersion: '9.0'" }],
  ['npm', {}, { 'package-lock.json': '{}', '.nvmrc': '22' }],
  [
    'Turborepo and yarn',
    {},
    {
      'yarn.lock': '__metadata:',
      'turbo.json': '{}',
      'package.json': '{"devDependencies":{"turbo":"2"},"packageManager":"yarn@4.9.4"}',
      '.yarnrc.yml': 'nodeLinker: node-modules',
    },
  ],
])('plans a package of a workspace with %s', (_, dependencies, above) => {
  const manifest = { name: '@shop/web', dependencies: { next: '15', ...dependencies } };
  const texts = {
    'package.json': JSON.stringify({ ...manifest, scripts: { build: 'next build' } }),
    'next.config.js': "module.exports = { output: 'standalone' };",
  };
  const workspace = { path: '../..', files: Object.keys(above), texts: above };
  const detection = detect({ files: Object.keys(texts), texts, workspace });
  if (detection.kind !== 'plan') throw new Error('No plan');
  const { evidence, steps, start, path, versions } = detection.plan;
  expect({ evidence, steps, start, path, versions }).toMatchSnapshot();
});

it('starts no development server when there is nothing else', () => {
  const manifest = JSON.stringify({ scripts: { start: 'webpack-dev-server' } });
  expect(summaryOf({ 'package.json': manifest })).toContain(
    'The start script of package.json runs a development server, and there is no build script',
  );
});

function summaryOf(texts: Record<string, string>): string[] {
  const checkout: Checkout = { files: Object.keys(texts), texts };
  const detection = detect(checkout);
  if (detection.kind === 'nothing') return detection.evidence;
  const { evidence, steps, start, env } = detection.plan;
  const started =
    start.kind === 'command'
      ? `starts ${start.argv.join(' ')}`
      : `serves ${start.folders.join(', ')}${start.isSinglePage ? ' as a single page' : ''}`;
  return [...evidence, ...steps.map(({ label }) => `$ ${label}`), started, JSON.stringify(env)];
}

it.each([
  ['tsc -b && vite build', 'vite build'],
  ['run-p type-check "build-only {@}" --', 'vite build'],
  ['node pages.js && vite build', undefined],
  ['vite build', undefined],
])('says for a build with %j how to build without checks: %s', (build, command) => {
  const texts = { 'package.json': JSON.stringify({ ...uses('vite'), scripts: { build } }) };
  const detection = detect({ files: [...Object.keys(texts), 'index.html'], texts });
  const advice = `To build without the checks in the build script, enter the build command ${command}`;
  const steps = detection.kind === 'plan' ? detection.plan.steps : [];
  expect(steps.at(-1)?.advice).toBe(command === undefined ? undefined : advice);
});

const PRODUCTION = { configurations: { production: {}, development: {} } };

it.each<
  [what: string, scripts: Record<string, string>, build: object, argv: string, orElse?: string]
>([
  [
    'no default',
    { build: 'cross-env CI=false ng build' },
    PRODUCTION,
    'npm run build -- --configuration=production',
    'npm run build',
  ],
  ['no script', {}, PRODUCTION, 'ng build --configuration=production', 'ng build'],
  [
    'a default',
    { build: 'ng build' },
    { ...PRODUCTION, defaultConfiguration: 'production' },
    'npm run build',
  ],
  ['a chosen one', { build: 'ng build --configuration staging' }, PRODUCTION, 'npm run build'],
  [
    'one that another script chooses',
    { 'build:staging': 'ng build -c staging' },
    PRODUCTION,
    'npm run build:staging',
  ],
  [
    'no default, and another script without one',
    { 'build:web': 'ng build' },
    PRODUCTION,
    'npm run build:web -- --configuration=production',
    'npm run build:web',
  ],
  ['the old option', { build: 'ng build --prod' }, PRODUCTION, 'npm run build'],
  ['none at all', { build: 'ng build' }, {}, 'npm run build'],
])(
  'builds Angular for production where the configurations have %s',
  (_, scripts, build, argv, orElse) => {
    const texts = {
      'package.json': JSON.stringify({
        ...uses('@angular/core'),
        scripts,
      }),
      'angular.json': JSON.stringify({ projects: { shop: { architect: { build } } } }),
    };
    const detection = detect({ files: Object.keys(texts), texts });
    const step = detection.kind === 'plan' ? detection.plan.steps.at(-1) : undefined;
    expect(step?.argv.join(' ')).toBe(argv);
    expect(step?.orElse?.map((it) => it.join(' '))).toEqual(
      orElse === undefined ? undefined : [orElse],
    );
  },
);
