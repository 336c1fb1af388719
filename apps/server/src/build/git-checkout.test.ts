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
  const checkedOut = checkOut(
    {
      url: 'https://host.example/a',
      address: { kind: 'https', host: 'host.example', port: 443 },
      protocols: ['https'],
      pinned: [],
      isPrivate: false,
      ref: 'nope',
    },
    {
      fetch: printEndlessly,
      work: printEndlessly,
      changeOwner: async () => {},
      countFile: () => undefined,
      writeLine: (line) => loggedLines.push(line),
      limits: { timeoutMs: 1_000, maxBytes: 1, maxFiles: 1 },
    },
    signal,
  );
  await expect(checkedOut).rejects.toMatchObject({ reason: 'ref-not-found' });
  expect(loggedLines.length).toBeLessThan(1_000);
});
