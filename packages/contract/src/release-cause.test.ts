import { expect, it } from 'vitest';
import { decodeReleaseCause } from './release-cause.ts';

it.each<[unknown, unknown]>([
  [{ kind: 'edit' }, { kind: 'edit' }],
  [
    { kind: 'edit', userId: 'u1', name: 'Ada' },
    { kind: 'edit', person: { userId: 'u1', name: 'Ada' } },
  ],
  [
    { kind: 'edit', userId: 'u1', token: 'ci' },
    { kind: 'edit', person: { userId: 'u1', name: '', token: 'ci' } },
  ],
  [
    { kind: 'rollback', to: 3, userId: 'u1', name: 'Ada' },
    { kind: 'rollback', to: 3, person: { userId: 'u1', name: 'Ada' } },
  ],
  [
    { kind: 'push', ref: 'main', commit: 'c0ffee', by: 'Ada' },
    { kind: 'push', ref: 'main', commit: 'c0ffee', by: 'Ada', subject: '' },
  ],
  [{ kind: 'wind' }, undefined],
  [null, undefined],
  ['edit', undefined],
])('reads %j', (stored, cause) => {
  expect(decodeReleaseCause(stored)).toEqual(cause);
});
