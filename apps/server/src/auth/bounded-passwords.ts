import { AuthProblem } from './auth-problem.ts';
import type { Passwords } from './passwords.ts';

/** What two cores hash in a few seconds; nobody waits for longer. */
const MAX_WAITING = 200;

/**
 * Passwords, so many at once. To hash one is dear on purpose, so whoever sends many from many addresses would otherwise
 * fill the memory with requests that wait.
 */
export function boundedPasswords(passwords: Passwords, maxWaiting = MAX_WAITING): Passwords {
  let waiting = 0;
  return {
    ...passwords,
    hash: (password) => inTurn(() => passwords.hash(password)),
    matches: (password, passwordHash) => inTurn(() => passwords.matches(password, passwordHash)),
  };

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (waiting >= maxWaiting) throw new AuthProblem('too-many-requests');
    waiting += 1;
    try {
      return await work();
    } finally {
      waiting -= 1;
    }
  }
}
