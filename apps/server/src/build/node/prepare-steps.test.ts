import { expect, it } from 'vitest';
import type { BuildStep } from '../build-plan.ts';
import { detect } from '../detect.ts';

it.each<[what: string, manifest: object, files: string[], steps: string[]]>([
  ['the file that node reads', { start: 'node --env-file=.env a.js' }, [], ['touch .env']],
  [
    'it once',
    { start: 'node --env-file .env a.js', dev: 'tsx --env-file=.env a.ts' },
    [],
    ['touch .env'],
  ],
  ['no file that is there', { start: 'node --env-file=.env a.js' }, ['.env'], []],
  ['no file outside', { start: 'node --env-file=../.env a.js' }, [], []],
  ['no optional file', { start: 'node --env-file-if-exists=.env a.js' }, [], []],
])('creates %s', (_, scripts, files, steps) => {
  expect(buildSteps({ scripts }, files)).toEqual(steps);
});

it.each<[what: string, start: string, files: string[], steps: string[]]>([
  ['generates the client of Prisma', 'node a.js', ['prisma/schema.prisma'], ['prisma generate']],
  ['leaves it to a script', 'prisma generate && node a.js', ['prisma/schema.prisma'], []],
  ['does nothing without a schema', 'node a.js', [], []],
])('%s', (_, start, files, steps) => {
  const dependencies = { prisma: '^6.0.0', '@prisma/client': '^6.0.0' };
  expect(buildSteps({ scripts: { start }, dependencies }, files)).toEqual(steps);
});

it('builds without the client of Prisma if its schema needs variables', () => {
  const manifest = { scripts: { start: 'node a.js' }, dependencies: { prisma: '^7.0.0' } };
  const steps = stepsOf(manifest, ['prisma/schema.prisma']);
  expect(steps.find(({ label }) => label === 'prisma generate')?.orElse).toEqual([['true']]);
});

it('lets Eleventy ignore what is installed for the build', () => {
  const manifest = { scripts: { build: 'eleventy' }, dependencies: { '@11ty/eleventy': '^1.0.0' } };
  expect(buildSteps(manifest, [])).toEqual([
    String.raw`node -e require('fs').appendFileSync('.eleventyignore', '\n.longshore\n')`,
    'npm run build',
  ]);
});

function buildSteps(manifest: object, files: string[]): string[] {
  const steps = stepsOf(manifest, files);
  return steps.filter(({ kind }) => kind === 'build').map(({ label }) => label);
}

function stepsOf(manifest: object, files: string[]): BuildStep[] {
  const texts = { 'package.json': JSON.stringify(manifest) };
  const detection = detect({ files: ['package.json', ...files], texts });
  return detection.kind === 'plan' ? detection.plan.steps : [];
}
