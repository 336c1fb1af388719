import { describe, expect, it } from 'vitest';
import { metadataField } from './metadata-field.ts';

const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);

describe('metadataField', () => {
  it.each([
    ['an empty object', {}],
    ['values of every kind', { text: 'ü', number: 1, flag: true, none: null, list: [{ a: [] }] }],
    ['twenty levels', nested(20)],
    ['ten thousand characters', { a: 'x'.repeat(9_992) }],
  ])('accepts %s', (_, metadata) => {
    expect(metadataField.parse(metadata)).toEqual(metadata);
  });

  it.each([
    ['a list', []],
    ['text', 'text'],
    ['an unpaired surrogate', { a: ['\ud800'] }],
    ['an unpaired surrogate as name', { '\udc00': 1 }],
    ['a null character', { a: { b: '\0' } }],
    ['twenty-one levels', nested(21)],
    ['a hundred thousand levels', nested(100_000)],
    ['more than ten thousand characters', { a: 'x'.repeat(9_993) }],
  ])('refuses %s', (_, metadata) => {
    expect(metadataField.safeParse(metadata).success).toBe(false);
  });
});
