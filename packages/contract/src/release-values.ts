import type { AppValues } from './app-values.ts';

/** The part of an app's values that a release is made of. Its name, its addresses and its sleep are not. */
export type ReleaseValues = Pick<
  AppValues,
  'resourceTier' | 'ports' | 'container' | 'source' | 'env'
>;

/** So many of the newest releases that ever served are kept, to go back to. */
export const KEPT_RELEASES = 5;

export function releaseValues(values: ReleaseValues): ReleaseValues {
  const { resourceTier, ports, container, source, env } = values;
  return { resourceTier, ports, container, source, env };
}

/** The same, made of exactly this commit or digest, whatever the branch or tag comes to mean. */
export function pinnedTo(revision: string, values: ReleaseValues): ReleaseValues {
  const { source, container } = values;
  if (source.enabled) return { ...values, source: { ...source, ref: revision } };
  const [name] = container.image.split('@');
  return { ...values, container: { ...container, image: `${name}@${revision}` } };
}
