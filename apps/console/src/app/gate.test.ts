import { describe, expect, it } from 'vitest';
import { type Page, pageAt } from './gate.ts';

const toLogin: Page = { kind: 'redirect', to: '/login' };
const toDashboard: Page = { kind: 'redirect', to: '/dashboard' };
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
    ['/', toDashboard, toDashboard, toDashboard],
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
      expect(pageAt(path, 'loading')).toEqual(loading);
      expect(pageAt(path, 'signed-out')).toEqual(signedOut);
      expect(pageAt(path, 'signed-in')).toEqual(signedIn);
    },
  );
});
