import type { AuthState } from '@longshore/client';
import { authError, clientError } from '@longshore/contract';
import { describe, expect, it } from 'vitest';
import { aUser } from '../../test/resources.ts';
import { type Page, pageAt } from './gate.ts';

const loadingAuth: AuthState = { kind: 'loading' };
const signedOutAuth = { kind: 'signed-out', needsEmailVerification: false } as const;
const signedInAuth: AuthState = { kind: 'signed-in', user: aUser(), accessToken: 'token' };
const toLogin: Page = { kind: 'redirect', to: '/login', keepsQuery: false };
const toDashboard: Page = { kind: 'redirect', to: '/dashboard' };
const toDashboardWithQuery: Page = { ...toDashboard, keepsQuery: true };
const nothing: Page = { kind: 'nothing' };
const spinner: Page = { kind: 'spinner' };
const dashboard: Page = { kind: 'dashboard' };
const notFound: Page = { kind: 'not-found' };
const visitor = (page: 'login' | 'signup' | 'verify-email' | 'forgot-password'): Page => ({
  kind: 'visitor',
  page,
});

describe('the page at a path', () => {
  it.each<[path: string, loading: Page, signedOut: Page, signedIn: Page]>([
    ['/', toDashboardWithQuery, toDashboardWithQuery, toDashboardWithQuery],
    ['/login', nothing, visitor('login'), toDashboard],
    ['/login/', nothing, visitor('login'), toDashboard],
    ['/signup', nothing, visitor('signup'), toDashboard],
    ['/verify-email', nothing, visitor('verify-email'), toDashboard],
    ['/forgot-password', nothing, visitor('forgot-password'), toDashboard],
    ['/dashboard', spinner, toLogin, dashboard],
    ['/dashboard/projects/p1/apps/a1', spinner, toLogin, dashboard],
    ['/dashboard/nowhere', spinner, toLogin, dashboard],
    ['/dashboards', notFound, notFound, notFound],
    ['/nowhere', notFound, notFound, notFound],
  ])(
    '%s for the states loading, signed-out and signed-in',
    (path, loading, signedOut, signedIn) => {
      expect(pageAt(path, loadingAuth)).toEqual(loading);
      expect(pageAt(path, signedOutAuth)).toEqual(signedOut);
      expect(pageAt(path, signedInAuth)).toEqual(signedIn);
    },
  );

  it.each([
    [clientError('network'), true],
    [{ status: 503, error: 'unknown', message: 'Service Unavailable' }, true],
    [authError('invalid-refresh-token'), false],
    [{ status: 10, error: 'invalid-ticket', message: 'Invalid ticket' }, false],
  ])(
    'after the error %j the redirect to the login page keeps the query: %s',
    (error, keepsQuery) => {
      const page = pageAt('/dashboard', { ...signedOutAuth, error });
      expect(page).toEqual({ kind: 'redirect', to: '/login', keepsQuery });
    },
  );
});
