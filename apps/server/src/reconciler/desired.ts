import { createHash } from 'node:crypto';
import {
  type AppValues,
  AUTO_DOMAIN,
  type DesiredRelease,
  desiredRelease,
  originOf,
  publicHostsOf,
  type ReleaseValues,
  releaseValues,
} from '@longshore/contract';
import type { AppRow } from '../apps/reconciler-store.ts';
import type { ReleaseSpec } from '../engines/engine.ts';

const MINUTE_MS = 60_000;

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
  /** The values of the next release. */
  values: ReleaseValues;
  spec: Omit<ReleaseSpec, 'number'>;
  /** Its host names; none when it is not public. */
  hosts: string[];
  /** Why the owner may not deploy, line by line. Undefined: the owner may. */
  refusal: string[] | undefined;
  /** Hibernated after this time without traffic, and woken by the next request. Undefined: never. */
  sleepAfterMs: number | undefined;
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
    ...engineSettings(values),
  };
  const settings = desiredRelease(values);
  const [origin, env] = settings;
  const hosts = hostsOf(app, baseDomain);
  return {
    id: app.id,
    generation: app.generation,
    isDeleted: app.deleted,
    instances: values.instances,
    desiredHash: hashOf(settings, app.redeploys),
    previousDesiredHash: hashOf([origin, env, values.ports], app.redeploys),
    values: releaseValues(values),
    spec,
    hosts,
    refusal,
    // Without a host no request could wake it. An owner who may not deploy may not wake it either.
    sleepAfterMs: hosts.length > 0 && refusal === undefined ? sleepAfterMs(values) : undefined,
  };
}

/** Without a redeploy the hash is the one that was stored before redeploys existed. */
function hashOf(settings: DesiredRelease, redeploys: number): string {
  const parts = redeploys === 0 ? settings : [...settings, redeploys];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function sleepAfterMs({ sleep }: AppValues): number | undefined {
  return sleep && sleep.afterMinutes * MINUTE_MS;
}

/** What an engine needs of the values of a release. */
export function engineSettings(
  values: ReleaseValues,
): Pick<ReleaseSpec, 'origin' | 'env' | 'ports'> {
  return { origin: originOf(values), env: values.env, ports: values.ports };
}

function hostsOf({ id, values, isDomainTaken }: AppRow, baseDomain: string): string[] {
  const { publicAccess } = values;
  const domain = isDomainTaken ? AUTO_DOMAIN : publicAccess.domain;
  return publicHostsOf({ ...values, id, publicAccess: { ...publicAccess, domain } }, baseDomain);
}
