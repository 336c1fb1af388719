import type { Source } from './app-values.ts';
import type { BuildSettings } from './build-settings.ts';
import { exposeMainPort } from './desired-release.ts';
import { type HealthCheck, healthCheckText } from './health-check.ts';
import type { ProcessSettings } from './processes.ts';
import type { ReleaseInputs } from './release.ts';
import { replicasOf } from './replicas.ts';
import { isUploadUrl, uploadDigest } from './source.ts';

/** Differences between two releases. Variables by name only: their values may be secrets. */
export type ReleaseDiff = {
  settings: SettingChange[];
  env: Record<EnvChange, string[]>;
};

export type EnvChange = 'added' | 'removed' | 'changed';

/** An empty string means that the setting does not apply. */
export type SettingChange = { name: SettingName; before: string; after: string };

export type SettingName = keyof typeof SETTINGS;

const SETTINGS = {
  Repository: ({ values: { source } }) => (isGit(source) ? source.url : ''),
  Ref: ({ values: { source } }) => (isGit(source) ? source.ref : ''),
  Commit: ({ values: { source }, revision = '' }) => (isGit(source) ? revision : ''),
  Upload: ({ values: { source } }) => (source.enabled ? (uploadDigest(source.url) ?? '') : ''),
  Image: ({ values: { source, container } }) => (source.enabled ? '' : container.image),
  Digest: ({ values: { source }, revision = '' }) => (source.enabled ? '' : revision),
  Ports: ({ values: { ports } }) =>
    exposeMainPort(ports)
      .map(({ number, expose }) => (expose ? `${number}` : `${number} (internal)`))
      .join(', '),
  Instances: ({ values }) => String(replicasOf(values)),
  /** The name of the tier. */
  Size: ({ values: { resourceTier } }) => resourceTier,
  'Root directory': ({ values }) => buildOf(values).rootDirectory ?? '',
  'Install command': ({ values }) => buildOf(values).installCommand ?? '',
  'Build command': ({ values }) => buildOf(values).buildCommand ?? '',
  'Output directory': ({ values }) => buildOf(values).outputDirectory ?? '',
  Dockerfile: ({ values }) => buildOf(values).dockerfile ?? '',
  Target: ({ values }) => buildOf(values).target ?? '',
  Versions: ({ values }) =>
    Object.entries(buildOf(values).versions ?? {})
      .map((pair) => pair.join(' '))
      .sort()
      .join(', '),
  'Build variables': ({ values }) => buildOf(values).variables?.join(', ') ?? '',
  'Start command': ({ values: { run } }) => run?.command ?? '',
  'Release command': ({ values: { run } }) => run?.releaseCommand ?? '',
  'Health check': ({ values: { healthCheck } }) =>
    healthCheck === undefined ? '' : healthCheckSettings(healthCheck),
  Processes: ({ values: { processes = {} } }) =>
    Object.entries(processes).map(processText).sort().join(', '),
  'Seconds to stop': ({ values: { run } }) => String(run?.stopGraceSeconds ?? ''),
} satisfies Record<string, (release: ReleaseInputs) => string>;

/** Without what is taken from the Procfile or the app. */
function processText([name, settings]: [string, ProcessSettings]): string {
  const { command, replicas, resourceTier } = settings;
  const details = [
    ...(command === undefined ? [] : [command]),
    ...(replicas === undefined ? [] : [`× ${replicas}`]),
    ...(resourceTier === undefined ? [] : [resourceTier]),
  ];
  return `${name}: ${details.join(' ')}`;
}

/** Without the settings that are the defaults. */
function healthCheckSettings(check: HealthCheck): string {
  const { status, graceSeconds, intervalSeconds, failureThreshold } = check;
  return [
    healthCheckText(check),
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(graceSeconds === undefined ? [] : [`${graceSeconds} s to start`]),
    ...(intervalSeconds === undefined ? [] : [`every ${intervalSeconds} s`]),
    ...(failureThreshold === undefined ? [] : [`${failureThreshold} failures`]),
  ].join(', ');
}

function isGit({ enabled, url }: Source): boolean {
  return enabled && !isUploadUrl(url);
}

/** An image is already built. */
function buildOf({ source, build }: ReleaseInputs['values']): BuildSettings {
  return source.enabled && build !== undefined ? build : {};
}

export function releaseDiff(before: ReleaseInputs, after: ReleaseInputs): ReleaseDiff {
  const names = Object.keys(SETTINGS) as SettingName[];
  return {
    settings: names
      .map((name) => ({ name, before: SETTINGS[name](before), after: SETTINGS[name](after) }))
      .filter((change) => change.before !== change.after),
    env: envDiff(before.envVersions, after.envVersions),
  };
}

export function isEmptyDiff({ settings, env }: ReleaseDiff): boolean {
  return settings.length === 0 && Object.values(env).every((names) => names.length === 0);
}

function envDiff(
  before: Record<string, number>,
  after: Record<string, number>,
): ReleaseDiff['env'] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const has = (versions: Record<string, number>, name: string) => Object.hasOwn(versions, name);
  return {
    added: names.filter((name) => !has(before, name)),
    removed: names.filter((name) => !has(after, name)),
    changed: names.filter(
      (name) => has(before, name) && has(after, name) && before[name] !== after[name],
    ),
  };
}
