import {
  type AppResource,
  type AppValues,
  AUTO_DOMAIN,
  type BuiltRelease,
  type ConsoleConfig,
  type EditEffect,
  editEffect,
  type HealthCheck,
  isUploadUrl,
  publicHostsOf,
  publicUrlOf,
  type Release,
  replicasOf,
  retainedReleases,
  runsReleaseCommand,
  type Tier,
  type VersionedRuntime,
} from '@longshore/contract';
import { shortRevision } from '../../../lib/short-revision.ts';
import { tierText } from '../../../lib/tier-text.ts';
import { MESSAGES } from '../messages.ts';
import { forHealth, type HealthField, VERSION_FIELDS } from './deploy-draft.ts';

const TEXTS = MESSAGES.edit;
const ADVANCED = MESSAGES.advanced;

const BUILD_SETTINGS = [
  'rootDirectory',
  'installCommand',
  'buildCommand',
  'outputDirectory',
  'dockerfile',
] as const;

/** Settings shown with their old and new value. An empty string means that a setting does not apply. */
const SETTINGS: Record<string, (values: AppValues, tiers: readonly Tier[]) => string> = {
  [TEXTS.name]: ({ name }) => name,
  [TEXTS.source]: ({ source }) => (source.enabled ? sourceKind(source.url) : TEXTS.image),
  [TEXTS.ref]: ({ source }) =>
    source.enabled && !isUploadUrl(source.url) ? shortRevision(source.ref) : '',
  [TEXTS.image]: ({ source, container }) => (source.enabled ? '' : shortRevision(container.image)),
  [TEXTS.port]: ({ ports }) => String(ports[0]?.number ?? ''),
  [TEXTS.publicAccess]: ({ publicAccess }) => onOff(publicAccess.enabled),
  [TEXTS.domain]: ({ publicAccess: { enabled, domain } }) =>
    enabled ? (domain === AUTO_DOMAIN ? TEXTS.none : domain) : '',
  [TEXTS.size]: ({ resourceTier }, tiers) => tierText(resourceTier, tiers),
  [TEXTS.instances]: (values) => String(replicasOf(values)),
  [TEXTS.sleep]: ({ sleep }) => (sleep ? TEXTS.minutes(sleep.afterMinutes) : onOff(false)),
  ...Object.fromEntries(BUILD_SETTINGS.map(buildSetting)),
  ...Object.fromEntries(Object.entries(VERSION_FIELDS).map(versionSetting)),
  [ADVANCED.startCommand.toLowerCase()]: ({ run }) => run?.command ?? TEXTS.detected,
  [ADVANCED.releaseCommand.toLowerCase()]: ({ run }) => run?.releaseCommand ?? TEXTS.none,
  [ADVANCED.stopGraceSeconds.toLowerCase()]: ({ run }) =>
    String(run?.stopGraceSeconds ?? TEXTS.defaultSeconds),
  ...Object.fromEntries(Object.values(forHealth(healthSetting))),
};

