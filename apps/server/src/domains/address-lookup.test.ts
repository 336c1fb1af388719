import { expect, it } from 'vitest';
import { createAddressLookup, type Resolver } from './address-lookup.ts';

const { signal } = new AbortController();

function failWith(code: string): Promise<never> {
  return Promise.reject(Object.assign(new Error(code), { code }));
}

/** A resolver with fixed responses. A pending query rejects when it is cancelled. */
function resolver(four: () => Promise<string[]>, six: () => Promise<string[]>): Resolver {
  let rejectPending = () => {};
  const cancelled = new Promise<never>((_, reject) => {
    rejectPending = () => reject(Object.assign(new Error('cancelled'), { code: 'ECANCELLED' }));
  });
  cancelled.catch(() => {});
  const orCancelled = (response: Promise<string[]>) => Promise.race([response, cancelled]);
  return {
    resolve4: () => orCancelled(four()),
    resolve6: () => orCancelled(six()),
    cancel: () => rejectPending(),
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
  ['one kind only', async () => ['192.0.2.1'], () => failWith('ENODATA'), ['192.0.2.1']],
  ['no address', () => failWith('ENOTFOUND'), () => failWith('ENOTFOUND'), []],
  ['an error', () => failWith('ESERVFAIL'), async () => [], undefined],
  ['a timeout', hangs, hangs, undefined],
])('returns the result for %s', async (_what, four, six, expected) => {
  const lookup = createAddressLookup(() => resolver(four, six), 20);
  expect(await lookup('shop.example.com', signal)).toEqual(expected);
});

it('stops when the signal is aborted', async () => {
  const abort = new AbortController();
  const lookup = createAddressLookup(() => resolver(hangs, hangs), 60_000);
  const lookingUp = lookup('shop.example.com', abort.signal);
  abort.abort();
  expect(await lookingUp).toBeUndefined();
});
