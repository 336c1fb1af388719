import type { BuildSettings, RunSettings } from './build-settings.ts';
import { FALLBACK_FONTS } from './fallback-fonts.ts';
import { isRecord } from './type-guards.ts';

/** What a build depends on besides its commit and its settings. Known once it is built. */
export type BuildInputs = {
  /** The arguments that its Dockerfile declares. */
  arguments: string[];
  /** Whether the app is built in another way with a start command than without one. */
  startCommand: boolean;
};

/** Frameworks copy variables with these prefixes into what they build. */
const COPIED_PREFIXES = [
  'NEXT_PUBLIC_',
  'NUXT_PUBLIC_',
  'VITE_',
  'PUBLIC_',
  'REACT_APP_',
  'GATSBY_',
];

/** Whether a changed value needs another build. A build sees more variables than these, unless the user chose some. */
export function isBuildVariable(
  name: string,
  build: BuildSettings | undefined,
  inputs: Pick<BuildInputs, 'arguments'>,
): boolean {
  // Longshore reads it, not the build, so it need not be chosen.
  if (name === FALLBACK_FONTS.name) return true;
  if (build?.variables !== undefined) return build.variables.includes(name);
  return (
    COPIED_PREFIXES.some((prefix) => name.startsWith(prefix)) || inputs.arguments.includes(name)
  );
}

type RunValues = {
  env: Record<string, string>;
  build?: BuildSettings | undefined;
  run?: RunSettings | undefined;
};

/**
 * The part of the variables and run settings that a build depends on. `inputs`: undefined for a build of an older version,
 * which may depend on all of them.
 */
export function buildDependencies(
  { env, build, run }: RunValues,
  inputs: BuildInputs | undefined,
): unknown {
  if (inputs === undefined) return { env, command: run?.command };
  return {
    env: Object.fromEntries(
      Object.entries(env).filter(([name]) => isBuildVariable(name, build, inputs)),
    ),
    hasStartCommand: inputs.startCommand && run?.command !== undefined,
  };
}

/** Undefined for builds of older versions. */
export function decodeBuildInputs(stored: unknown): BuildInputs | undefined {
  if (!isRecord(stored) || !Array.isArray(stored.arguments)) return undefined;
  return {
    arguments: stored.arguments.map(String),
    startCommand: stored.startCommand === true,
  };
}
