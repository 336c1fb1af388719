import { connectPath } from '@longshore/contract';
import type { App } from '../../apps/apps.ts';
import type { Secret } from '../../secrets/secret.ts';
import { ProviderFailure } from '../providers/provider-failure.ts';
import { providerProblem } from '../providers/provider-problem.ts';
import type { WebhookDeps } from './deps.ts';
import type { Hook, Registration } from './hooks.ts';
import { repositoryPath } from './repository-path.ts';

type RegistrationTarget = Omit<Registration, 'providerHookId'>;
type RegistrationDeps = Pick<WebhookDeps, 'hooks' | 'integrations' | 'accounts' | 'connectUrl'>;

const TIMEOUT_MS = 15_000;

export function isRegistered(hook: Hook, app: App): boolean {
  const { registration } = hook;
  const target = registrationTarget(app);
  return (
    registration !== undefined &&
    registration.integrationId === target?.integrationId &&
    registration.repository === target.repository
  );
}

export function hookUrl(connectUrl: string, { id: hookId }: Hook): string {
  return `${connectUrl}${connectPath('hook', { hookId })}`;
}

/** Where the hook of an app can be registered; undefined if the owner has to add it manually at the provider. */
function registrationTarget({ values: { source } }: App): RegistrationTarget | undefined {
  const repository = repositoryPath(source.url);
  const canRegister = source.enabled && source.secretName !== '' && repository !== undefined;
  return canRegister ? { integrationId: source.secretName, repository } : undefined;
}

/** Registers the hook at the provider. Returns why that failed, as text for the owner. */
export async function registerHook(
  { app, hook, secret }: { app: App; hook: Hook; secret: Secret },
  deps: RegistrationDeps,
): Promise<string | undefined> {
  const target = registrationTarget(app);
  const integration = target && (await deps.integrations.find(app.ownerId, target.integrationId));
  if (target === undefined || integration === undefined) return undefined;
  const { repository } = target;
  const url = hookUrl(deps.connectUrl, hook);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const providerHookId = await deps.accounts.use(integration, (provider, account) =>
      provider.addHook(account, { repository, url, secret }, signal),
    );
    await deps.hooks.register(hook.id, {
      integrationId: target.integrationId,
      repository,
      providerHookId,
    });
    return undefined;
  } catch (error) {
    if (error instanceof ProviderFailure) return providerProblem(error).message;
    throw error;
  }
}

/** Removes a hook at the provider. Failures of the provider are ignored. */
export async function unregisterHook(
  { registration }: Hook,
  ownerId: string,
  { integrations, accounts, logError }: Pick<WebhookDeps, 'integrations' | 'accounts' | 'logError'>,
): Promise<void> {
  if (registration === undefined) return;
  const { integrationId, repository, providerHookId: id } = registration;
  const integration = await integrations.find(ownerId, integrationId);
  if (integration === undefined) return;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  await accounts
    .use(integration, (provider, account) =>
      provider.removeHook(account, { repository, id }, signal),
    )
    .catch((error: unknown) => {
      if (!(error instanceof ProviderFailure)) logError(error);
    });
}

export async function removeHooksOfDeletedApps(
  deps: Pick<WebhookDeps, 'hooks' | 'integrations' | 'accounts' | 'logError'>,
): Promise<void> {
  for (const { ownerId, ...hook } of await deps.hooks.ofDeletedApps()) {
    await unregisterHook(hook, ownerId, deps);
    await deps.hooks.remove(hook.id);
  }
}
