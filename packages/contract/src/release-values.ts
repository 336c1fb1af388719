import type { AppValues } from './app-values.ts';
import { isSameJson } from './same-json.ts';

/** The app values that a release is built and run from. Name, addresses and sleep settings are not part of it. */
export type ReleaseValues = Pick<
  AppValues,
  'resourceTier' | 'ports' | 'container' | 'source' | 'env'
>;

/** `revision`: the commit or image digest it was built from; undefined until the build has resolved it. */
export type BuiltRelease = { values: ReleaseValues; revision: string | undefined };

/** The newest releases that went live are retained, to roll back to. */
export const RETAINED_RELEASES = 5;

export function releaseValues(values: ReleaseValues): ReleaseValues {
  const { resourceTier, ports, container, source, env } = values;
  return { resourceTier, ports, container, source, env };
}

/** The same values with the branch or tag replaced by this exact commit or digest. */
export function pinRevision<Values extends Pick<ReleaseValues, 'source' | 'container'>>(
  revision: string,
  values: Values,
): Values {
  const { source, container } = values;
  if (source.enabled) return { ...values, source: { ...source, ref: revision } };
  const [name] = container.image.split('@');
  return { ...values, container: { ...container, image: `${name}@${revision}` } };
}

/**
 * Whether the build of a release can be used for these values. Only true for values that name a commit or digest: a branch
 * or tag may have moved since.
 */
export function canReuseBuild(values: ReleaseValues, built: BuiltRelease): boolean {
  if (built.revision === undefined) return false;
  return isSameJson(buildInputs(values), buildInputs(pinRevision(built.revision, built.values)));
}

/** A build from source may read the environment; an image is already built. */
function buildInputs({ source, container, env }: ReleaseValues): unknown {
  return source.enabled ? [source.url, source.ref, env] : container.image;
}
