import { exposeMainPort } from './desired-release.ts';
import type { ReleaseInputs } from './release.ts';

/** Differences between two releases. Variables by name only: their values may be secrets. */
export type ReleaseDiff = {
  settings: SettingChange[];
  env: Record<EnvChange, string[]>;
};

export type EnvChange = 'added' | 'removed' | 'changed';

/** An empty string means that the setting does not apply. */
export type SettingChange = { name: SettingName; before: string; after: string };

export type SettingName = 'Repository' | 'Ref' | 'Commit' | 'Image' | 'Digest' | 'Ports' | 'Tier';

const SETTINGS: Record<SettingName, (release: ReleaseInputs) => string> = {
  Repository: ({ values: { source } }) => (source.enabled ? source.url : ''),
  Ref: ({ values: { source } }) => (source.enabled ? source.ref : ''),
  Commit: ({ values: { source }, revision = '' }) => (source.enabled ? revision : ''),
  Image: ({ values: { source, container } }) => (source.enabled ? '' : container.image),
  Digest: ({ values: { source }, revision = '' }) => (source.enabled ? '' : revision),
  Ports: ({ values: { ports } }) =>
    exposeMainPort(ports)
      .map(({ number, expose }) => (expose ? `${number}` : `${number} (internal)`))
      .join(', '),
  Tier: ({ values: { resourceTier } }) => resourceTier,
};

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
