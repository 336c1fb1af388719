import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKeyFolder } from './key-folder.ts';
import { createSeal, type Seal } from './seal.ts';
import { Secret } from './secret.ts';

let folder: string;
let seal: Seal;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-seal-'));
  seal = await createSeal(createKeyFolder(folder));
});
afterAll(() => rm(folder, { recursive: true }));

it('decrypts what it encrypted, also after a restart', async () => {
  const sealed = seal.encrypt(new Secret('hunter2 ✓'));
  expect(sealed).not.toContain('hunter2');
  expect(seal.decrypt(sealed).reveal()).toBe('hunter2 ✓');
  expect((await createSeal(createKeyFolder(folder))).decrypt(sealed).reveal()).toBe('hunter2 ✓');
});

it('encrypts the same secret differently each time', () => {
  expect(seal.encrypt(new Secret('a'))).not.toBe(seal.encrypt(new Secret('a')));
});

it.each<[string, (bytes: Buffer) => Buffer]>([
  ['a modified text', (bytes) => Buffer.concat([bytes, Buffer.from('x')])],
  ['a modified tag', (bytes) => bytes.fill(0, 12, 28)],
  ['a shortened tag', (bytes) => bytes.subarray(0, 16)],
  ['truncated text', (bytes) => bytes.subarray(0, 20)],
  ['empty text', () => Buffer.alloc(0)],
])('does not decrypt %s', (_, modify) => {
  const bytes = Buffer.from(seal.encrypt(new Secret('hunter2')), 'base64');
  expect(() => seal.decrypt(modify(bytes).toString('base64'))).toThrow();
});

it('decrypts only in the context that the text was sealed for', () => {
  const sealed = seal.encrypt(new Secret('hunter2'), 'app 1');
  expect(seal.decrypt(sealed, 'app 1').reveal()).toBe('hunter2');
  for (const context of ['app 2', '', undefined]) {
    expect(() => seal.decrypt(sealed, context)).toThrow('moved');
  }
});
