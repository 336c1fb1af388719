import { createSemaphore } from '../concurrency/semaphore.ts';
import { AuthProblem } from './auth-problem.ts';
import type { Passwords } from './passwords.ts';

/** What two cores hash in a few seconds; nobody waits for longer. */
const MAX_WAITING = 200;

/**
 * Passwords, so many at once. To hash one is dear on purpose, so whoever sends many from many addresses would otherwise
 * fill the memory with requests that wait.
 */
export function withQueueLimit(passwords: Passwords, maxWaiting = MAX_WAITING): Passwords {
  const pending = createSemaphore(maxWaiting);
  return {
    ...passwords,
    hash: (password) => unlessTooMany(() => passwords.hash(password)),
    matches: (password, passwordHash) =>
      unlessTooMany(() => passwords.matches(password, passwordHash)),
  };

  async function unlessTooMany<T>(work: () => Promise<T>): Promise<T> {
    const release = pending.tryAcquire();
    if (release === undefined) throw new AuthProblem('too-many-requests');
    return await work().finally(release);
  }
}
