import {
  type ActiveSession,
  AUTH_PATHS,
  authError,
  type PersonalAccessToken,
  type SecurityEvent,
  type SecurityKey,
} from '@longshore/contract';

const at = '2025-01-01T00:00:00.000Z';

const SESSIONS: ActiveSession[] = ['session-1', 'session-2'].map((id, index) => ({
  id,
  createdAt: at,
  lastUsedAt: at,
  userAgent: 'Browser',
  address: null,
  isCurrent: index === 0,
}));
const TOKENS: PersonalAccessToken[] = [
  { id: 'pat-id-1', metadata: { for: 'ci' }, createdAt: at, lastUsedAt: null, expiresAt: at },
];
const KEYS: SecurityKey[] = [{ id: 'key-1', nickname: 'Blue', createdAt: at }];
const EVENTS: SecurityEvent[] = [
  { id: '1', at, kind: 'signed-up', address: '127.0.0.1', userAgent: null, details: {} },
];

/** Lists of one account: two sessions, an access token, a security key and a sign-up event. */
export function fakeAccountLists() {
  const lists: Record<string, { name: string; rows: readonly { id: string }[] }> = {
    [AUTH_PATHS.sessions]: { name: 'sessions', rows: SESSIONS },
    [AUTH_PATHS.pats]: { name: 'personalAccessTokens', rows: TOKENS },
    [AUTH_PATHS.securityKeys]: { name: 'securityKeys', rows: KEYS },
    [AUTH_PATHS.events]: { name: 'events', rows: EVENTS },
  };

  function remove(path: string, id: string): Response | undefined {
    const list = lists[path.replace('/:id', '')];
    if (list === undefined) return undefined;
    const rows = list.rows.filter((row) => row.id !== id);
    // Only the deletion of an unknown security key is an error.
    if (path === AUTH_PATHS.securityKey && rows.length === list.rows.length)
      return Response.json(authError('invalid-request'), { status: 400 });
    list.rows = rows;
    return Response.json('OK');
  }

  return (method: string, path: string, id: string): Response | undefined => {
    if (method === 'DELETE') return remove(path, id);
    const list = method === 'GET' ? lists[path] : undefined;
    return list && Response.json({ [list.name]: list.rows });
  };
}
