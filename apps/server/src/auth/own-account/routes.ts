import { AUTH_PATHS } from '@longshore/contract';
import { Hono } from 'hono';
import type { AuthDeps } from '../deps.ts';
import { listEvents } from './list-events.ts';
import { listPats } from './list-pats.ts';
import { listSessions } from './list-sessions.ts';
import { revokePat } from './revoke-pat.ts';
import { revokeSession } from './revoke-session.ts';

/** What people see of their own account. */
export function createOwnAccountRoutes(deps: AuthDeps): Hono {
  return new Hono()
    .get(AUTH_PATHS.sessions, (context) => listSessions(context, deps))
    .delete(AUTH_PATHS.session, (context) => revokeSession(context, deps))
    .get(AUTH_PATHS.pats, (context) => listPats(context, deps))
    .delete(AUTH_PATHS.pat, (context) => revokePat(context, deps))
    .get(AUTH_PATHS.events, (context) => listEvents(context, deps));
}
