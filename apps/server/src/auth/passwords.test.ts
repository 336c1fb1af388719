import { expect, it } from 'vitest';
import { Secret } from '../secrets/secret.ts';
import { withQueueLimit } from './passwords.ts';

const password = new Secret('correct horse');

/** Passwords whose work is pending until `finish` is called. */
function pendingPasswords() {
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

it('refuses passwords while too many are pending', async () => {
  const { passwords, finish } = pendingPasswords();
  const pending = [passwords.hash(password), passwords.matches(password, 'hash')];
  const last = passwords.matches(password, undefined);
  await expect(passwords.matches(password, 'hash')).rejects.toMatchObject({ status: 429 });
  await expect(passwords.hash(password)).rejects.toMatchObject({ code: 'too-many-requests' });
  finish();
  expect(await Promise.all([...pending, last])).toEqual(['hash', true, true]);
});

it('accepts passwords again once pending ones are done or failed', async () => {
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
