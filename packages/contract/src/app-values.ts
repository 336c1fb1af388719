import { appNameProblem } from './app-name.ts';
import {
  type BuildSettings,
  parseBuildSettings,
  parseRunSettings,
  type RunSettings,
} from './build-settings.ts';
import { isStorable } from './characters.ts';
import { AUTO_DOMAIN, DEFAULT_INSTANCES, RESOURCE_TIER, UPDATE_POLICY } from './constants.ts';
import { containerImageProblem } from './container-image.ts';
import { customDomainProblem, customDomainsOf, normalizedDomain } from './domain.ts';
import { type EdgeSettings, parseEdgeSettings } from './edge-settings.ts';
import { envProblem } from './env.ts';
import { type HealthCheck, parseHealthCheck } from './health-check.ts';
import { invalid, type Parsed, valid } from './parsed.ts';
import { portProblem } from './port.ts';
import { type Processes, parseProcesses } from './processes.ts';
import { parseReplicas } from './replicas.ts';
import { parseSleep, type Sleep } from './sleep.ts';
import {
  isUploadUrl,
  type SourceRules,
  sourceRefProblem,
  sourceTokenProblem,
  sourceUrlProblem,
  uploadUrlProblem,
} from './source.ts';
import { type TierTable, tierProblem } from './tier.ts';
import { isRecord } from './type-guards.ts';
import { parseWatchPaths } from './watch-paths.ts';

export type Port = { number: number; expose: boolean };
/** `domains`: custom domains besides `domain`. Absent: none. */
export type PublicAccess = {
  enabled: boolean;
  domain: string;
  baseDomain: string;
  domains?: string[];
};
export type Container = { image: string; updatePolicy: string; pullSecretName: string };
export type Source = { enabled: boolean; url: string; ref: string; secretName: string };

/** The desired settings of one app. */
export type AppValues = {
  name: string;
  projectId: string;
  resourceTier: string;
  ports: Port[];
  publicAccess: PublicAccess;
  container: Container;
  source: Source;
  env: Record<string, string>;
  instances: number;
  /** How many instances run while the app is awake. Absent: one. */
  replicas?: number;
  /** Absent: the app does not sleep when idle. */
  sleep?: Sleep;
  /** Absent: the defaults of the edge. */
  edge?: EdgeSettings;
  /** Absent: everything is detected. */
  build?: BuildSettings;
  run?: RunSettings;
  healthCheck?: HealthCheck;
  /** Processes other than `web`. Absent: those of the Procfile. */
  processes?: Processes;
  /** Patterns of files, relative to the root of the repository. Absent: every push is deployed. */
  watchPaths?: string[];
};

/** The rules of an installation for the values of apps. */
export type AppValueRules = SourceRules & { tiers: TierTable };

