import { expect, it } from 'vitest';
import { mentionsDiskFull, spaceLevel } from './disk-full.ts';

it.each([
  ['npm error ENOSPC: no space left on device, write', true],
  ['fatal: write error: No space left on device', true],
  ['cp: error writing b: Disk quota exceeded', true],
  ['Error: ENOSPC: System limit for number of file watchers reached', false],
  ["fatal: sha1 file '.git/index.lock' write error. Out of diskspace", true],
  ['exit code 1', false],
])('detects a full disk in “%s”: %s', (output, isFull) => {
  expect(mentionsDiskFull(output)).toBe(isFull);
});

it.each([
  ['short of bytes', { bavail: 2 ** 18 - 1, files: 10 ** 6, ffree: 10 ** 6 }, 'short'],
  ['short of inodes', { bavail: 2 ** 30, files: 10 ** 6, ffree: 2 ** 16 - 1 }, 'short'],
  ['low on bytes', { bavail: 2 ** 18, files: 10 ** 6, ffree: 10 ** 6 }, 'low'],
  ['low on inodes', { bavail: 2 ** 30, files: 10 ** 6, ffree: 2 ** 16 }, 'low'],
  ['without a limit of inodes', { bavail: 3 * 2 ** 18, files: 0, ffree: 0 }, 'enough'],
])('knows a disk that is %s', (_, space, level) => {
  expect(spaceLevel({ bsize: 4096, ...space })).toBe(level);
});
