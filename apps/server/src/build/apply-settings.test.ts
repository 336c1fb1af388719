import { describe, expect, it } from 'vitest';
import type { Checkout } from './build-plan.ts';
import { detect } from './detect.ts';

describe('what the user typed replaces', () => {
  const scripts = { start: 'node a.js', build: 'tsc' };
  const checkout = files({
    'package.json': JSON.stringify({ scripts, dependencies: { a: '1' } }),
    'pnpm-lock.yaml': '',
    Procfile: 'web: node web.js',
  });

  it('the commands, and keeps the tools of the detected ones', () => {
    const build = { installCommand: 'pnpm i --prod', buildCommand: 'A=1 make $PORT' };
    expect(detect(checkout, { build, run: { command: 'node c.js' } })).toMatchObject({
      plan: {
        runtime: 'node',
        evidence: expect.arrayContaining([
          'Found package.json and a start command in the settings',
          'Found an install command in the settings',
          'Found a build command in the settings',
        ]),
        steps: [
          { kind: 'install', label: expect.stringMatching(/^npm install pnpm@/) },
          { kind: 'install', label: 'pnpm i --prod', argv: ['pnpm', 'i', '--prod'] },
          { kind: 'build', label: 'A=1 make $PORT', argv: ['/bin/sh', '-c', 'A=1 make $PORT'] },
        ],
        start: { kind: 'command', argv: ['node', 'c.js'] },
      },
    });
  });

  it('what to enter if the packages of the day of the commit do not fit', () => {
    const text = JSON.stringify({ scripts, dependencies: { a: '1' } });
    const dated = { ...files({ 'package.json': text }), committedOn: '2025-01-24' };
    const adviceOf = (build: { installCommand?: string }) => {
      const detection = detect(dated, { build });
      return detection.kind === 'plan' ? detection.plan.steps.at(-1)?.advice : 'nothing';
    };
    expect(adviceOf({})).toMatch(/enter the install command npm install$/);
    expect(adviceOf({ installCommand: 'npm install' })).toBeUndefined();
  });

  it('the start by a static site', () => {
    expect(detect(checkout, { build: { outputDirectory: 'site' } })).toMatchObject({
      plan: {
        runtime: 'static',
        steps: [{}, { kind: 'install' }, { kind: 'build', label: 'pnpm run build' }],
        start: { kind: 'static', folders: ['site'] },
      },
    });
  });

  it('nothing of a folder in which nothing is found', () => {
    const settings = { build: { buildCommand: 'make' }, run: { command: './server' } };
    expect(detect(files({ Makefile: '' }), settings)).toMatchObject({
      plan: {
        runtime: 'procfile',
        steps: [{ kind: 'build', argv: ['make'] }],
        start: { argv: ['./server'] },
      },
    });
  });
});

function files(texts: Record<string, string>): Checkout {
  return { files: Object.keys(texts), texts };
}