const MAX_PORTS = 20;
const MAX_CUSTOM_DOMAINS = 20;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Validates app values on insert and on update. `before`: the stored values of an existing app, in any form. */
export function parseAppValues(
  values: unknown,
  rules: AppValueRules,
  before?: unknown,
): Parsed<AppValues> {
  if (!isRecord(values)) return invalid('values', 'App values must be an object');
  const text = (field: string) => (typeof values[field] === 'string' ? values[field] : '');
  const name = text('name');
  const projectId = text('projectId').toLowerCase();
  const nameProblem = appNameProblem(name);
  if (nameProblem !== undefined) return invalid('name', nameProblem);
  if (!UUID.test(projectId)) return invalid('projectId', 'Project ID not found');

  const ports = parsePorts(values.ports);
  if (!ports.ok) return ports;
  const publicAccess = parsePublicAccess(values.publicAccess);
  if (!publicAccess.ok) return publicAccess;
  const source = parseSource(values.source, rules, isRecord(before) ? before.source : undefined);
  if (!source.ok) return source;
  const container = parseContainer(values.container, source.value);
  if (!container.ok) return container;
  const env = parseEnv(values.env, isRecord(before) ? before.env : undefined);
  if (!env.ok) return env;
  const instances = parseInstances(values.instances);
  if (!instances.ok) return instances;
  const sleep = parseSleep(values.sleep);
  if (!sleep.ok) return sleep;
  const edge = parseEdgeSettings(values.edge, isRecord(before) ? before.edge : undefined);
  if (!edge.ok) return edge;
  const build = parseBuildSettings(values.build, isRecord(before) ? before.build : undefined);
  if (!build.ok) return build;
  const run = parseRunSettings(values.run, isRecord(before) ? before.run : undefined);
  if (!run.ok) return run;
  const stored = isRecord(before) ? before.healthCheck : undefined;
  const healthCheck = parseHealthCheck(values.healthCheck, stored);
  if (!healthCheck.ok) return healthCheck;
  const watchPaths = parseWatchPaths(values.watchPaths);
  if (!watchPaths.ok) return watchPaths;

  const resourceTier = parseTier(values.resourceTier, rules.tiers, before);
  if (!resourceTier.ok) return resourceTier;
  const { tiers } = rules;
  const replicas = parseReplicas(values.replicas, {
    resourceTier: resourceTier.value,
    tiers,
    before,
  });
  if (!replicas.ok) return replicas;
  const app = {
    resourceTier: resourceTier.value,
    replicas: replicas.value,
    sleep: sleep.value,
  };
  const isImage = !source.value.enabled;
  const processes = parseProcesses(values.processes, { app, isImage, tiers, before });
  if (!processes.ok) return processes;
  const parsed = {
    name,
    projectId,
    resourceTier: resourceTier.value,
    ports: ports.value,
    publicAccess: publicAccess.value,
    container: container.value,
    source: source.value,
    env: env.value,
    instances: instances.value,
    ...(replicas.value === undefined ? {} : { replicas: replicas.value }),
    ...(sleep.value === undefined ? {} : { sleep: sleep.value }),
    ...(edge.value === undefined ? {} : { edge: edge.value }),
    ...(build.value === undefined ? {} : { build: build.value }),
    ...(run.value === undefined ? {} : { run: run.value }),
    ...(healthCheck.value === undefined ? {} : { healthCheck: healthCheck.value }),
    ...(processes.value === undefined ? {} : { processes: processes.value }),
    ...(watchPaths.value === undefined ? {} : { watchPaths: watchPaths.value }),
  };
  return isStorable(parsed)
    ? valid(parsed)
    : invalid('values', 'Values must not contain null characters or invalid Unicode');
}

export function isHibernated(values: AppValues): boolean {
  return values.instances === 0;
}

/** A size that the operator has removed since must not prevent the app from being edited or hibernated. */
function parseTier(tier: unknown, table: TierTable, before: unknown): Parsed<string> {
  if (tier === undefined || tier === null || tier === '') return valid(RESOURCE_TIER);
  const isStored = isRecord(before) && before.resourceTier === tier;
  const problem =
    typeof tier === 'string' && isStored ? undefined : tierProblem(String(tier), table);
  return problem === undefined ? valid(String(tier)) : invalid('resourceTier', problem);
}

function parsePorts(ports: unknown): Parsed<Port[]> {
  if (!Array.isArray(ports) || ports.length === 0)
    return invalid('ports', 'Port number is required');
  if (ports.length > MAX_PORTS) return invalid('ports', `At most ${MAX_PORTS} ports are allowed`);
  const parsed: Port[] = [];
  for (const port of ports) {
    const number: unknown = isRecord(port) ? port.number : undefined;
    const problem = typeof number === 'string' ? portProblem('none') : portProblem(number);
    if (problem !== undefined) return invalid('ports', problem);
    if (parsed.some((other) => other.number === number)) {
      return invalid('ports', 'Each port can be listed only once');
    }
    parsed.push({ number: Number(number), expose: isRecord(port) && port.expose === true });
  }
  return valid(parsed);
}

