import type { AppValues } from './app-values.ts';

/** What a change of a setting causes for an app that runs. */
export type SettingEffect =
  /** Applied at once. */
  | 'nothing'
  /** The app restarts where the engine gives the apps of a project names, otherwise nothing happens. */
  | 'new-name'
  /** A new release from the build that exists. */
  | 'restart'
  /** The same, unless that build depends on the setting: then the app is rebuilt. */
  | 'restart-or-rebuild'
  /** A new release: a build or a pull, then a restart. */
  | 'rebuild'
  /** Instances start or stop; those that stay continue. */
  | 'scale'
  /** The same for a new number, otherwise a new release from the build that exists. */
  | 'restart-or-scale'
  /** The app hibernates or wakes. */
  | 'sleep-or-wake';

/** Every key of the values of an app. `editEffect` decides for a whole edit; a test compares the two. */
export const SETTING_EFFECTS: Record<keyof AppValues, SettingEffect> = {
  name: 'new-name',
  projectId: 'new-name',
  resourceTier: 'restart',
  ports: 'restart',
  publicAccess: 'nothing',
  container: 'rebuild',
  source: 'rebuild',
  env: 'restart-or-rebuild',
  build: 'rebuild',
  run: 'restart-or-rebuild',
  healthCheck: 'restart',
  instances: 'sleep-or-wake',
  replicas: 'scale',
  processes: 'restart-or-scale',
  sleep: 'nothing',
  edge: 'nothing',
  watchPaths: 'nothing',
};
