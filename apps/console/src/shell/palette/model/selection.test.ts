import { describe, expect, it } from 'vitest';
import type { PaletteEntry } from './palette-entries.ts';
import { firstSelection, isConfirmed, positionOf, select } from './selection.ts';

function entry(key: string, fields: Partial<PaletteEntry> = {}): PaletteEntry {
  return { key, group: 'here', label: key, act: { kind: 'go', to: '/' }, ...fields };
}

const redeploy = entry('redeploy', { needsConfirmation: true });
const shop = entry('shop');
const web = entry('web');

describe('the selection', () => {
  it.each([
    ['', [redeploy, shop], 'shop'],
    [' ', [redeploy, shop], 'shop'],
    ['re', [redeploy, shop], 'redeploy'],
    ['', [redeploy], undefined],
    ['x', [], undefined],
  ])('for the input %j starts at the expected entry', (typed, entries, key) => {
    expect(firstSelection(entries, typed)).toEqual({ key, isAsked: false });
  });

  it.each([
    ['follows its entry when another one appears above', 'shop', [redeploy, shop, web], 1],
    ['is nowhere when its entry disappears', 'shop', [redeploy, web], -1],
    ['is the first entry when there was none', undefined, [web, shop], 0],
    ['is nowhere in an empty list', undefined, [], -1],
  ])('%s', (_, key, entries, position) => {
    expect(positionOf({ key, isAsked: false }, entries)).toBe(position);
  });
});

describe('a command that needs confirmation', () => {
  it.each([
    ['is not run when it is first chosen', { key: 'redeploy', isAsked: false }, false],
    ['is run when it is chosen again', { key: 'redeploy', isAsked: true }, true],
    ['is not run after the question about another one', { key: 'stop', isAsked: true }, false],
  ])('%s', (_, selection, isRun) => {
    expect(isConfirmed(selection, redeploy)).toBe(isRun);
    expect(isConfirmed(selection, shop)).toBe(true);
  });

  it('is asked about again after another entry was selected', () => {
    const asked = { key: 'redeploy', isAsked: true };
    expect(select(asked, 'redeploy')).toBe(asked);
    expect(select(select(asked, 'shop'), 'redeploy').isAsked).toBe(false);
  });
});
