import {
  type AppValues,
  originOf,
  publicHostsOf,
  type ReleaseValues,
  releaseValues,
  replicasOf,
} from '@longshore/contract';
import type { EdgePolicy } from '@longshore/edge-contract';
import { desiredHashes } from '../apps/desired-hashes.ts';
import type { AppRow } from '../apps/reconciler-store.ts';
import type { ReleaseSpec } from '../engines/engine.ts';

const MINUTE_MS = 60_000;
const MEGABYTE = 1_048_576;

/** The desired state of an app, computed from its values. Engine-neutral. */
export type DesiredApp = {
  id: string;
  generation: number;
  isDeleted: boolean;
  instances: number;
  /** Hash of the settings that a release consists of: changes exactly when a new release is needed. */
  desiredHash: string;
  /** The hash by the older rule, in which exposing a port changed it. Stored with older releases. */
  previousDesiredHash: string;
  /** How often a redeploy was requested without a change of values. */
  redeploys: number;
  /** How many instances run unless it is hibernated. */
  replicas: number;
  /** The log names of the instances that the owner asked to replace. */
  replacedInstances: string[];
  /** The log names of instances that fail their health check. */
  unhealthyInstances: string[];
  /** The values of the next release. */
  values: ReleaseValues;
  spec: Omit<ReleaseSpec, 'number' | 'size'>;
  /** Its host names; none when it is not public. */
  hosts: string[];
  /** Why the owner may not deploy, line by line. Undefined: the owner may. */
  refusal: string[] | undefined;
  /** Hibernated after this time without traffic, and woken by the next request. Undefined: never. */
  sleepAfterMs: number | undefined;
  /** How the edge treats its requests. Undefined: by its defaults. */
  policy: EdgePolicy | undefined;
};

export function desiredApp(
  app: AppRow,
  baseDomain: string,
  refusal: DesiredApp['refusal'] = undefined,
): DesiredApp {
  const { values } = app;
  const spec: DesiredApp['spec'] = {
    appId: app.id,
    ownerId: app.ownerId,
    projectId: values.projectId,
    name: values.name,
    ...(app.cacheClears === undefined ? {} : { cacheClears: app.cacheClears }),
    ...engineSettings(values),
  };
  const [desiredHash, previousDesiredHash] = desiredHashes(values, app.redeploys);
  const hosts = hostsOf(app, baseDomain);
  return {
    id: app.id,
    generation: app.generation,
    isDeleted: app.deleted,
    instances: values.instances,
    desiredHash,
    previousDesiredHash,
    redeploys: app.redeploys,
    replicas: replicasOf(values),
    replacedInstances: app.replacedInstances ?? [],
    unhealthyInstances: [],
    values: releaseValues(values),
    spec,
    hosts,
    refusal,
    // Without a host no request could wake it. An owner who may not deploy may not wake it either.
    sleepAfterMs: hosts.length > 0 && refusal === undefined ? sleepAfterMs(values) : undefined,
    policy: edgePolicy(values),
  };
}

function sleepAfterMs({ sleep }: AppValues): number | undefined {
  return sleep && sleep.afterMinutes * MINUTE_MS;
}

/** In the units of the edge. */
function edgePolicy({ edge }: AppValues): EdgePolicy | undefined {
  if (edge === undefined) return undefined;
  const { forceHttps, hsts, basicAuth, allowedIps, maxBodyMb, timeoutSeconds } = edge;
  const { headers, stickySessions, maintenance, redirects } = edge;
  return {
    ...(forceHttps !== undefined && { forceHttps }),
    ...(hsts !== undefined && { hsts }),
    ...(basicAuth && {
      basicAuth: { username: basicAuth.username, passwordHash: basicAuth.password ?? '' },
    }),
    ...(allowedIps && { allowedIps }),
    ...(maxBodyMb !== undefined && { maxBodyBytes: maxBodyMb * MEGABYTE }),
    ...(timeoutSeconds !== undefined && { timeoutMs: timeoutSeconds * 1_000 }),
    ...(headers && { headers }),
    ...(stickySessions !== undefined && { stickySessions }),
    ...(maintenance !== undefined && { maintenance }),
    ...(redirects && { redirects }),
  };
}

/** What an engine needs of the values of a release. */
export function engineSettings(
  values: ReleaseValues,
): Pick<ReleaseSpec, 'origin' | 'env' | 'ports' | 'build' | 'run' | 'graceSeconds'> {
  const { env, ports, build, run, healthCheck: { graceSeconds } = {} } = values;
  return {
    origin: originOf(values),
    env,
    ports,
    ...(build && { build }),
    ...(run && { run }),
    ...(graceSeconds === undefined ? {} : { graceSeconds }),
  };
}

function hostsOf({ id, values, routedDomains }: AppRow, baseDomain: string): string[] {
  return publicHostsOf({ ...values, id }, baseDomain, (domain) => routedDomains.includes(domain));
}
