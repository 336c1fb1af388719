import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createOutbox, removeOldMessages } from './outbox.ts';

const DAY_MS = 86_400_000;
let folder: string;
let clock: { time: number; now(): number };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longshore-outbox-'));
  clock = { time: Date.UTC(2026, 10, 15, 12, 30, 5, 7), now: () => clock.time };
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('removes messages after thirty days, and no other files', async () => {
  const outbox = createOutbox({ folder, clock });
  await outbox.put('verify-email', 'eml', 'old');
  await outbox.put('text-message', 'json', '{}');
  await writeFile(join(folder, 'notes.txt'), 'mine');
  await writeFile(join(folder, '2020-01-01T00-00-00.000Z-mine.eml'), 'mine');
  clock.time += 29 * DAY_MS;
  await outbox.put('sign-in-code', 'eml', 'new');
  await removeOldMessages({ folder, clock });
  expect(await readdir(folder)).toHaveLength(5);
  clock.time += DAY_MS;
  await removeOldMessages({ folder, clock });
  expect((await readdir(folder)).sort()).toEqual([
    '2020-01-01T00-00-00.000Z-mine.eml',
    expect.stringMatching(/-sign-in-code-/),
    'notes.txt',
  ]);
});

it('accepts a missing folder', async () => {
  await removeOldMessages({ folder: join(folder, 'missing'), clock });
});
