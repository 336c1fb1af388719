import { type AuthState, isRetryable } from '@longshore/client';
import { type AuthError, ROUTES } from '@longshore/contract';
import { dashboardPath, type ReturnPath } from '../lib/return-path.ts';

export type VisitorPage = 'login' | 'signup' | 'verify-email' | 'forgot-password';

export type Page =
  | { kind: 'redirect'; to: string; keepsQuery?: boolean }
  | { kind: 'nothing' }
  | { kind: 'spinner' }
  | { kind: 'visitor'; page: VisitorPage }
  | { kind: 'dashboard' }
  | { kind: 'not-found' };

const VISITOR_PAGES: Record<string, VisitorPage> = {
  [ROUTES.login]: 'login',
  [ROUTES.signup]: 'signup',
  [ROUTES.verifyEmail]: 'verify-email',
  [ROUTES.forgotPassword]: 'forgot-password',
};

/**
 * The page for a path and an auth state (spec-map 2.1). A redirect keeps the query while it may hold a session that is not
 * imported yet: the refresh token leaves the address only after sign-in (spec-map 7.2.29).
 */
export function pageAt(path: string, auth: AuthState): Page {
  const route = path.replace(/\/+$/, '');
  if (route === '') return { kind: 'redirect', to: ROUTES.dashboard, keepsQuery: true };
  const visitorPage = VISITOR_PAGES[route];
  if (visitorPage !== undefined) return visitorsOnly(visitorPage, auth);
  if (route === ROUTES.dashboard || route.startsWith(`${ROUTES.dashboard}/`)) {
    return signedInOnly(auth);
  }
  return { kind: 'not-found' };
}

/** Nothing is rendered while authentication loads. */
function visitorsOnly(page: VisitorPage, auth: AuthState): Page {
  switch (auth.kind) {
    case 'loading':
      return { kind: 'nothing' };
    case 'signed-in':
      return { kind: 'redirect', to: ROUTES.dashboard };
    case 'signed-out':
      return { kind: 'visitor', page };
  }
}

function signedInOnly(auth: AuthState): Page {
  switch (auth.kind) {
    case 'loading':
      return { kind: 'spinner' };
    case 'signed-out':
      return { kind: 'redirect', to: ROUTES.login, keepsQuery: isImportUnfinished(auth) };
    case 'signed-in':
      return { kind: 'dashboard' };
  }
}

/** The server was not reachable, so a token in the URL is still valid: reloading the page imports it. */
function isImportUnfinished({ error }: { error?: AuthError }): boolean {
  return error !== undefined && isRetryable(error);
}

/**
 * The page to return to after sign-in. After a deliberate sign-out there is none; a session that ended with an error
 * leaves the page to its user only.
 */
export function pageToRemember(
  before: AuthState,
  { error }: { error?: AuthError },
  href: string,
): ReturnPath | undefined {
  const user = before.kind === 'signed-in' ? before.user : undefined;
  if (user !== undefined && error === undefined) return undefined;
  const path = dashboardPath(href, new URL(href).origin);
  return path === undefined ? undefined : { path, ...(user && { userId: user.id }) };
}
