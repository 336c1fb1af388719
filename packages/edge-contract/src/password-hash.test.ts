import { expect, it } from 'vitest';
import { hashPassword, isPassword } from './password-hash.ts';

it('recognizes the password of a hash and no other', async () => {
  const hash = await hashPassword('pässword');
  expect(hash).not.toContain('pässword');
  expect(await isPassword('pässword', hash)).toBe(true);
  expect(await isPassword('password', hash)).toBe(false);
});

it('has a salt of its own for each hash', async () => {
  expect(await hashPassword('secret')).not.toBe(await hashPassword('secret'));
});

it.each([
  '',
  'secret',
  '$scrypt$ln=30,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  '$scrypt$ln=14,r=8,p=1$$',
])('refuses the hash %j', async (hash) => {
  expect(await isPassword('secret', hash)).toBe(false);
});
