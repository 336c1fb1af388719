import { expect, it } from 'vitest';
import { Secret } from '../secrets/secret.ts';
import { withQueueLimit } from './passwords.ts';

const password = new Secret('correct horse');

/** Passwords that take until they are let go. */
function slowPasswords() {
  const end = Promise.withResolvers<void>();
  const passwords = withQueueLimit(
    {
      hash: async () => await end.promise.then(() => 'hash'),
      matches: async () => await end.promise.then(() => true),
      isOutdated: () => false,
    },
    3,
  );
  return { passwords, finish: end.resolve };
}

it('lets nobody wait behind more passwords than can be looked at in a few seconds', async () => {
  const { passwords, finish } = slowPasswords();
  const waiting = [passwords.hash(password), passwords.matches(password, 'hash')];
  const last = passwords.matches(password, undefined);
  await expect(passwords.matches(password, 'hash')).rejects.toMatchObject({ status: 429 });
  await expect(passwords.hash(password)).rejects.toMatchObject({ code: 'too-many-requests' });
  finish();
  expect(await Promise.all([...waiting, last])).toEqual(['hash', true, true]);
});

it('has room again once some are done, also when they failed', async () => {
  const broken = withQueueLimit(
    {
      hash: () => Promise.reject(new Error('no memory')),
      matches: async () => true,
      isOutdated: () => false,
    },
    1,
  );
  await expect(broken.hash(password)).rejects.toThrow('no memory');
  expect(await broken.matches(password, 'hash')).toBe(true);
  expect(await broken.matches(password, 'hash')).toBe(true);
});
