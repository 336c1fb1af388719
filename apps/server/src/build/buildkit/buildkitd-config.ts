import type { Secret } from '../../secrets/secret.ts';
import { DOCKER_HUB } from '../registry-host.ts';

/** Registries of the operator. `host` is as in image names: with a port, if there is one. */
export type RegistrySettings = {
  /** `path` is the start of its repository names, or empty. */
  registry:
    | { host: string; path: string; isInsecure: boolean; credential?: OperatorAccount | undefined }
    | undefined;
  /** A pull-through mirror of Docker Hub. */
  mirror: { host: string; isPlainHttp: boolean } | undefined;
};

/** For images that were built here. Builds never get it: it may read the images of all users. */
export type OperatorAccount = { username: string; password: Secret };

export type BuildkitdSettings = {
  /** Size of the disk that holds the cache and the build itself. */
  diskBytes: number;
  /** Build steps at once. */
  parallelism: number;
  /** Empty: those of the container. */
  nameservers: string[];
  registries: RegistrySettings;
  /** Where builders reach a registry that is forwarded to them, as host:port; always over plain HTTP. */
  forwarders?: { registry?: string | undefined; mirror?: string | undefined };
};

type RegistryTable = { mirrors?: string[]; http?: boolean; insecure?: boolean };

/** What the cache may use after a build. The next build needs the rest of the disk. */
const CACHE_SHARE = 0.6;
const MIN_FREE_SHARE = 0.3;
/** Contexts and cache mounts are deleted first, when they were not used for two days. */
const REPRODUCIBLE_SHARE = 0.1;
const REPRODUCIBLE_TYPES = ['source.local', 'exec.cachemount', 'source.git.checkout'];

/**
 * The configuration of `buildkitd`. No build gets an entitlement: `device` is one that only a disabled CDI turns off. If a mirror
 * lacks an image or fails, BuildKit asks the registry itself.
 */
export function buildkitdConfig(settings: BuildkitdSettings): string {
  const { parallelism, nameservers } = settings;
  const sections = [
    entries({ 'insecure-entitlements': [] }),
    section('[cdi]', { disabled: true }),
    // The history keeps the log and the result of earlier builds on the disk.
    section('[history]', { maxAge: 3600, maxEntries: 1 }),
    ...(nameservers.length === 0 ? [] : [section('[dns]', { nameservers })]),
    section('[worker.containerd]', { enabled: false }),
    section('[worker.oci]', { enabled: true, gc: true, 'max-parallelism': parallelism }),
    ...cachePolicies(settings.diskBytes),
    ...[...registryTables(settings)].map(([host, table]) =>
      section(`[registry.${tomlValue(host)}]`, table),
    ),
  ];
  return sections.join('\n');
}

function cachePolicies(diskBytes: number): string[] {
  const bytes = (share: number) => Math.floor(diskBytes * share);
  const cap = { maxUsedSpace: bytes(CACHE_SHARE), minFreeSpace: bytes(MIN_FREE_SHARE) };
  const policies = [
    {
      filters: REPRODUCIBLE_TYPES.map((type) => `type==${type}`),
      keepDuration: '48h',
      maxUsedSpace: bytes(REPRODUCIBLE_SHARE),
    },
    cap,
    // Also what BuildKit keeps for itself, such as images of frontends.
    { all: true, ...cap },
  ];
  return policies.map((policy) => section('[[worker.oci.gcpolicy]]', policy));
}

/** By host, because the same registry may be both: TOML allows a table only once. */
function registryTables({
  registries: { registry, mirror },
  forwarders = {},
}: BuildkitdSettings): Map<string, RegistryTable> {
  const tables = new Map<string, RegistryTable>();
  const add = (host: string, table: RegistryTable) =>
    tables.set(host, { ...tables.get(host), ...table });
  const addMirror = (of: string, host: string, isPlainHttp: boolean) => {
    add(of, { mirrors: [host] });
    add(host, { http: isPlainHttp });
  };
  if (mirror !== undefined && forwarders.mirror === undefined) {
    addMirror(DOCKER_HUB, mirror.host, mirror.isPlainHttp);
  }
  if (mirror !== undefined && forwarders.mirror !== undefined) {
    addMirror(DOCKER_HUB, forwarders.mirror, true);
  }
  // Both flags together: HTTPS with any certificate, then plain HTTP.
  if (registry?.isInsecure) add(registry.host, { http: true, insecure: true });
  if (registry !== undefined && forwarders.registry !== undefined) {
    addMirror(registry.host, forwarders.registry, true);
  }
  return tables;
}

type TomlValue = string | number | boolean | TomlValue[];

function section(header: string, values: Record<string, TomlValue | undefined>): string {
  return `${header}\n${entries(values)}`;
}

function entries(values: Record<string, TomlValue | undefined>): string {
  return Object.entries(values)
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key} = ${tomlValue(value)}\n`]))
    .join('');
}

/** JSON is TOML for these types, except that TOML wants DEL escaped as well. */
function tomlValue(value: TomlValue): string {
  return JSON.stringify(value).replaceAll('\x7f', '\\u007f');
}
