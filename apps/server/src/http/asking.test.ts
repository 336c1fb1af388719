import { expect, it } from 'vitest';
import { type Asking, type Credentials, whoAsks } from './asking.ts';

const ada: Credentials = {
  kind: 'identified',
  identified: { userId: 'ada', defaultRole: 'user', allowedRoles: ['user', 'me'] },
};
const asAda = (role: string): Asking => ({
  kind: 'user',
  userId: 'ada',
  role,
  roles: ['user', 'me'],
});

it.each<[string, Credentials, string | undefined, Asking]>([
  ['a token', ada, undefined, asAda('user')],
  ['a token and one of its roles', ada, 'me', asAda('me')],
  ['a token and another role', ada, 'admin', { kind: 'refused', why: 'role' }],
  ['a token and the public role', ada, 'public', { kind: 'nobody' }],
  ['a bad token', { kind: 'refused' }, undefined, { kind: 'refused', why: 'token' }],
  ['no token', { kind: 'nobody' }, undefined, { kind: 'nobody' }],
  ['no token and the public role', { kind: 'nobody' }, 'public', { kind: 'nobody' }],
  ['no token and a role', { kind: 'nobody' }, 'user', { kind: 'refused', why: 'role' }],
])('knows who asks by %s', (_, credentials, role, asking) => {
  expect(whoAsks(credentials, role)).toEqual(asking);
});
