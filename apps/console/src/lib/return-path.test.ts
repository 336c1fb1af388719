import { createMemoryStorage } from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import { dashboardPath, rememberReturnPath, returnPathOf } from './return-path.ts';

const origin = 'https://console.test';

describe('the page to return to', () => {
  it.each([
    ['/dashboard', '/dashboard'],
    ['/dashboard/projects/p1?tab=logs#line-7', '/dashboard/projects/p1?tab=logs#line-7'],
    ['https://console.test/dashboard?q=a%20b', '/dashboard?q=a%20b'],
    [
      '/dashboard/projects?refreshToken=secret&type=signinPasswordless&q=1',
      '/dashboard/projects?q=1',
    ],
    ['/dashboard?error=invalid-ticket&errorDescription=Expired', '/dashboard'],
    ['/dashboard#refreshToken=secret', '/dashboard'],
    ['/login', undefined],
    ['/signup', undefined],
    ['/dashboard/../login', undefined],
    ['/dashboards', undefined],
    ['/', undefined],
    ['//evil.test/dashboard', undefined],
    ['/\\evil.test/dashboard', undefined],
    ['https://evil.test/dashboard', undefined],
    ['https://console.test@evil.test/dashboard', undefined],
    ['javascript:alert(1)//dashboard', undefined],
    ['data:text/html,/dashboard', undefined],
    ['http://', undefined],
  ])('of %s is %s', (href, path) => {
    expect(dashboardPath(href, origin)).toBe(path);
  });
});

describe('a remembered page', () => {
  const path = '/dashboard/projects/p1';

  it.each([
    ['of a visitor is for every user', { path }, 'u1', path],
    ['of a user is for that user', { path, userId: 'u1' }, 'u1', path],
    ['of a user is not for another one', { path, userId: 'u1' }, 'u2', undefined],
    ['of another origin is ignored', { path: '//evil.test/dashboard' }, 'u1', undefined],
    ['that was forgotten is gone', undefined, 'u1', undefined],
  ])('%s', (_, stored, userId, expected) => {
    const storage = createMemoryStorage();
    rememberReturnPath(storage, { path: '/dashboard/old' });
    rememberReturnPath(storage, stored);
    expect(returnPathOf(storage, { origin, userId })).toBe(expected);
  });

  it.each(['nonsense', '7', 'null', '{"path":7}', '[]'])('stored as %s is ignored', (text) => {
    const storage = createMemoryStorage();
    storage.setItem('returnPath', text);
    expect(returnPathOf(storage, { origin, userId: 'u1' })).toBeUndefined();
  });
});
