import { expect, it } from 'vitest';
import { negotiate } from './negotiate.ts';

it.each([
  [['graphql-transport-ws'], 'modern'],
  [['graphql-ws'], 'legacy'],
  [['graphql-transport-ws', 'graphql-ws'], 'legacy'],
  [['something'], 'legacy'],
  [[], 'legacy'],
])('answers %j with the %s dialect', (asked, dialect) => {
  expect(negotiate(new Set(asked))).toBe(dialect);
});