function parsePublicAccess(publicAccess: unknown): Parsed<PublicAccess> {
  const fields = isRecord(publicAccess) ? publicAccess : {};
  const enabled = fields.enabled === true;
  const domain = typeof fields.domain === 'string' ? normalizedDomain(fields.domain) : AUTO_DOMAIN;
  const baseDomain = typeof fields.baseDomain === 'string' ? fields.baseDomain : '';
  if (enabled && domain !== AUTO_DOMAIN) {
    const problem = customDomainProblem(domain);
    if (problem !== undefined) return invalid('publicAccess.domain', problem);
  }
  const domains = parseDomains(fields.domains);
  if (!domains.ok) return domains;
  return withDomains({ enabled, domain, baseDomain }, domains.value);
}

function withDomains(access: PublicAccess, domains: string[]): Parsed<PublicAccess> {
  const all = customDomainsOf({ publicAccess: { ...access, domains } });
  if (all.length > MAX_CUSTOM_DOMAINS) {
    return invalid(
      'publicAccess.domains',
      `At most ${MAX_CUSTOM_DOMAINS} custom domains are allowed`,
    );
  }
  const repeated = all.find((domain, index) => all.indexOf(domain) !== index);
  if (repeated !== undefined) {
    return invalid('publicAccess.domains', `${repeated} is listed twice`);
  }
  return valid(domains.length === 0 ? access : { ...access, domains });
}

function parseDomains(domains: unknown): Parsed<string[]> {
  if (domains === undefined || domains === null) return valid([]);
  if (!Array.isArray(domains) || domains.some((domain) => typeof domain !== 'string')) {
    return invalid('publicAccess.domains', 'Custom domains must be a list of domains');
  }
  const parsed = domains.map((domain: string) => normalizedDomain(domain));
  for (const [index, domain] of parsed.entries()) {
    const problem = customDomainProblem(domain);
    if (problem !== undefined) {
      return invalid('publicAccess.domains', `${JSON.stringify(domains[index])}: ${problem}`);
    }
  }
  return valid(parsed);
}

function parseSource(source: unknown, rules: SourceRules, stored: unknown): Parsed<Source> {
  const fields = isRecord(source) ? source : {};
  const text = (field: string) => (typeof fields[field] === 'string' ? fields[field] : '');
  const parsed = {
    enabled: fields.enabled === true,
    url: text('url'),
    ref: text('ref'),
    secretName: text('secretName'),
  };
  if (!parsed.enabled) return valid(parsed);
  const urlProblem = parsedUrlProblem(parsed.url, rules, isRecord(stored) ? stored.url : undefined);
  if (urlProblem !== undefined) return invalid('source.url', urlProblem);
  const refProblem = sourceRefProblem(parsed.ref);
  return refProblem === undefined ? valid(parsed) : invalid('source.ref', refProblem);
}

function parsedUrlProblem(url: string, rules: SourceRules, storedUrl: unknown): string | undefined {
  if (isUploadUrl(url)) return uploadUrlProblem(url, storedUrl);
  return sourceUrlProblem(url, rules) ?? (storedUrl === url ? undefined : sourceTokenProblem(url));
}

function parseContainer(container: unknown, source: Source): Parsed<Container> {
  const fields = isRecord(container) ? container : {};
  const text = (field: string) => (typeof fields[field] === 'string' ? fields[field] : '');
  const image = text('image');
  if (!source.enabled) {
    const problem = containerImageProblem(image);
    if (problem !== undefined) return invalid('container.image', problem);
  }
  return valid({
    image,
    updatePolicy: text('updatePolicy') || UPDATE_POLICY,
    pullSecretName: text('pullSecretName'),
  });
}

function parseEnv(env: unknown, stored: unknown): Parsed<Record<string, string>> {
  if (env === undefined || env === null) return valid({});
  if (!isRecord(env)) return invalid('env', 'Environment must be a map of key to value');
  const parsed: Record<string, string> = {};
  for (const [key, value] of Object.entries(env)) {
    const problem = envProblem(key, value, stored);
    if (problem !== undefined) return invalid(`env.${key}`, problem);
    parsed[key] = String(value);
  }
  return valid(parsed);
}

function parseInstances(instances: unknown): Parsed<number> {
  if (instances === undefined || instances === null) return valid(DEFAULT_INSTANCES);
  return instances === 0 || instances === 1
    ? valid(instances)
    : invalid('instances', 'Instances must be 0 or 1');
}
