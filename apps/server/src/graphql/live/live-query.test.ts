import { parse } from 'graphql';
import { expect, it } from 'vitest';
import type { Operation } from '../operation.ts';
import type { GraphqlCaller } from '../resolve-caller.ts';
import { liveQuestion } from './live-query.ts';

const ADA: GraphqlCaller = { role: 'user', userId: 'ada', sessionId: 's1', expiresAt: 1 };
const QUERY = 'subscription ($id: uuid) { resources(where: {id: {_eq: $id}}) { id } }';

function keyOf(caller: GraphqlCaller, request: Record<string, unknown> = {}): string {
  const operation = { document: parse(QUERY) } as Operation;
  const asked = { request: { query: QUERY, ...request }, operation, caller };
  return liveQuestion(asked, { answer: async () => '' }).key;
}

it('is the same for two sessions of one user', () => {
  expect(keyOf({ ...ADA, sessionId: 's2', expiresAt: 2 })).toBe(keyOf(ADA));
});

it.each([
  ['another user', keyOf({ ...ADA, userId: 'eve' })],
  ['another role', keyOf({ role: 'public' })],
  ['other variables', keyOf(ADA, { variables: { id: '1' } })],
  ['another document', keyOf(ADA, { query: `${QUERY} ` })],
  ['another operation of it', keyOf(ADA, { operationName: 'Other' })],
])('differs for %s', (_, key) => {
  expect(key).not.toBe(keyOf(ADA));
});
