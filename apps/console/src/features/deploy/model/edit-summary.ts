import {
  type AppResource,
  type AppValues,
  AUTO_DOMAIN,
  type BuiltRelease,
  type ConsoleConfig,
  type EditEffect,
  editEffect,
  isSameJson,
  publicHostsOf,
  publicUrlOf,
  type Release,
  retainedReleases,
} from '@longshore/contract';
import { shortRevision } from '../../../lib/short-revision.ts';
import { MESSAGES } from '../messages.ts';

const TEXTS = MESSAGES.edit;

/** Settings shown with their old and new value. An empty string means that a setting does not apply. */
const SETTINGS: Record<string, (values: AppValues) => string> = {
  [TEXTS.name]: ({ name }) => name,
  [TEXTS.source]: ({ source }) => (source.enabled ? TEXTS.repository : TEXTS.image),
  [TEXTS.ref]: ({ source }) => (source.enabled ? shortRevision(source.ref) : ''),
  [TEXTS.image]: ({ source, container }) => (source.enabled ? '' : shortRevision(container.image)),
  [TEXTS.port]: ({ ports }) => String(ports[0]?.number ?? ''),
  [TEXTS.publicAccess]: ({ publicAccess }) => onOff(publicAccess.enabled),
  [TEXTS.domain]: ({ publicAccess: { enabled, domain } }) =>
    enabled ? (domain === AUTO_DOMAIN ? TEXTS.none : domain) : '',
  [TEXTS.sleep]: ({ sleep }) => (sleep ? TEXTS.minutes(sleep.afterMinutes) : onOff(false)),
};

/** Settings shown by name only: URLs are long, and integrations are stored as ids. */
const SETTINGS_BY_NAME: Record<string, (values: AppValues) => string> = {
  [TEXTS.sourceUrl]: ({ source }) => (source.enabled ? source.url : ''),
  [TEXTS.account]: ({ source, container }) =>
    source.enabled ? source.secretName : container.pullSecretName,
};

export type EditSummary = {
  /** Changed settings and the new address; empty when nothing changed. */
  changes: string;
  /** Effect of saving. */
  effect: string;
};

type Edit = {
  app: AppResource;
  after: AppValues;
  /** Newest first. */
  history: Release[];
  config: Pick<ConsoleConfig, 'engine' | 'ingress'>;
};

/** Shown before an edit is saved. The effect follows the rules of the reconciler. */
export function editSummary({ app, after, history, config }: Edit): EditSummary {
  const before = app.values;
  const effect = editEffect(before, after, {
    status: app.status,
    outcome: history[0]?.outcome,
    built: retainedBuilds(before.env, history),
    hasProjectNetwork: config.engine !== 'process',
  });
  const changes = describeChanges(before, after);
  const isStarted = effect === 'rebuilds' || effect === 'redeploys' || effect === 'restarts';
  // Settings that the form does not show may be stored in another form without a real change.
  if (changes.length === 0 && !isStarted) return { changes: '', effect: TEXTS.unchanged };
  const summary = changes.length === 0 ? TEXTS.retries : TEXTS.changes(changes.join(', '));
  return {
    changes: `${summary} ${addressText(app, after, config.ingress)}`.trim(),
    effect: effectText(effect, after, isServing(app, history)),
  };
}

function effectText(effect: EditEffect, { source }: AppValues, hasServingRelease: boolean): string {
  switch (effect) {
    case 'rebuilds':
      return TEXTS.starts(source.enabled ? TEXTS.rebuilds : TEXTS.pulls, hasServingRelease);
    case 'redeploys':
      return TEXTS.starts(TEXTS.redeploys, hasServingRelease);
    case 'restarts':
      return TEXTS.starts(TEXTS.restarts, hasServingRelease);
    case 'keeps-running':
      return TEXTS.keepsRunning;
    case 'stays-hibernated':
      return TEXTS.staysHibernated;
    case 'unchanged':
      return TEXTS.unchanged;
  }
}

/** The variable values of older releases are unknown; equal versions mean that they equal the current ones. */
function retainedBuilds(env: AppValues['env'], history: Release[]): BuiltRelease[] {
  return retainedReleases(history)
    .filter(({ values, envVersions }) => {
      return !values.source.enabled || isSameJson(envVersions, history[0]?.envVersions);
    })
    .map(({ values, revision }) => ({ values: { ...values, env }, revision }));
}

/** While the newest release is not live, the last live one serves. */
function isServing({ status }: AppResource, [newest, ...earlier]: Release[]): boolean {
  if (status === 'synced') return true;
  return newest?.outcome !== 'live' && earlier.some(({ outcome }) => outcome === 'live');
}

function addressText(
  { id, values: before }: AppResource,
  after: AppValues,
  ingress: ConsoleConfig['ingress'],
): string {
  const hostsOf = (values: AppValues) => publicHostsOf({ ...values, id }, ingress.baseDomain);
  const [from, to] = [hostsOf(before), hostsOf(after)];
  if (to.length === 0) return from.length === 0 ? '' : TEXTS.notPublic;
  const added = to.filter((host) => !from.includes(host));
  const removed = from.filter((host) => !to.includes(host));
  return [
    ...added.map((host) => TEXTS.newAddress(publicUrlOf(ingress, host))),
    ...removed.map((host) => TEXTS.removedAddress(publicUrlOf(ingress, host))),
  ].join(' · ');
}

/** One short text for each changed setting. Variables are only counted: their values may be secrets. */
export function describeChanges(before: AppValues, after: AppValues): string[] {
  const isOtherSourceType = before.source.enabled !== after.source.enabled;
  const withValues = Object.entries(SETTINGS).flatMap(([name, read]) => {
    const [from, to] = [read(before), read(after)];
    return from === to || from === '' || to === '' ? [] : [TEXTS.change(name, from, to)];
  });
  const named = Object.entries(SETTINGS_BY_NAME)
    .filter(([, read]) => !isOtherSourceType && read(before) !== read(after))
    .map(([name]) => name);
  const variables = countChanged(before.env, after.env);
  return [...withValues, ...named, ...(variables === 0 ? [] : [TEXTS.variables(variables)])];
}

function countChanged(before: AppValues['env'], after: AppValues['env']): number {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => before[key] !== after[key]).length;
}

function onOff(isOn: boolean): string {
  return isOn ? TEXTS.on : TEXTS.off;
}
