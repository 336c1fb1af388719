import { expect, it } from 'vitest';
import { checkOut, type GitRunner } from './git-checkout.ts';

const { signal } = new AbortController();

it('keeps only the last lines of endless output', async () => {
  const loggedLines: string[] = [];
  const printEndlessly: GitRunner = async (argv, { onLine }) => {
    if (!argv.includes('fetch')) return { kind: 'exited', code: 0 };
    for (let count = 0; count < 9_000; count += 1) onLine?.('remote: progress');
    onLine?.("fatal: couldn't find remote ref nope");
    return { kind: 'exited', code: 128 };
  };
  const checkedOut = checkOutWith(printEndlessly, (line) => loggedLines.push(line));
  await expect(checkedOut).rejects.toMatchObject({ reason: 'ref-not-found' });
  expect(loggedLines.length).toBeLessThan(1_000);
});

it.each([
  ['1737763199', '2025-01-24'],
  ['1737763200', '2025-01-25'],
  ['-1', '1969-12-31'],
  ['99999999999999999', undefined],
  ['no number', undefined],
])('reads the day of a commit that was made at second %j: %s', async (seconds, committedOn) => {
  const print: GitRunner = async (argv, { onLine }) => {
    if (argv.includes('show')) for (const line of ['c0ffee', seconds]) onLine?.(line);
    return { kind: 'exited', code: 0 };
  };
  const checkedOut = await checkOutWith(print, () => {});
  expect(checkedOut.revision).toBe('c0ffee');
  expect(checkedOut.committedOn).toBe(committedOn);
});

function checkOutWith(git: GitRunner, writeLine: (line: string) => void) {
  return checkOut(
    {
      url: 'https://host.example/a',
      address: { kind: 'https', host: 'host.example', port: 443 },
      protocols: ['https'],
      pinned: [],
      isPrivate: false,
      ref: 'nope',
    },
    {
      fetch: git,
      work: git,
      changeOwner: async () => {},
      countFile: () => undefined,
      writeLine,
      limits: { timeoutMs: 1_000, maxBytes: 1, maxFiles: 1 },
    },
    signal,
  );
}
