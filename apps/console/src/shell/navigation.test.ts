import { describe, expect, it } from 'vitest';
import { isActiveEntry } from './navigation.ts';

describe('an entry of the navigation', () => {
  it.each([
    ['/dashboard/projects', '/dashboard/projects', true],
    ['/dashboard/projects', '/dashboard/projects/p1/apps/a1', true],
    ['/dashboard/projects', '/dashboard/integrations', false],
    ['/dashboard/projects', '/dashboard/projects-old', true],
    ['/dashboard', '/dashboard', true],
    ['/dashboard', '/dashboard/projects', false],
  ])('%s on the page %s is active: %s', (entry, page, isActive) => {
    expect(isActiveEntry(entry, page)).toBe(isActive);
  });
});
