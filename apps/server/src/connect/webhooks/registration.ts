import type { App } from '../../apps/apps.ts';
import type { Secret } from '../../secrets/secret.ts';
import { ProviderFailure } from '../providers/provider-failure.ts';
import { providerProblem } from '../providers/provider-problem.ts';
import type { WebhookDeps } from './deps.ts';
import type { Hook, Registration } from './hooks.ts';
import { repositoryPath } from './repository-path.ts';

type Place = Omit<Registration, 'providerHookId'>;
type Parts = Pick<WebhookDeps, 'hooks' | 'integrations' | 'accounts' | 'hooksUrl'>;

const DEADLINE_MS = 15_000;

/** Where a provider can be told of pushes for an app; undefined when its owner has to. */
function placeOf({ values: { source } }: App): Place | undefined {
  const repository = repositoryPath(source.url);
  const isKnown = source.enabled && source.secretName !== '' && repository !== undefined;
  return isKnown ? { integrationId: source.secretName, repository } : undefined;
}

export function isRegistered(hook: Hook, app: App): boolean {
  const [at, wished] = [hook.registration, placeOf(app)];
  return (
    at !== undefined &&
    at.integrationId === wished?.integrationId &&
    at.repository === wished.repository
  );
}

/** Tells the provider where the app's pushes go. Answers why it could not, for the owner to read. */
export async function registerHook(
  { app, hook, secret }: { app: App; hook: Hook; secret: Secret },
  deps: Parts,
): Promise<string | undefined> {
  const place = placeOf(app);
  const integration = place && (await deps.integrations.find(app.ownerId, place.integrationId));
  if (place === undefined || integration === undefined) return undefined;
  const { repository } = place;
  const url = `${deps.hooksUrl}/${hook.id}`;
  const signal = AbortSignal.timeout(DEADLINE_MS);
  try {
    const providerHookId = await deps.accounts.use(integration, (provider, account) =>
      provider.addHook(account, { repository, url, secret }, signal),
    );
    await deps.hooks.register(hook.id, { ...place, providerHookId });
    return undefined;
  } catch (error) {
    if (error instanceof ProviderFailure) return providerProblem(error).message;
    throw error;
  }
}

/** Takes a hook back at the provider. One that does not answer keeps nobody from leaving. */
export async function unregisterHook(
  { registration }: Hook,
  ownerId: string,
  { integrations, accounts, logError }: Pick<WebhookDeps, 'integrations' | 'accounts' | 'logError'>,
): Promise<void> {
  if (registration === undefined) return;
  const { integrationId, repository, providerHookId: id } = registration;
  const integration = await integrations.find(ownerId, integrationId);
  if (integration === undefined) return;
  const signal = AbortSignal.timeout(DEADLINE_MS);
  await accounts
    .use(integration, (provider, account) =>
      provider.removeHook(account, { repository, id }, signal),
    )
    .catch((error: unknown) => {
      if (!(error instanceof ProviderFailure)) logError(error);
    });
}
