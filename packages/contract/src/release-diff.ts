import type { ReleaseMake } from './release.ts';
import { reachedPorts } from './release-wish.ts';

/** What differs between two releases. Of the environment only names are told: values may be secrets. */
export type ReleaseDiff = {
  settings: SettingChange[];
  env: Record<EnvChange, string[]>;
};

export type EnvChange = 'added' | 'removed' | 'changed';

/** An empty text says that there is none. */
export type SettingChange = { name: SettingName; before: string; after: string };

export type SettingName = 'Repository' | 'Ref' | 'Commit' | 'Image' | 'Digest' | 'Ports' | 'Tier';

const SETTINGS: Record<SettingName, (make: ReleaseMake) => string> = {
  Repository: ({ madeOf: { source } }) => (source.enabled ? source.url : ''),
  Ref: ({ madeOf: { source } }) => (source.enabled ? source.ref : ''),
  Commit: ({ madeOf: { source }, revision = '' }) => (source.enabled ? revision : ''),
  Image: ({ madeOf: { source, container } }) => (source.enabled ? '' : container.image),
  Digest: ({ madeOf: { source }, revision = '' }) => (source.enabled ? '' : revision),
  Ports: ({ madeOf: { ports } }) =>
    reachedPorts(ports)
      .map(({ number, expose }) => (expose ? `${number}` : `${number} (internal)`))
      .join(', '),
  Tier: ({ madeOf: { resourceTier } }) => resourceTier,
};

export function releaseDiff(before: ReleaseMake, after: ReleaseMake): ReleaseDiff {
  const names = Object.keys(SETTINGS) as SettingName[];
  return {
    settings: names
      .map((name) => ({ name, before: SETTINGS[name](before), after: SETTINGS[name](after) }))
      .filter((change) => change.before !== change.after),
    env: envDiff(before.envMarks, after.envMarks),
  };
}

export function isSameMake({ settings, env }: ReleaseDiff): boolean {
  return settings.length === 0 && Object.values(env).every((names) => names.length === 0);
}

function envDiff(
  before: Record<string, number>,
  after: Record<string, number>,
): ReleaseDiff['env'] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const has = (marks: Record<string, number>, name: string) => Object.hasOwn(marks, name);
  return {
    added: names.filter((name) => !has(before, name)),
    removed: names.filter((name) => !has(after, name)),
    changed: names.filter(
      (name) => has(before, name) && has(after, name) && before[name] !== after[name],
    ),
  };
}
