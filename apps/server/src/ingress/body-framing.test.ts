import { expect, it } from 'vitest';
import { bodyFraming, hasBody } from './body-framing.ts';

it.each([
  [{}, { kind: 'none' }],
  [{ 'content-length': '5' }, { kind: 'length', length: '5' }],
  [{ 'transfer-encoding': 'Chunked' }, { kind: 'chunked' }],
  [{ 'transfer-encoding': 'gzip, chunked' }, { kind: 'unsupported' }],
  [{ 'transfer-encoding': 'chunked, chunked' }, { kind: 'unsupported' }],
  [{ 'transfer-encoding': 'chunked', 'content-length': '5' }, { kind: 'unsupported' }],
])('reads the framing from headers %j', (headers, expected) => {
  expect(bodyFraming(headers)).toEqual(expected);
});

it.each([
  [{ kind: 'none' }, false],
  [{ kind: 'length', length: '0' }, false],
  [{ kind: 'length', length: '00' }, false],
  [{ kind: 'length', length: '5' }, true],
  [{ kind: 'chunked' }, true],
] as const)('a request with framing %j has a body: %s', (framing, expected) => {
  expect(hasBody(framing)).toBe(expected);
});
