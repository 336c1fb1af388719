import {
  type AppResource,
  type AppValues,
  type Badge,
  badgeOf,
  type ConsoleConfig,
  domainOf,
  isHibernated,
  parseStatusMessage,
  publicUrlOf,
  type StatusMessage,
} from '@longshore/contract';
import { MESSAGES } from '../messages.ts';
import { type Phase, phaseOf } from './deployment.ts';
import type { PendingAction } from './pending-action.ts';

export type ButtonView = { isDisabled: boolean; reason: string | undefined };

type Address = { url: string; domain: string; isCustom: boolean };

export type PublicAccessView = Address & {
  isDimmed: boolean;
  /** About sleep or hibernation. */
  note: string | undefined;
};

export type AppView = {
  badge: Badge;
  message: StatusMessage;
  banner: string | undefined;
  /** Present while the app is being deployed; hibernating has no phases. */
  phase: Phase | undefined;
  sleep: ButtonView & { label: string; instances: 0 | 1; isBusy: boolean };
  edit: ButtonView;
  /** URL of the app; undefined when it is not public. */
  address: string | undefined;
  publicAccess: PublicAccessView | undefined;
  logs: 'streaming' | 'syncing' | 'hibernated';
};

/** Everything the app page shows (spec-map 4.2). */
export function appView(
  app: AppResource,
  pending: PendingAction | undefined,
  ingress: ConsoleConfig['ingress'],
): AppView {
  const isSyncing = app.status === 'syncing';
  const isAsleep = isHibernated(app.values);
  const button = buttonView(isSyncing, pending);
  const address = addressOf(app, ingress);
  return {
    badge: badgeOf({ status: app.status, instances: app.values.instances }),
    message: parseStatusMessage(app.status, app.message),
    banner: button.reason,
    phase: isSyncing && !isAsleep ? phaseOf(app.message) : undefined,
    sleep: {
      ...button,
      label: isAsleep ? MESSAGES.wake : MESSAGES.hibernate,
      instances: isAsleep ? 1 : 0,
      isBusy: pending?.kind === 'hibernating' || pending?.kind === 'waking',
    },
    edit: button,
    address: address?.url,
    publicAccess: publicAccessView(app, address),
    logs: isAsleep ? 'hibernated' : isSyncing ? 'syncing' : 'streaming',
  };
}

function buttonView(isSyncing: boolean, pending: PendingAction | undefined): ButtonView {
  if (isSyncing) return { isDisabled: true, reason: MESSAGES.updating };
  if (pending !== undefined) return { isDisabled: true, reason: MESSAGES.processing };
  return { isDisabled: false, reason: undefined };
}

function addressOf(
  { id, values }: AppResource,
  ingress: ConsoleConfig['ingress'],
): Address | undefined {
  const { enabled, domain: domainSetting, baseDomain } = values.publicAccess;
  if (!enabled || domainSetting === '') return undefined;
  const domain = domainOf(
    { id, name: values.name },
    domainSetting,
    baseDomain || ingress.baseDomain,
  );
  return { url: publicUrlOf(ingress, domain), domain, isCustom: domainSetting !== 'auto' };
}

/** Shown only when synced and a domain is known; dimmed when hibernated (spec-map 4.2.17). */
function publicAccessView(
  { status, values }: AppResource,
  address: Address | undefined,
): PublicAccessView | undefined {
  if (status !== 'synced' || address === undefined) return undefined;
  return { ...address, isDimmed: isHibernated(values), note: sleepNote(values) };
}

function sleepNote(values: AppValues): string | undefined {
  const { sleep } = values;
  if (isHibernated(values)) return sleep ? MESSAGES.asleepNote : MESSAGES.hibernatedNote;
  return sleep && MESSAGES.sleepNote(sleep.afterMinutes);
}
