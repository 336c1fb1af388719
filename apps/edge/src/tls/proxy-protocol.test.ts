import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proxyHeader } from '../../test/proxy-header.ts';
import { parseProxyHeader } from './proxy-protocol.ts';

const IPV6 = '20010db8000000000000000000000001';
const SIGNATURE = '0d0a0d0a000d0a515549540a';

describe('parseProxyHeader', () => {
  it.each([
    ['TCP over IPv4', `${SIGNATURE}2111000ccb007107c000020104d20050`, '203.0.113.7'],
    ['TCP over IPv6', `${SIGNATURE}21210024${IPV6}${IPV6}04d201bb`, '2001:db8::1'],
    [
      'an IPv4 address as IPv6',
      `${SIGNATURE}2121002400000000000000000000ffffcb007107${IPV6}04d201bb`,
      '203.0.113.7',
    ],
    [
      'extensions',
      `${SIGNATURE}21110013cb007107c000020104d20050${'05000461626364'}`,
      '203.0.113.7',
    ],
    ['an unknown protocol', `${SIGNATURE}21000000`, undefined],
    ['LOCAL', `${SIGNATURE}20000000`, undefined],
    ['LOCAL with addresses, which do not count', `${SIGNATURE}2011000ccb007107c000020104d20050`],
    ['LOCAL with a family that is not known', `${SIGNATURE}20ff0000`],
  ])('reads %s', (_name, hex, source = undefined) => {
    const bytes = Buffer.from(hex, 'hex');
    const expected = { kind: 'header', length: bytes.length, source };
    expect(parseProxyHeader(bytes)).toEqual(expected);
    expect(parseProxyHeader(Buffer.concat([bytes, Buffer.from('GET /')]))).toEqual(expected);
    for (let length = 0; length < bytes.length; length += 1) {
      expect(parseProxyHeader(bytes.subarray(0, length))).toEqual({ kind: 'incomplete' });
    }
  });

  it.each([
    ['a request', Buffer.from('GET / HTTP/1.1\r\n').toString('hex')],
    ['a TLS handshake', '1603010200'],
    ['version 1', Buffer.from('PROXY TCP4 1.2.3.4 5.6.7.8 9 10\r\n').toString('hex')],
    ['a broken signature', '0d0a0d0a000d0a51554954'.concat('0b')],
    ['another version', `${SIGNATURE}31`],
    ['another command', `${SIGNATURE}22`],
    ['UDP', `${SIGNATURE}2112`],
    ['a unix socket', `${SIGNATURE}2131`],
    ['less than the addresses', `${SIGNATURE}2111000b`],
    ['a header of more than 4,096 bytes', `${SIGNATURE}21111001`],
    ['a LOCAL header of more than 4,096 bytes', `${SIGNATURE}2000ffff`],
  ])('refuses %s', (_name, hex) => {
    expect(parseProxyHeader(Buffer.from(hex, 'hex'))).toEqual({ kind: 'invalid' });
  });

  it('reads what a proxy wrote, whatever follows', () => {
    void fc.assert(
      fc.property(fc.ipV4(), fc.uint8Array({ maxLength: 100 }), (address, rest) => {
        const header = proxyHeader(address);
        const parsed = parseProxyHeader(Buffer.concat([header, rest]));
        expect(parsed).toEqual({ kind: 'header', length: header.length, source: address });
      }),
    );
  });

  it('never throws, and never takes more bytes than there are', () => {
    const tail = fc.uint8Array({ maxLength: 64 });
    void fc.assert(
      fc.property(tail, fc.boolean(), (bytes, isSigned) => {
        const signature = isSigned ? Buffer.from(SIGNATURE, 'hex') : Buffer.alloc(0);
        const input = Buffer.concat([signature, bytes]);
        const parsed = parseProxyHeader(input);
        if (parsed.kind === 'header') expect(parsed.length).toBeLessThanOrEqual(input.length);
      }),
    );
  });
});
