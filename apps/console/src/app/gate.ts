import type { AuthState } from '@longshore/client';
import { ROUTES } from '@longshore/contract';

export type VisitorPage = 'login' | 'signup' | 'verify-email' | 'forgot-password';

export type Page =
  | { kind: 'redirect'; to: string }
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

/** The page for a path and an auth state (spec-map 2.1). */
export function pageAt(path: string, auth: AuthState['kind']): Page {
  const route = path.replace(/\/+$/, '');
  if (route === '') return { kind: 'redirect', to: ROUTES.dashboard };
  const visitorPage = VISITOR_PAGES[route];
  if (visitorPage !== undefined) return visitorsOnly(visitorPage, auth);
  if (route === ROUTES.dashboard || route.startsWith(`${ROUTES.dashboard}/`)) {
    return signedInOnly(auth);
  }
  return { kind: 'not-found' };
}

/** Nothing is rendered while authentication loads. */
function visitorsOnly(page: VisitorPage, auth: AuthState['kind']): Page {
  switch (auth) {
    case 'loading':
      return { kind: 'nothing' };
    case 'signed-in':
      return { kind: 'redirect', to: ROUTES.dashboard };
    case 'signed-out':
      return { kind: 'visitor', page };
  }
}

function signedInOnly(auth: AuthState['kind']): Page {
  switch (auth) {
    case 'loading':
      return { kind: 'spinner' };
    case 'signed-out':
      return { kind: 'redirect', to: ROUTES.login };
    case 'signed-in':
      return { kind: 'dashboard' };
  }
}
