import { expect, it } from 'vitest';
import { negotiateSubprotocol } from './subprotocol.ts';

it.each([
  [['graphql-transport-ws'], 'modern'],
  [['graphql-ws'], 'legacy'],
  [['graphql-transport-ws', 'graphql-ws'], 'legacy'],
  [['something'], 'legacy'],
  [[], 'legacy'],
])('chooses for %j the %s subprotocol', (offered, name) => {
  expect(negotiateSubprotocol(new Set(offered))).toBe(name);
});
