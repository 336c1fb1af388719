import { describe, expect, it } from 'vitest';
import { Secret } from '../secrets/secret.ts';
import { type Asking, type Credentials, createWhoAsks } from './asking.ts';

const ADA = '00000000-0000-4000-8000-00000000000a';
const TOKENS: Record<string, Credentials> = {
  ada: {
    kind: 'identified',
    identified: { userId: ADA, defaultRole: 'user', allowedRoles: ['user', 'me'] },
  },
  bad: { kind: 'refused' },
};

const whoAsks = createWhoAsks({
  credentials: async (token) => TOKENS[token ?? ''] ?? { kind: 'nobody' },
  adminSecret: new Secret('hunter2'),
});

const user = (role: string, roles = ['user', 'me']): Asking => ({
  kind: 'user',
  userId: ADA,
  role,
  roles,
});
const refused = (why: 'token' | 'role' | 'secret'): Asking => ({ kind: 'refused', why });
const secret = { 'x-hasura-admin-secret': 'hunter2' };
const asAda = { 'x-hasura-user-id': ADA };

describe('who asks is known by', () => {
  it.each<[string, Record<string, string>, Asking]>([
    ['a token', { authorization: 'ada' }, user('user')],
    ['a token and one of its roles', { authorization: 'ada', 'x-hasura-role': 'me' }, user('me')],
    ['a token and another role', { authorization: 'ada', 'x-hasura-role': 'x' }, refused('role')],
    ['a token and public', { authorization: 'ada', 'x-hasura-role': 'public' }, { kind: 'nobody' }],
    ['a bad token', { authorization: 'bad' }, refused('token')],
    ['nothing', {}, { kind: 'nobody' }],
    ['the public role alone', { 'x-hasura-role': 'public' }, { kind: 'nobody' }],
    ['a role alone', { 'x-hasura-role': 'user' }, refused('role')],
    ['the id of a user alone', asAda, { kind: 'nobody' }],
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
    ['the secret and public', { ...secret, 'x-hasura-role': 'public' }, { kind: 'nobody' }],
    [
      'the secret and no id',
      { ...secret, 'x-hasura-role': 'user', 'x-hasura-user-id': 'x' },
      refused('role'),
    ],
  ])('%s', async (_, headers, asking) => {
    expect(await whoAsks(new Headers(headers))).toEqual(asking);
  });

  it('no secret at all where none is set', async () => {
    const closed = createWhoAsks({
      credentials: async () => ({ kind: 'nobody' }),
      adminSecret: undefined,
    });
    for (const given of ['', 'undefined', 'hunter2']) {
      const headers = new Headers({ 'x-hasura-admin-secret': given });
      expect(await closed(headers)).toEqual(refused('secret'));
    }
  });
});
