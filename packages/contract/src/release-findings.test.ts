import { describe, expect, it } from 'vitest';
import { decodeDetected, decodeFixes } from './release-findings.ts';

describe('decodeFixes', () => {
  it.each([
    { kind: 'root-directory', folder: 'apps/web', evidence: 'Next.js' },
    { kind: 'variable', name: 'DATABASE_URL', source: { kind: 'message' } },
    { kind: 'variable', name: 'DATABASE_URL', source: { kind: 'file', file: '.env.example' } },
    { kind: 'variable', name: 'LOG_FILE', source: { kind: 'code', file: 'shop/log.py' } },
    { kind: 'fallback-fonts' },
    { kind: 'port', port: 8080 },
    { kind: 'size', from: 't1', tier: 't2', cpus: 1, memoryBytes: 1024 ** 3 },
  ])('keeps %j', (fix) => {
    expect(decodeFixes([fix])).toEqual([fix]);
  });

  it.each([
    null,
    'text',
    { kind: 'other' },
    { kind: 'root-directory', folder: '../etc' },
    { kind: 'root-directory', folder: '/etc' },
    { kind: 'variable', name: 'A=B' },
    { kind: 'variable' },
    { kind: 'port', port: 0 },
    { kind: 'port', port: '80' },
    { kind: 'size', from: 't1', tier: 't2', cpus: '1', memoryBytes: 1024 ** 3 },
    { kind: 'size', from: 't1', cpus: 1, memoryBytes: 1024 ** 3 },
  ])('skips %j', (stored) => {
    expect(decodeFixes([stored])).toEqual([]);
    expect(decodeFixes(stored)).toEqual([]);
  });
});

describe('decodeDetected', () => {
  it('keeps what it knows', () => {
    const detected = {
      summary: 'Next.js',
      startCommand: 'next start',
      versions: { node: '22' },
      variables: [{ name: 'KEY', file: '.env.example' }],
      readVariables: [{ name: 'LOG_FILE', file: 'shop/log.py' }],
      port: 3000,
    };
    expect(decodeDetected(detected)).toEqual(detected);
  });

  it.each([[null], ['text'], [{ summary: 1, versions: 'x', variables: 'x', port: '1', other: 1 }]])(
    'is empty for %j',
    (stored) => {
      expect(decodeDetected(stored)).toEqual({});
    },
  );
});
