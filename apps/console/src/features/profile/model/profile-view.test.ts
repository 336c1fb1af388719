import { describe, expect, it } from 'vitest';
import { aUser } from '../../../../test/resources.ts';
import { avatarColour, initialsOf, profileView } from './profile-view.ts';

describe('the profile', () => {
  it('has fallbacks for missing values', () => {
    const view = profileView(aUser({ displayName: '', locale: '', isAnonymous: true }));
    expect(view).toMatchObject({ name: 'User', locale: 'Not specified', account: 'Anonymous' });
  });

  it('shows the joining date in long US format', () => {
    expect(profileView(aUser({ createdAt: '2025-03-09T12:00:00Z' })).joined).toBe('March 9, 2025');
  });

  it.each([
    ['a', 1],
    ['ab', 3],
    ['', 0],
  ])('gives user %j the avatar colour %i', (id, colour) => {
    expect(avatarColour(id)).toBe(colour);
  });

  it.each([
    ['Ada Lovelace', 'AL'],
    ['ada@example.com', 'AE'],
    ['ada', 'A'],
  ])('shortens the name %s to the initials %s', (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });
});
