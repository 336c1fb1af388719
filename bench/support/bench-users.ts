import { AUTH_PATHS, SERVICE_PATHS } from '@longshore/contract';
import { type BenchUser, PASSWORD, signUp } from './bench-user.ts';
import type { VirtualClient } from './load/virtual-client.ts';

const AUTH = SERVICE_PATHS.auth[0];

export function emailOf(number: number): string {
  return `ada-${number}@example.com`;
}

/** Users who signed up one after another. */
export async function signUpMany(url: string, count: number): Promise<BenchUser[]> {
  const users: BenchUser[] = [];
  for (let number = 0; number < count; number += 1) {
    users.push(await signUp(url, emailOf(number)));
  }
  return users;
}

/** Clients that sign in repeatedly with email and password. */
export function signInsOf(users: readonly BenchUser[]): VirtualClient[] {
  return users.map((_, number) => ({
    method: 'POST',
    path: `${AUTH}${AUTH_PATHS.signInEmailPassword}`,
    body: { email: emailOf(number), password: PASSWORD },
  }));
}

/** A client that refreshes one session repeatedly, with the token of the last response. */
export function refreshesOf({ refreshToken }: BenchUser): VirtualClient {
  return {
    method: 'POST',
    path: `${AUTH}${AUTH_PATHS.token}`,
    body: { refreshToken },
    carry: 'refreshToken',
  };
}

const LIST = 'query List { resources { id chart_name values status message } }';

/** A client that lists a user's resources, as the dashboard does. */
export function listOf({ accessToken }: BenchUser): VirtualClient {
  return {
    method: 'POST',
    path: SERVICE_PATHS.graphql[0],
    headers: { Authorization: `Bearer ${accessToken}` },
    body: { query: LIST },
  };
}
