import type { ReleaseSpec } from '../engines/engine.ts';

/** The variables that a build gets: all, unless the user chose some. */
export function buildVariables({
  env,
  build,
}: Pick<ReleaseSpec, 'env' | 'build'>): Record<string, string> {
  const chosen = build?.variables;
  if (chosen === undefined) return withIndexesForUv(env);
  return withIndexesForUv(
    Object.fromEntries(Object.entries(env).filter(([name]) => chosen.includes(name))),
  );
}

/** Which variables of pip say where packages are, and what uv calls them. It does not read those of pip. */
const INDEXES = [
  { ofPip: 'PIP_INDEX_URL', ofUv: ['UV_DEFAULT_INDEX', 'UV_INDEX_URL'] },
  { ofPip: 'PIP_EXTRA_INDEX_URL', ofUv: ['UV_INDEX', 'UV_EXTRA_INDEX_URL'] },
] as const;

/** A package of a private index may have the name of another one on pypi.org, so uv must look where pip would. */
function withIndexesForUv(variables: Record<string, string>): Record<string, string> {
  const added = INDEXES.flatMap(({ ofPip, ofUv }): [string, string][] => {
    const url = variables[ofPip];
    const isGiven = ofUv.some((name) => variables[name] !== undefined);
    return url === undefined || isGiven ? [] : [[ofUv[0], url]];
  });
  return added.length === 0 ? variables : { ...variables, ...Object.fromEntries(added) };
}
