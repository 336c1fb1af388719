import { expect, it } from 'vitest';
import { createLookup, type Resolver } from './lookup.ts';

const { signal } = new AbortController();

function refused(code: string): Promise<never> {
  return Promise.reject(Object.assign(new Error(code), { code }));
}

/** A name server that answers as told; one that hangs gives up when it is told to. */
function resolver(four: () => Promise<string[]>, six: () => Promise<string[]>): Resolver {
  let giveUp = () => {};
  const cancelled = new Promise<never>((_, reject) => {
    giveUp = () => reject(Object.assign(new Error('cancelled'), { code: 'ECANCELLED' }));
  });
  cancelled.catch(() => {});
  const orCancelled = (answer: Promise<string[]>) => Promise.race([answer, cancelled]);
  return {
    resolve4: () => orCancelled(four()),
    resolve6: () => orCancelled(six()),
    cancel: () => giveUp(),
  };
}

const hangs = () => new Promise<never>(() => {});

it.each<[string, () => Promise<string[]>, () => Promise<string[]>, string[] | undefined]>([
  [
    'both kinds',
    async () => ['192.0.2.1'],
    async () => ['2001:db8::1'],
    ['192.0.2.1', '2001:db8::1'],
  ],
  ['one kind only', async () => ['192.0.2.1'], () => refused('ENODATA'), ['192.0.2.1']],
  ['no address', () => refused('ENOTFOUND'), () => refused('ENOTFOUND'), []],
  ['a refusal', () => refused('ESERVFAIL'), async () => [], undefined],
  ['silence', hangs, hangs, undefined],
])('finds %s', async (_what, four, six, expected) => {
  const lookup = createLookup(() => resolver(four, six), 20);
  expect(await lookup('shop.example.com', signal)).toEqual(expected);
});

it('gives up when nobody wants to know any more', async () => {
  const leaving = new AbortController();
  const lookup = createLookup(() => resolver(hangs, hangs), 60_000);
  const asked = lookup('shop.example.com', leaving.signal);
  leaving.abort();
  expect(await asked).toBeUndefined();
});
