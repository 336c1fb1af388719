import {
  type AppResource,
  type AppValues,
  type Badge,
  badgeOf,
  customDomainOf,
  type DeploymentPhase,
  isHibernated,
  parseStatusMessage,
  phaseOf,
  progressMessage,
  publicHostsOf,
  type StatusMessage,
} from '@longshore/contract';
import { type Ingress, urlOfHost } from '../../../lib/public-url.ts';
import { MESSAGES } from '../messages.ts';
import type { PendingAction } from './pending-action.ts';

export type ButtonView = { isDisabled: boolean; reason: string | undefined };

export type PublicAccessView = {
  /** At the custom domain, if there is one. */
  url: string;
  customDomain: string | undefined;
  /** Beside the URL at a custom domain. */
  generatedUrl: string | undefined;
  isDimmed: boolean;
  /** About sleep or hibernation. */
  note: string | undefined;
};

export type AppView = {
  badge: Badge;
  message: StatusMessage;
  banner: string | undefined;
  /** Present while the app is being deployed; hibernating has no phases. */
  phase: DeploymentPhase | undefined;
  sleep: ButtonView & { label: string; instances: 0 | 1; isBusy: boolean };
  edit: ButtonView;
  publicAccess: PublicAccessView | undefined;
  logs: 'streaming' | 'syncing' | 'hibernated';
};

/** Everything the app page shows (spec-map 4.2). */
export function appView(
  app: AppResource,
  pending: PendingAction | undefined,
  ingress: Ingress,
): AppView {
  const isSyncing = app.status === 'syncing';
  const isAsleep = isHibernated(app.values);
  const button = buttonView(isSyncing, pending);
  const urls = urlsOf(app, ingress);
  return {
    badge: badgeOf({ status: app.status, instances: app.values.instances }),
    message: parseStatusMessage(app.status, app.message),
    banner: button.reason,
    phase: isSyncing && !isAsleep && !isCancelling(app) ? phaseOf(app.message) : undefined,
    sleep: {
      ...button,
      label: isAsleep ? MESSAGES.wake : MESSAGES.hibernate,
      instances: isAsleep ? 1 : 0,
      isBusy: pending?.kind === 'hibernating' || pending?.kind === 'waking',
    },
    edit: button,
    publicAccess: publicAccessView(app, urls),
    logs: isAsleep ? 'hibernated' : isSyncing ? 'syncing' : 'streaming',
  };
}

function isCancelling({ message }: AppResource): boolean {
  return message === progressMessage('cancelling');
}

function buttonView(isSyncing: boolean, pending: PendingAction | undefined): ButtonView {
  if (isSyncing) return { isDisabled: true, reason: MESSAGES.updating };
  if (pending !== undefined) return { isDisabled: true, reason: MESSAGES.processing };
  return { isDisabled: false, reason: undefined };
}

function urlsOf({ id, values }: AppResource, ingress: Ingress): string[] {
  return publicHostsOf({ ...values, id }, ingress.baseDomain).map((host) =>
    urlOfHost(ingress, host),
  );
}

/** Shown only when synced and a domain is known; dimmed when hibernated (spec-map 4.2.17). */
function publicAccessView(
  { status, values }: AppResource,
  urls: string[],
): PublicAccessView | undefined {
  const [first, generatedUrl] = [urls[0], urls.at(-1)];
  if (status !== 'synced' || first === undefined || generatedUrl === undefined) return undefined;
  const customDomain = customDomainOf(values);
  // Further domains have a card of their own.
  const url = customDomain === undefined ? generatedUrl : first;
  return {
    url,
    customDomain,
    generatedUrl: url === generatedUrl ? undefined : generatedUrl,
    isDimmed: isHibernated(values),
    note: sleepNote(values),
  };
}

function sleepNote(values: AppValues): string | undefined {
  const { sleep } = values;
  if (isHibernated(values)) return sleep ? MESSAGES.asleepNote : MESSAGES.hibernatedNote;
  return sleep && MESSAGES.sleepNote(sleep.afterMinutes);
}
