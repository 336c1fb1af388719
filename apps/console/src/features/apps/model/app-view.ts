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
import type { Pending } from './pending.ts';
import { type Phase, phaseOf } from './phase.ts';

export type PressView = { isDisabled: boolean; reason: string | undefined };

type Address = { url: string; domain: string; isCustom: boolean };

export type PublicAccessView = Address & {
  isDimmed: boolean;
  /** What becomes, or has become, of it without visitors. */
  note: string | undefined;
};

export type AppView = {
  badge: Badge;
  message: StatusMessage;
  banner: string | undefined;
  /** Present while the server brings the app up; going to sleep has no phases. */
  phase: Phase | undefined;
  sleep: PressView & { label: string; instances: 0 | 1; isBusy: boolean };
  edit: PressView;
  /** Where visitors go; undefined when it is not public. */
  address: string | undefined;
  publicAccess: PublicAccessView | undefined;
  logs: 'streaming' | 'syncing' | 'hibernated';
};

/** Everything the app page shows, decided in one place. Spec §4, Resources and apps. */
export function appView(
  app: AppResource,
  pending: Pending | undefined,
  ingress: ConsoleConfig['ingress'],
): AppView {
  const isSyncing = app.status === 'syncing';
  const isAsleep = isHibernated(app.values);
  const press = pressView(isSyncing, pending);
  const address = addressOf(app, ingress);
  return {
    badge: badgeOf({ status: app.status, instances: app.values.instances }),
    message: parseStatusMessage(app.status, app.message),
    banner: press.reason,
    phase: isSyncing && !isAsleep ? phaseOf(app.message) : undefined,
    sleep: {
      ...press,
      label: isAsleep ? MESSAGES.wake : MESSAGES.hibernate,
      instances: isAsleep ? 1 : 0,
      isBusy: pending?.kind === 'hibernating' || pending?.kind === 'waking',
    },
    edit: press,
    address: address?.url,
    publicAccess: publicAccessView(app, address),
    logs: isAsleep ? 'hibernated' : isSyncing ? 'syncing' : 'streaming',
  };
}

function pressView(isSyncing: boolean, pending: Pending | undefined): PressView {
  if (isSyncing) return { isDisabled: true, reason: MESSAGES.updating };
  if (pending !== undefined) return { isDisabled: true, reason: MESSAGES.processing };
  return { isDisabled: false, reason: undefined };
}

function addressOf(
  { id, values }: AppResource,
  ingress: ConsoleConfig['ingress'],
): Address | undefined {
  const { enabled, domain: wished, baseDomain } = values.publicAccess;
  if (!enabled || wished === '') return undefined;
  const domain = domainOf({ id, name: values.name }, wished, baseDomain || ingress.baseDomain);
  return { url: publicUrlOf(ingress, domain), domain, isCustom: wished !== 'auto' };
}

/** Shown only when synced and a domain is known; dimmed when hibernated. */
function publicAccessView(
  { status, values }: AppResource,
  address: Address | undefined,
): PublicAccessView | undefined {
  if (status !== 'synced' || address === undefined) return undefined;
  return { ...address, isDimmed: isHibernated(values), note: sleepNote(values) };
}

function sleepNote(values: AppValues): string | undefined {
  const { sleep } = values;
  if (isHibernated(values)) return sleep ? MESSAGES.wakesForVisitors : MESSAGES.asleep;
  return sleep && MESSAGES.sleepsAfter(sleep.afterMinutes);
}
