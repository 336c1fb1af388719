import { AVATAR_COLOURS, type User } from '@longshore/contract';
import { MESSAGES } from '../messages.ts';

export type ProfileView = {
  name: string;
  initials: string;
  avatarColour: number;
  joined: string;
  email: string;
  account: string;
  locale: string;
  roles: string[];
};

export function profileView(user: User): ProfileView {
  const name = user.displayName || MESSAGES.nameFallback;
  return {
    name,
    initials: initialsOf(name),
    avatarColour: avatarColour(user.id),
    joined: joinedOn(user.createdAt),
    email: user.email ?? '',
    account: MESSAGES.accounts[user.isAnonymous ? 'anonymous' : 'registered'],
    locale: user.locale || MESSAGES.localeFallback,
    roles: user.roles,
  };
}

/** One of 4 colours, chosen by the sum of the user id's characters (spec-map 2.13). */
export function avatarColour(userId: string): number {
  const sum = [...userId].reduce((total, character) => total + character.charCodeAt(0), 0);
  return sum % AVATAR_COLOURS;
}

export function initialsOf(name: string): string {
  const words = name.split(/[\s@._-]+/).filter((word) => word !== '');
  return words
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('');
}

/** Long US format. */
function joinedOn(createdAt: string): string {
  const date = new Date(createdAt);
  if (Number.isNaN(date.getTime())) return '';
  return date.toLocaleDateString('en-US', { year: 'numeric', month: 'long', day: 'numeric' });
}
