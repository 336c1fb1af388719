import { expect, it } from 'vitest';
import { Secret } from '../secrets/secret.ts';
import { createPasswords, withQueueLimit } from './passwords.ts';

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

it('hashes with the recommended cost of argon2id by default', async () => {
  const passwords = createPasswords({ maxConcurrent: 1 });
  const hash = await passwords.hash(password);
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await passwords.matches(password, hash)).toBe(true);
  expect(await passwords.matches(new Secret('wrong horse'), hash)).toBe(false);
});

it.each([null, undefined, 'x'])('no password matches the hash %s', async (hash) => {
  expect(await createPasswords({ maxConcurrent: 1 }).matches(password, hash)).toBe(false);
});

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
