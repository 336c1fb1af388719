import type { ReleaseSpec } from '../engines/engine.ts';

/** The variables that a build gets: all, unless the user chose some. */
export function buildVariables({
  env,
  build,
}: Pick<ReleaseSpec, 'env' | 'build'>): Record<string, string> {
  const chosen = build?.variables;
  if (chosen === undefined) return env;
  return Object.fromEntries(Object.entries(env).filter(([name]) => chosen.includes(name)));
}
