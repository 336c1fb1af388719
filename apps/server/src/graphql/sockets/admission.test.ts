import { expect, it } from 'vitest';
import { GraphqlProblem } from '../graphql-problem.ts';
import type { GraphqlCaller } from '../resolve-caller.ts';
import { type AdmissionDeps, admit } from './admission.ts';

const ADA: GraphqlCaller = { role: 'user', userId: 'ada', sessionId: 's1', expiresAt: 1 };

async function connect(
  params: unknown,
  {
    upgrade = {},
    hasRoom = true,
    ...deps
  }: Partial<AdmissionDeps> & {
    upgrade?: Record<string, string>;
    hasRoom?: boolean;
  } = {},
) {
  const errors: unknown[] = [];
  const admission = await admit(
    { params, upgrade, register: () => hasRoom },
    {
      resolveCaller: async (header) => {
        if (header('authorization') !== 'Bearer good')
          throw new GraphqlProblem('invalid-jwt', 'no');
        return ADA;
      },
      isSignedIn: async () => true,
      logError: (error) => void errors.push(error),
      ...deps,
    },
  );
  return { admission, errors };
}

it.each([
  ['in upper case', { headers: { Authorization: 'Bearer good' } }, {}],
  ['in lower case', { headers: { authorization: 'Bearer good' } }, {}],
  ['of the upgrade', undefined, { authorization: 'Bearer good' }],
  [
    'of the first message before those of the upgrade',
    { headers: { Authorization: 'Bearer good' } },
    { authorization: 'Bearer bad' },
  ],
])('reads headers %s', async (_, params, upgrade) => {
  expect((await connect(params, { upgrade })).admission).toEqual({ kind: 'admitted' });
});

it.each([
  ['nothing', undefined],
  ['a bad token', { headers: { Authorization: 'Bearer bad' } }],
  ['headers that are not strings', { headers: { Authorization: ['Bearer good'] } }],
  ['headers that are not an object', { headers: 'Authorization: Bearer good' }],
])('refuses %s with the reason', async (_, params) => {
  expect((await connect(params)).admission).toEqual({ kind: 'refused', message: 'no' });
});

const GOOD = { headers: { Authorization: 'Bearer good' } };

it('refuses a token whose session has ended', async () => {
  const { admission } = await connect(GOOD, { isSignedIn: async () => false });
  expect(admission).toEqual({ kind: 'refused', message: 'The session has ended' });
});

it('is unavailable if the session cannot be checked', async () => {
  const { admission, errors } = await connect(GOOD, {
    isSignedIn: () => Promise.reject(new Error('no database')),
  });
  expect(admission).toEqual({ kind: 'unavailable' });
  expect(errors).toHaveLength(1);
});

it('refuses a connection if there are too many', async () => {
  expect((await connect(GOOD, { hasRoom: false })).admission).toEqual({
    kind: 'too-many-connections',
  });
});
