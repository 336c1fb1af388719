import { expect } from 'vitest';
import type { Account } from './account.ts';

/** Resolves when the app runs as its owner wants it. */
export async function untilSynced(account: Account, appId: string): Promise<void> {
  const statusOf = async () => (await account.app(appId)).status;
  await expect.poll(statusOf, { timeout: 60_000 }).toBe('synced');
}
