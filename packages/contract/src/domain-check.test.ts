import { expect, it } from 'vitest';
import { decodeDomainCheck } from './domain-check.ts';

it('reads an answer, and leaves out what is no address', () => {
  const answer = { state: 'elsewhere', addresses: ['192.0.2.1', 7], extra: true };
  expect(decodeDomainCheck(answer)).toEqual({ state: 'elsewhere', addresses: ['192.0.2.1'] });
});

it.each([undefined, null, [], {}, { state: 'verified' }, { state: 'odd', addresses: [] }])(
  'takes %j for no answer',
  (answer) => {
    expect(decodeDomainCheck(answer)).toBeUndefined();
  },
);
