import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseChallenge } from './check-registry.ts';

const REALM = new URL('https://auth.docker.io/token');

it.each([
  ['Basic realm="Registry Realm"', { kind: 'basic' }],
  ['basic', { kind: 'basic' }],
  [
    'Bearer realm="https://auth.docker.io/token",service="registry.docker.io"',
    { kind: 'bearer', realm: REALM, service: 'registry.docker.io' },
  ],
  [
    'bearer service=registry.docker.io, realm=https://auth.docker.io/token',
    { kind: 'bearer', realm: REALM, service: 'registry.docker.io' },
  ],
  [
    'Bearer realm="https://auth.docker.io/token",service="a \\"b\\", c",scope="x"',
    { kind: 'bearer', realm: REALM, service: 'a "b", c' },
  ],
  [
    'Bearer realm="https://auth.docker.io/token"',
    { kind: 'bearer', realm: REALM, service: undefined },
  ],
  ['Bearer realm="/token"', undefined],
  ['Bearer', undefined],
  ['Negotiate abc', undefined],
  ['', undefined],
  [null, undefined],
])('reads %j', (header, challenge) => {
  expect(parseChallenge(header)).toEqual(challenge);
});

it('never throws', () => {
  fc.assert(fc.property(fc.string(), (text) => void parseChallenge(`Bearer ${text}`)));
});
