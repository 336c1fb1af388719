import type { Fix } from '@longshore/contract';
import { describe, expect, it } from 'vitest';
import { anApp } from '../../../../test/resources.ts';
import { applyFix, openFixes, unsetVariables } from './fix.ts';

const { values } = anApp({ build: { buildCommand: 'make' }, env: { TOKEN: 'x' } });
const root = { kind: 'root-directory', folder: 'apps/web', evidence: 'Next.js' } as const;
const port = { kind: 'port', port: 8080 } as const;
const size = { kind: 'size', from: 't1', tier: 't2', cpus: 1, memoryBytes: 1024 ** 3 } as const;
const fonts = { kind: 'fallback-fonts' } as const;
const variable = (name: string): Fix => ({ kind: 'variable', name, source: { kind: 'message' } });

describe('a fix', () => {
  it('sets the root directory and keeps the other build settings', () => {
    expect(applyFix(values, root)).toEqual({
      ...values,
      build: { buildCommand: 'make', rootDirectory: 'apps/web' },
    });
  });

  it('sets the number of the port and keeps the rest of it', () => {
    const [before] = values.ports;
    expect(applyFix(values, port)).toEqual({ ...values, ports: [{ ...before, number: 8080 }] });
  });

  it('sets the size', () => {
    expect(applyFix(values, size)).toEqual({ ...values, resourceTier: 't2' });
    expect(openFixes([size], { ...values, resourceTier: 't3' })).toEqual([]);
  });

  it('sets the variable for fallback fonts and keeps the others', () => {
    const env = { TOKEN: 'x', LONGSHORE_GOOGLE_FONTS: 'fallback' };
    expect(applyFix(values, fonts)).toEqual({ ...values, env });
    const other = { ...values, env: { LONGSHORE_GOOGLE_FONTS: 'download' } };
    expect(openFixes([fonts], other)).toEqual([fonts]);
  });

  it.each([
    ['fallback fonts', fonts],
    ['a size', size],
    ['a folder', root],
    ['a port', port],
  ])('with %s is no longer offered once it is applied', (_, fix) => {
    expect(openFixes([fix], values)).toEqual([fix]);
    expect(openFixes([fix], applyFix(values, fix))).toEqual([]);
  });

  it('is offered for variables that are not set', () => {
    expect(openFixes([variable('TOKEN'), variable('KEY')], values)).toEqual([variable('KEY')]);
  });
});

describe('variables of example files', () => {
  const listed = (...names: string[]) => ({
    variables: names.map((name) => ({ name, file: '.env.example' })),
  });
  const namesOf = (names: string[]) =>
    unsetVariables(listed(...names), values).map(({ name }) => name);

  it('are offered unless they are set, or always set', () => {
    expect(namesOf(['TOKEN', 'PORT', 'NODE_ENV', 'DATABASE_URL'])).toEqual(['DATABASE_URL']);
    expect(unsetVariables(listed('KEY'), values)[0]?.source).toEqual({
      kind: 'file',
      file: '.env.example',
    });
    expect(unsetVariables({}, values)).toEqual([]);
  });

  it('are ten at most', () => {
    expect(namesOf(Array.from({ length: 12 }, (_, index) => `KEY_${index}`))).toHaveLength(10);
  });
});
