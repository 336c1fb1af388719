import { expect, it } from 'vitest';
import { decodeObservedState } from './observed-state.ts';

const serving = { release: 6, logName: 'app-3f2a91-2', hosts: ['shop.localhost'] };
const at = '2025-01-01T00:00:10.5+00:00';

it.each([
  [serving, serving],
  [{ ...serving, more: true }, serving],
  [
    { ...serving, hosts: [] },
    { ...serving, hosts: [] },
  ],
  [{ ...serving, hosts: undefined }, undefined],
  [{ ...serving, release: '6' }, undefined],
  [{ ...serving, logName: null }, undefined],
  [null, undefined],
  ['text', undefined],
])('decodes what serves: %j', (value, decoded) => {
  expect(decodeObservedState({ serving: value }).serving).toEqual(decoded);
});

it.each([
  [
    { kind: 'restart', at, requested: true },
    { kind: 'restart', at },
  ],
  [
    { kind: 'retry', at },
    { kind: 'retry', at },
  ],
  [
    { kind: 'new', at },
    { kind: 'retry', at },
  ],
  [{ kind: 'retry', at: 'soon' }, undefined],
  [{ kind: 'retry' }, undefined],
  [null, undefined],
])('decodes when an app is tried again: %j', (value, decoded) => {
  expect(decodeObservedState({ retry: value }).retry).toEqual(decoded);
});

it.each([null, undefined, 7])('decodes nothing from %j', (row) => {
  expect(decodeObservedState(row)).toEqual({ serving: undefined, retry: undefined });
});
