import { createSimulatedClock } from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import { createAuthApi } from './auth-api.ts';

const { signal } = new AbortController();

describe('an error response of the auth service', () => {
  it.each([
    [
      { status: 409, error: 'taken', message: 'Taken' },
      { status: 409, error: 'taken', message: 'Taken' },
    ],
    [{ message: 'Taken' }, { status: 400, error: 'unknown', message: 'Taken' }],
    [{}, { status: 400, error: 'unknown', message: '' }],
    [null, { status: 400, error: 'unknown', message: '' }],
  ])('with the body %j is the error %j', async (body, error) => {
    const api = createAuthApi({
      url: 'http://backend',
      fetch: async () => Response.json(body, { status: 400 }),
      clock: createSimulatedClock(),
    });
    expect(await api.post('/user/password', { signal })).toEqual({ ok: false, error });
  });
});
