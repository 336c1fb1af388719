import { describe, expect, it } from 'vitest';
import { Secret } from '../secrets/secret.ts';
import { type BearerCheck, type Caller, createCallerResolver } from './resolve-caller.ts';

const ADA = '00000000-0000-4000-8000-00000000000a';
const TOKENS: Record<string, BearerCheck> = {
  ada: {
    kind: 'identified',
    identified: { userId: ADA, defaultRole: 'user', allowedRoles: ['user', 'me'] },
  },
  bad: { kind: 'refused' },
};

const resolveCaller = createCallerResolver({
  checkBearer: async (token) => TOKENS[token ?? ''] ?? { kind: 'unauthenticated' },
  adminSecret: new Secret('hunter2'),
});

const user = (role: string, roles = ['user', 'me']): Caller => ({
  kind: 'user',
  userId: ADA,
  role,
  roles,
});
const refused = (why: 'token' | 'role' | 'secret'): Caller => ({ kind: 'refused', why });
const secret = { 'x-hasura-admin-secret': 'hunter2' };
const asAda = { 'x-hasura-user-id': ADA };

describe('the caller is resolved from', () => {
  it.each<[string, Record<string, string>, Caller]>([
    ['a token', { authorization: 'ada' }, user('user')],
    ['a token and one of its roles', { authorization: 'ada', 'x-hasura-role': 'me' }, user('me')],
    ['a token and another role', { authorization: 'ada', 'x-hasura-role': 'x' }, refused('role')],
    [
      'a token and public',
      { authorization: 'ada', 'x-hasura-role': 'public' },
      { kind: 'unauthenticated' },
    ],
    ['a bad token', { authorization: 'bad' }, refused('token')],
    ['nothing', {}, { kind: 'unauthenticated' }],
    ['the public role alone', { 'x-hasura-role': 'public' }, { kind: 'unauthenticated' }],
    ['a role alone', { 'x-hasura-role': 'user' }, refused('role')],
    ['the id of a user alone', asAda, { kind: 'unauthenticated' }],
    ['the admin secret', secret, { kind: 'admin' }],
    ['the admin secret before a token', { ...secret, authorization: 'bad' }, { kind: 'admin' }],
    ['a wrong admin secret', { 'x-hasura-admin-secret': 'x' }, refused('secret')],
    ['the secret and a user', { ...secret, ...asAda }, user('admin', ['admin'])],
    [
      'the secret, a user and a role',
      { ...secret, ...asAda, 'x-hasura-role': 'user' },
      user('user', ['user']),
    ],
    ['the secret and a role', { ...secret, 'x-hasura-role': 'user' }, refused('role')],
    [
      'the secret and public',
      { ...secret, 'x-hasura-role': 'public' },
      { kind: 'unauthenticated' },
    ],
    [
      'the secret and an invalid id',
      { ...secret, 'x-hasura-role': 'user', 'x-hasura-user-id': 'x' },
      refused('role'),
    ],
  ])('%s', async (_, headers, caller) => {
    expect(await resolveCaller(new Headers(headers))).toEqual(caller);
  });

  it('no secret if none is configured', async () => {
    const closed = createCallerResolver({
      checkBearer: async () => ({ kind: 'unauthenticated' }),
      adminSecret: undefined,
    });
    for (const value of ['', 'undefined', 'hunter2']) {
      const headers = new Headers({ 'x-hasura-admin-secret': value });
      expect(await closed(headers)).toEqual(refused('secret'));
    }
  });
});
