import type { WebhookDeps } from './deps.ts';
import { unregisterHook } from './registration.ts';

type Deps = Pick<WebhookDeps, 'hooks' | 'integrations' | 'accounts' | 'logError'>;

/** Takes back the hooks of apps that were deleted. */
export async function removeLeftHooks(deps: Deps): Promise<void> {
  for (const { ownerId, ...hook } of await deps.hooks.ofDeletedApps()) {
    await unregisterHook(hook, ownerId, deps);
    await deps.hooks.remove(hook.id);
  }
}
