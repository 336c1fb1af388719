import { describe, expect, it } from 'vitest';
import { badgeOf, isStatus } from './status.ts';

describe('badgeOf', () => {
  it.each([
    ['synced', 1, 'Ready'],
    ['syncing', 1, 'Loading'],
    ['backoff', 1, 'Error'],
    ['synced', 0, 'Hibernated'],
    ['backoff', 0, 'Hibernated'],
    ['hibernated', 0, 'Hibernated'],
    ['', 0, 'Hibernated'],
    ['syncing', 0, 'Loading'],
    ['', 1, 'Unknown'],
    ['degraded', 1, 'Unknown'],
    ['Synced', 1, 'Unknown'],
    ['toString', 1, 'Unknown'],
    ['__proto__', 1, 'Unknown'],
  ])('shows status %j with %i instances as %s', (status, instances, badge) => {
    expect(badgeOf({ status, instances })).toBe(badge);
  });
});

describe('isStatus', () => {
  it.each(['synced', 'syncing', 'backoff'])('knows %s', (status) => {
    expect(isStatus(status)).toBe(true);
  });

  it.each(['', 'hibernated', 'SYNCED', 'constructor'])('does not know %j', (status) => {
    expect(isStatus(status)).toBe(false);
  });
});
