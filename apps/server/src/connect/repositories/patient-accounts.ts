import type { Clock } from '../../schedule/clock.ts';
import type { AccountAccess } from '../accounts/accounts.ts';
import { ProviderFailure } from '../providers/provider-failure.ts';

/** However long a provider wants to be left alone, somebody may look after that whether it still does. */
const MAX_PATIENCE_MS = 60_000;

type Wait = { failure: ProviderFailure; endsAt: number };

/** Does not ask for an integration whose provider wants to be left alone: asking on makes providers wait for longer. */
export function createPatientAccounts(
  accounts: AccountAccess,
  clock: Pick<Clock, 'now'>,
): AccountAccess {
  const waits = new Map<string, Wait>();

  function waitOf(id: string): Wait | undefined {
    const wait = waits.get(id);
    if (wait === undefined || wait.endsAt > clock.now()) return wait;
    waits.delete(id);
    return undefined;
  }

  function remember(id: string, failure: ProviderFailure): void {
    if (failure.retryAt === undefined) return;
    for (const known of waits.keys()) waitOf(known);
    const latest = clock.now() + MAX_PATIENCE_MS;
    waits.set(id, { failure, endsAt: Math.min(failure.retryAt.getTime(), latest) });
  }

  return {
    async use(integration, ask) {
      const wait = waitOf(integration.id);
      if (wait !== undefined) throw wait.failure;
      try {
        return await accounts.use(integration, ask);
      } catch (error) {
        if (error instanceof ProviderFailure) remember(integration.id, error);
        throw error;
      }
    },
  };
}
