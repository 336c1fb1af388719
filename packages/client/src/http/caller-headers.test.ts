import { describe, expect, it } from 'vitest';
import { authFetch, type Caller, callerHeaders } from './caller-headers.ts';

const bearer = { Authorization: 'Bearer t', accept: '*/*' };

describe('the headers of a call', () => {
  it.each<[Caller, Record<string, string>, Record<string, string>]>([
    [{}, bearer, bearer],
    [{ role: 'editor' }, bearer, { ...bearer, 'x-hasura-role': 'editor' }],
    [{ adminSecret: 's' }, bearer, { accept: '*/*', 'x-hasura-admin-secret': 's' }],
    [
      { adminSecret: 's', role: 'editor' },
      { role: 'public' },
      { 'x-hasura-admin-secret': 's', 'x-hasura-role': 'editor' },
    ],
  ])('for %j with %j are %j', (caller, headers, named) => {
    expect(callerHeaders(headers, caller)).toEqual(named);
  });

  it('keep the bearer token at the auth service', async () => {
    const sent: unknown[] = [];
    const fetch = authFetch(
      async (_, init) => {
        sent.push(init?.headers);
        return new Response();
      },
      { adminSecret: 's' },
    );
    await fetch('http://a', { headers: bearer });
    expect(sent).toEqual([{ ...bearer, 'x-hasura-admin-secret': 's' }]);
  });
});
