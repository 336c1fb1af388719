import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSeal, type Seal } from './seal.ts';
import { Secret } from './secret.ts';

let folder: string;
let seal: Seal;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-seal-'));
  seal = await createSeal(folder);
});
afterAll(() => rm(folder, { recursive: true }));

it('opens what it closed, after a restart too', async () => {
  const sealed = seal.close(new Secret('hunter2 ✓'));
  expect(sealed).not.toContain('hunter2');
  expect(seal.open(sealed).reveal()).toBe('hunter2 ✓');
  expect((await createSeal(folder)).open(sealed).reveal()).toBe('hunter2 ✓');
});

it('never closes the same secret the same way', () => {
  expect(seal.close(new Secret('a'))).not.toBe(seal.close(new Secret('a')));
});

it.each<[string, (bytes: Buffer) => Buffer]>([
  ['a changed text', (bytes) => Buffer.concat([bytes, Buffer.from('x')])],
  ['a changed tag', (bytes) => bytes.fill(0, 12, 28)],
  ['a shortened tag', (bytes) => bytes.subarray(0, 16)],
  ['half of it', (bytes) => bytes.subarray(0, 20)],
  ['nothing', () => Buffer.alloc(0)],
])('does not open %s', (_, change) => {
  const bytes = Buffer.from(seal.close(new Secret('hunter2')), 'base64');
  expect(() => seal.open(change(bytes).toString('base64'))).toThrow();
});
