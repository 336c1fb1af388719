import { expect, it } from 'vitest';
import { createKeptState } from './edge-state.ts';
import { openState, sealState } from './snapshot.ts';

const secret = Buffer.from('a secret of the installation');
const state = createKeptState().all();
const sealed = sealState(state, secret);

function changed(position: number): Buffer {
  const copy = Buffer.from(sealed);
  copy[position] = (copy[position] ?? 0) ^ 1;
  return copy;
}

it('opens what it sealed', () => {
  expect(openState(sealed, secret)).toEqual(state);
});

it('seals the same state differently each time', () => {
  expect(sealState(state, secret).equals(sealed)).toBe(false);
});

it.each<[string, Buffer, Buffer]>([
  ['with another secret', sealed, Buffer.from('another secret')],
  ['that is empty', Buffer.alloc(0), secret],
  ['that is cut off', sealed.subarray(0, 30), secret],
  ['without its last byte', sealed.subarray(0, -1), secret],
  ['of another format', changed(0), secret],
  ['with another nonce', changed(16), secret],
  ['with another tag', changed(28), secret],
  ['with another content', changed(sealed.length - 1), secret],
  [
    'of a version without certificates',
    sealState({ ...state, certificates: undefined as never }, secret),
    secret,
  ],
  [
    'of a version with other routes',
    sealState({ ...state, routes: [{ id: 'a' }] as never }, secret),
    secret,
  ],
])('does not open a snapshot %s', (_what, bytes, key) => {
  expect(openState(bytes, key)).toBeUndefined();
});
