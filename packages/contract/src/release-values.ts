import type { AppValues } from './app-values.ts';
import { type BuildInputs, buildDependencies } from './build-inputs.ts';
import { isSameJson } from './same-json.ts';

/** The app values that a release is built and run from. Name, addresses and sleep settings are not part of it. */
export type ReleaseValues = Pick<
  AppValues,
  | 'resourceTier'
  | 'ports'
  | 'container'
  | 'source'
  | 'env'
  | 'build'
  | 'run'
  | 'healthCheck'
  | 'replicas'
  | 'processes'
>;

/**
 * `revision`: the commit or image digest it was built from; undefined until the build has resolved it. `inputs`: undefined
 * for builds of older versions.
 */
export type BuiltRelease = {
  values: ReleaseValues;
  revision: string | undefined;
  inputs: BuildInputs | undefined;
};

/** The newest releases that went live are retained, to roll back to. */
export const RETAINED_RELEASES = 5;

export function releaseValues(values: ReleaseValues): ReleaseValues {
  const { resourceTier, ports, container, source, env, build, run } = values;
  const { healthCheck, replicas, processes } = values;
  return {
    resourceTier,
    ports,
    container,
    source,
    env,
    ...(build && { build }),
    ...(run && { run }),
    ...(healthCheck && { healthCheck }),
    ...(replicas && { replicas }),
    ...(processes && { processes }),
  };
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
  return needsSameBuild(values, pinRevision(built.revision, built.values), built.inputs);
}

/**
 * Whether an edit of the newest release leaves its build as it is: then the app stays at the commit or digest that it has,
 * until a redeploy or a push.
 */
export function keepsBuild(values: ReleaseValues, newest: BuiltRelease): boolean {
  return newest.revision !== undefined && needsSameBuild(values, newest.values, newest.inputs);
}

function needsSameBuild(
  one: ReleaseValues,
  other: ReleaseValues,
  inputs: BuildInputs | undefined,
): boolean {
  const buildOf = (values: ReleaseValues) => {
    const { source, container, build } = values;
    // An image is already built.
    if (!source.enabled) return container.image;
    return [source.url, source.ref, build ?? {}, buildDependencies(values, inputs)];
  };
  return isSameJson(buildOf(one), buildOf(other));
}
