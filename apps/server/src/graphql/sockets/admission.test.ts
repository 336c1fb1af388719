import { expect, it } from 'vitest';
import { GraphqlProblem } from '../graphql-problem.ts';
import type { GraphqlCaller } from '../resolve-caller.ts';
import { type AdmissionDeps, admit } from './admission.ts';

const ADA: GraphqlCaller = { role: 'user', userId: 'ada', sessionId: 's1', expiresAt: 1 };

async function knock(
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
    { params, upgrade, enter: () => hasRoom },
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
  ['in either spelling', { headers: { Authorization: 'Bearer good' } }, {}],
  ['in the other', { headers: { authorization: 'Bearer good' } }, {}],
  ['of the upgrade', undefined, { authorization: 'Bearer good' }],
  [
    'of the first message before those of the upgrade',
    { headers: { Authorization: 'Bearer good' } },
    { authorization: 'Bearer bad' },
  ],
])('reads headers %s', async (_, params, upgrade) => {
  expect((await knock(params, { upgrade })).admission).toEqual({ kind: 'admitted' });
});

it.each([
  ['nothing', undefined],
  ['a bad token', { headers: { Authorization: 'Bearer bad' } }],
  ['headers that are no texts', { headers: { Authorization: ['Bearer good'] } }],
  ['headers that are no headers', { headers: 'Authorization: Bearer good' }],
])('refuses %s in the words of the refusal', async (_, params) => {
  expect((await knock(params)).admission).toEqual({ kind: 'refused', message: 'no' });
});

const GOOD = { headers: { Authorization: 'Bearer good' } };

it('refuses a token whose session is over', async () => {
  const { admission } = await knock(GOOD, { isSignedIn: async () => false });
  expect(admission).toEqual({ kind: 'refused', message: 'The session is over' });
});

it('asks to come later when nobody can tell', async () => {
  const { admission, errors } = await knock(GOOD, {
    isSignedIn: () => Promise.reject(new Error('no database')),
  });
  expect(admission).toEqual({ kind: 'unavailable' });
  expect(errors).toHaveLength(1);
});

it('lets nobody in where there is no room', async () => {
  expect((await knock(GOOD, { hasRoom: false })).admission).toEqual({ kind: 'crowded' });
});
