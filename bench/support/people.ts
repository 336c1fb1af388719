import { AUTH_PATHS, SERVICE_PATHS } from '@longshore/contract';
import type { Caller } from './load/caller.ts';
import { PASSWORD, type Person, signUp } from './person.ts';

const AUTH = SERVICE_PATHS.auth[0];

export function emailOf(number: number): string {
  return `ada-${number}@example.com`;
}

/** People who have signed up, one after another. */
export async function signUpMany(url: string, count: number): Promise<Person[]> {
  const people: Person[] = [];
  for (let number = 0; number < count; number += 1) {
    people.push(await signUp(url, emailOf(number)));
  }
  return people;
}

/** Each signs in again and again with email and password. */
export function signInsOf(people: readonly Person[]): Caller[] {
  return people.map((_, number) => ({
    method: 'POST',
    path: `${AUTH}${AUTH_PATHS.signInEmailPassword}`,
    body: { email: emailOf(number), password: PASSWORD },
  }));
}

/** Refreshes one session again and again, with the token that the last answer gave. */
export function refreshesOf({ refreshToken }: Person): Caller {
  return {
    method: 'POST',
    path: `${AUTH}${AUTH_PATHS.token}`,
    body: { refreshToken },
    carry: 'refreshToken',
  };
}

const LIST = 'query List { resources { id chart_name values status message } }';

/** Asks for a person's resources, as the dashboard does. */
export function listOf({ accessToken }: Person): Caller {
  return {
    method: 'POST',
    path: SERVICE_PATHS.graphql[0],
    headers: { Authorization: `Bearer ${accessToken}` },
    body: { query: LIST },
  };
}
