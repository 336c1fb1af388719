import type { ReleaseCause } from '@longshore/contract';
import { expect, it } from 'vitest';
import { whoOf } from './who.ts';

const commit = 'c'.repeat(40);
const person = { userId: 'u1', name: 'Ada Lovelace' };
const other = { userId: 'u2', name: 'Grace Hopper' };
const push = { kind: 'push', ref: 'main', commit, by: '', subject: '' } as const;

it.each<[string | undefined, ReleaseCause | undefined]>([
  [undefined, undefined],
  ['By you', { kind: 'edit', person }],
  ['By Grace Hopper', { kind: 'edit', person: other }],
  ['By another user', { kind: 'edit', person: { ...other, name: '' } }],
  ['By the operator', { kind: 'edit' }],
  ['By you, with the token “ci”', { kind: 'edit', person: { ...person, token: 'ci' } }],
  ['By you, with a token', { kind: 'edit', person: { ...person, token: '' } }],
  ['Rolled back to #3 by you', { kind: 'rollback', to: 3, person }],
  ['Rolled back to #3 by the operator', { kind: 'rollback', to: 3 }],
  ['Push to main · ccccccc', push],
  [
    'Push to main by ada · ccccccc Fix the header',
    { ...push, by: 'ada', subject: 'Fix the header' },
  ],
  ['Push to main by ada', { ...push, by: 'ada', commit: '' }],
])('says %j', (who, cause) => {
  expect(whoOf(cause, 'u1')).toBe(who);
});