function healthSetting(
  setting: keyof HealthCheck,
  field: HealthField,
): [string, (values: AppValues) => string] {
  const read = ({ healthCheck }: AppValues) =>
    String(healthCheck?.[setting] ?? (setting === 'path' ? TEXTS.none : TEXTS.defaultSeconds));
  return [lowerFirst(ADVANCED[field]), read];
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function sourceKind(url: string): string {
  return isUploadUrl(url) ? TEXTS.upload : TEXTS.repository;
}

function buildSetting(
  key: (typeof BUILD_SETTINGS)[number],
): [string, (values: AppValues) => string] {
  const read = ({ source, build }: AppValues) =>
    source.enabled ? (build?.[key] ?? TEXTS.detected) : '';
  return [ADVANCED[key].toLowerCase(), read];
}

function versionSetting([field, runtime]: [string, VersionedRuntime]): [
  string,
  (values: AppValues) => string,
] {
  const read = ({ source, build }: AppValues) =>
    source.enabled ? (build?.versions?.[runtime] ?? TEXTS.detected) : '';
  return [ADVANCED[field as keyof typeof VERSION_FIELDS], read];
}

/** Settings shown by name only: URLs and lists are long, and integrations are stored as ids. */
const SETTINGS_BY_NAME: Record<string, (values: AppValues) => string> = {
  [TEXTS.sourceUrl]: ({ source }) => (source.enabled ? source.url : ''),
  [TEXTS.account]: ({ source, container }) =>
    source.enabled ? source.secretName : container.pullSecretName,
  [TEXTS.processes]: ({ processes = {} }) => JSON.stringify(processes),
  [TEXTS.watchPaths]: ({ watchPaths = [] }) => watchPaths.join('\n'),
};

export type EditSummary = {
  /** Changed settings and the new address; empty when nothing changed. */
  changes: string;
  /** Effect of saving. */
  effect: string;
  /** The same once it was saved. */
  saved: string;
};

type Edit = {
  app: AppResource;
  after: AppValues;
  /** Newest first. */
  history: Release[];
  config: Pick<ConsoleConfig, 'hasProjectNetwork' | 'ingress' | 'tiers'>;
  /** Hosts with a certificate. */
  secureHosts: readonly string[];
};

/** Shown before an edit is saved. The effect follows the rules of the reconciler. */
export function editSummary(edit: Edit): EditSummary {
  const { app, after, history, config } = edit;
  const before = app.values;
  const effect = editEffect(before, after, {
    status: app.status,
    outcome: history[0]?.outcome,
    newest: newestBuild(before.env, history),
    built: retainedReleases(history).map((release) => builtRelease(release, before.env, history)),
    hasProjectNetwork: config.hasProjectNetwork,
  });
  const changes = describeChanges(before, after, config.tiers);
  const isStarted = effect === 'rebuilds' || effect === 'redeploys' || effect === 'restarts';
  // Settings that the form does not show may be stored in another form without a real change.
  if (changes.length === 0 && !isStarted)
    return { changes: '', effect: TEXTS.unchanged, saved: '' };
  const [newest] = history;
  const hasFailed = newest?.outcome === 'failed' && newest.phases.at(-1)?.phase === 'releasing';
  const summary = changes.length === 0 ? TEXTS.retries : TEXTS.changes(changes.join(', '));
  return {
    changes: `${summary} ${addressText(edit)}`.trim(),
    effect: [
      effectText(effect, after, isServing(app, history)),
      ...(runsReleaseCommand(effect, { before, after, hasFailed }) ? [TEXTS.runsCommand] : []),
    ].join(' '),
    saved: savedText(effect, after),
  };
}

function savedText(effect: EditEffect, { source }: AppValues): string {
  const { saved } = TEXTS;
  switch (effect) {
    case 'rebuilds':
      return source.enabled ? saved.rebuilds : saved.pulls;
    case 'redeploys':
    case 'restarts':
      return saved.restarts;
    case 'scales':
      return saved.scales;
    case 'keeps-running':
    case 'unchanged':
      return saved.keepsRunning;
    case 'stays-hibernated':
      return saved.staysHibernated;
  }
}

function effectText(effect: EditEffect, { source }: AppValues, hasServingRelease: boolean): string {
  switch (effect) {
    case 'rebuilds':
      return TEXTS.starts(source.enabled ? TEXTS.rebuilds : TEXTS.pulls, hasServingRelease);
    case 'redeploys':
      return TEXTS.starts(TEXTS.redeploys, hasServingRelease);
    case 'restarts':
      return TEXTS.starts(TEXTS.restarts, hasServingRelease);
    case 'scales':
      return TEXTS.scales;
    case 'keeps-running':
      return TEXTS.keepsRunning;
    case 'stays-hibernated':
      return TEXTS.staysHibernated;
    case 'unchanged':
      return TEXTS.unchanged;
  }
}

/** A release is started, or runs its command, only once it is built. */
function newestBuild(env: AppValues['env'], history: Release[]): BuiltRelease | undefined {
  const [newest] = history;
  if (newest === undefined) return undefined;
  const { outcome, buildReusedFrom, phases } = newest;
  const isBuilt =
    outcome === 'live' ||
    buildReusedFrom !== undefined ||
    phases.some(({ phase }) => phase === 'releasing' || phase === 'starting');
  return isBuilt ? builtRelease(newest, env, history) : undefined;
}

/** No value of a variable contains it. */
const UNKNOWN = '\0';

/** The variable values of older releases are unknown; equal versions mean that they equal the current ones. */
function builtRelease(
  { values, envVersions, revision, buildInputs }: Release,
  env: AppValues['env'],
  [newest]: Release[],
): BuiltRelease {
  const entries = Object.entries(envVersions).map(([name, version]) => [
    name,
    version === newest?.envVersions[name] ? (env[name] ?? UNKNOWN) : UNKNOWN,
  ]);
  return { values: { ...values, env: Object.fromEntries(entries) }, revision, inputs: buildInputs };
}

/** While the newest release is not live, the last live one serves. */
function isServing({ status }: AppResource, [newest, ...earlier]: Release[]): boolean {
  if (status === 'synced') return true;
  return newest?.outcome !== 'live' && earlier.some(({ outcome }) => outcome === 'live');
}

function addressText({ app, after, config: { ingress }, secureHosts }: Edit): string {
  const hostsOf = (values: AppValues) =>
    publicHostsOf({ ...values, id: app.id }, ingress.baseDomain);
  const [from, to] = [hostsOf(app.values), hostsOf(after)];
  // The generated host is the last one. A new one gets a certificate if the present one has got one.
  const isSecure = (host: string) =>
    secureHosts.includes(host === to.at(-1) ? (from.at(-1) ?? host) : host);
  const urlOf = (host: string) => publicUrlOf(ingress, host, isSecure(host));
  if (to.length === 0) return from.length === 0 ? '' : TEXTS.notPublic;
  const added = to.filter((host) => !from.includes(host));
  const removed = from.filter((host) => !to.includes(host));
  return [
    ...added.map((host) => TEXTS.newAddress(urlOf(host))),
    ...removed.map((host) => TEXTS.removedAddress(urlOf(host))),
  ].join(' · ');
}

/** One short text for each changed setting. Variables are only counted: their values may be secrets. */
export function describeChanges(
  before: AppValues,
  after: AppValues,
  tiers: readonly Tier[] = [],
): string[] {
  const isOtherSourceType = before.source.enabled !== after.source.enabled;
  const withValues = Object.entries(SETTINGS).flatMap(([name, read]) => {
    const [from, to] = [read(before, tiers), read(after, tiers)];
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
