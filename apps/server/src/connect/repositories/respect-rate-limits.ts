import type { Clock } from '@longshore/edge-contract';
import type { AccountAccess } from '../accounts/accounts.ts';
import { ProviderFailure } from '../providers/provider-failure.ts';

/** Upper limit for the time without requests, even if the provider requests more. */
const MAX_BLOCK_MS = 60_000;

type Block = { failure: ProviderFailure; endsAt: number };

/**
 * After a rate-limit failure, fails immediately for that integration until the provider accepts requests again:
 * further requests would extend the limit at some providers.
 */
export function respectRateLimits(
  accounts: AccountAccess,
  clock: Pick<Clock, 'now'>,
): AccountAccess {
  const blocks = new Map<string, Block>();

  function activeBlock(id: string): Block | undefined {
    const block = blocks.get(id);
    if (block === undefined || block.endsAt > clock.now()) return block;
    blocks.delete(id);
    return undefined;
  }

  function addBlock(id: string, failure: ProviderFailure): void {
    if (failure.retryAt === undefined) return;
    // `activeBlock` deletes blocks that have ended.
    for (const blockedId of blocks.keys()) activeBlock(blockedId);
    const latest = clock.now() + MAX_BLOCK_MS;
    blocks.set(id, { failure, endsAt: Math.min(failure.retryAt.getTime(), latest) });
  }

  return {
    async use(integration, send) {
      const block = activeBlock(integration.id);
      if (block !== undefined) throw block.failure;
      try {
        return await accounts.use(integration, send);
      } catch (error) {
        if (error instanceof ProviderFailure) addBlock(integration.id, error);
        throw error;
      }
    },
  };
}
