import { expect, it } from 'vitest';
import { mentionsDiskFull } from './disk-full.ts';

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
