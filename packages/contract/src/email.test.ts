import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isEmail } from './email.ts';

describe('isEmail', () => {
  it.each([
    'ada@example.com',
    'Ada.Lovelace@Example.COM',
    'ada+console@mail.example.co.uk',
    "o'hara@example.com",
    'ada@xn--bcher-kva.example',
    'ada@example.xn--p1ai',
    'ada@xn--80akhbyknj4f.XN--VERMGENSBERATUNG-PWB',
    'ada@localhost',
    'ada@mail.localhost',
    `ada@${'a'.repeat(63)}.example`,
    'адa@example.com',
    '1@2.io',
    `${'a'.repeat(242)}@example.com`,
  ])('accepts %s', (email) => {
    expect(isEmail(email)).toBe(true);
  });

  it.each([
    '',
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'ada@localhosts',
    'ada@example.c',
    'ada@example.c0m',
    'ada@example.x--p1ai',
    'ada@example.xn--',
    'ada@example.xn--p1ai-',
    'ada@127.0.0.1',
    'ada@a..example.com',
    'ada@a-.example.com',
    `ada@${'a'.repeat(64)}.example`,
    'ada@.com',
    'ada@example..com',
    'ada@-example.com',
    'ada@example-.com',
    'ada@@example.com',
    'ada@b@example.com',
    'ada lovelace@example.com',
    ' ada@example.com',
    'ada@example.com ',
    'ada@example.com\n',
    'ada@example.com\r\nBcc: eve@example.com',
    '<ada@example.com>',
    'Ada <ada@example.com>',
    'ada@example.com,eve@example.com',
    'a\0da@example.com',
    'ada\u007f@example.com',
    'ada\u200b@example.com',
    'ada\u202e@example.com',
    'ada\ud800@example.com',
    `${'a'.repeat(243)}@example.com`,
  ])('rejects %j', (email) => {
    expect(isEmail(email)).toBe(false);
  });

  it.each([undefined, null, 7, true, {}, ['ada@example.com']])('rejects %j', (email) => {
    expect(isEmail(email)).toBe(false);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.anything(), (email) => typeof isEmail(email) === 'boolean'));
  });

  it('accepts common addresses at RFC 1123 hosts', () => {
    const email = fc.emailAddress({ size: 'small' }).filter((address) => address.length <= 254);
    fc.assert(fc.property(email, (address) => isEmail(address)));
  });
});
