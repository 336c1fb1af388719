import { appNameProblem } from './app-name.ts';
import { AUTO_DOMAIN, DEFAULT_INSTANCES, RESOURCE_TIER, UPDATE_POLICY } from './constants.ts';
import { containerImageProblem } from './container-image.ts';
import { customDomainProblem } from './domain.ts';
import { envKeyProblem, envValueProblem } from './env.ts';
import { accepted, isRecord, type Parsed, refused } from './parsed.ts';
import { portProblem } from './port.ts';
import { parseSleep, type Sleep } from './sleep.ts';
import { type SourceRules, sourceRefProblem, sourceUrlProblem } from './source.ts';
import { isStorable } from './storable.ts';

export type Port = { number: number; expose: boolean };
export type PublicAccess = { enabled: boolean; domain: string; baseDomain: string };
export type Container = { image: string; updatePolicy: string; pullSecretName: string };
export type Source = { enabled: boolean; url: string; ref: string; secretName: string };

/** Spec §3, App values: what the user wishes for one app. */
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
  /** Absent: the app sleeps only when it is told to. */
  sleep?: Sleep;
};

const MAX_PORTS = 20;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** The one validator of stored app values, run at insert and at update. */
export function parseAppValues(values: unknown, rules: SourceRules): Parsed<AppValues> {
  if (!isRecord(values)) return refused('values', 'App values must be an object');
  const text = (field: string) => (typeof values[field] === 'string' ? values[field] : '');
  const name = text('name');
  const projectId = text('projectId');
  const nameProblem = appNameProblem(name);
  if (nameProblem !== undefined) return refused('name', nameProblem);
  if (!UUID.test(projectId)) return refused('projectId', 'Project ID not found');

  const ports = parsePorts(values.ports);
  if (!ports.ok) return ports;
  const publicAccess = parsePublicAccess(values.publicAccess);
  if (!publicAccess.ok) return publicAccess;
  const source = parseSource(values.source, rules);
  if (!source.ok) return source;
  const container = parseContainer(values.container, source.value);
  if (!container.ok) return container;
  const env = parseEnv(values.env);
  if (!env.ok) return env;
  const instances = parseInstances(values.instances);
  if (!instances.ok) return instances;
  const sleep = parseSleep(values.sleep);
  if (!sleep.ok) return sleep;

  const resourceTier = text('resourceTier') || RESOURCE_TIER;
  if (resourceTier !== RESOURCE_TIER) return refused('resourceTier', 'Resource tier must be t1');
  const parsed = {
    name,
    projectId,
    resourceTier,
    ports: ports.value,
    publicAccess: publicAccess.value,
    container: container.value,
    source: source.value,
    env: env.value,
    instances: instances.value,
    ...(sleep.value === undefined ? {} : { sleep: sleep.value }),
  };
  return isStorable(parsed)
    ? accepted(parsed)
    : refused('values', 'Values must not hold null or broken characters');
}

export function isHibernated(values: AppValues): boolean {
  return values.instances === 0;
}

function parsePorts(ports: unknown): Parsed<Port[]> {
  if (!Array.isArray(ports) || ports.length === 0)
    return refused('ports', 'Port number is required');
  if (ports.length > MAX_PORTS) return refused('ports', `At most ${MAX_PORTS} ports are allowed`);
  const parsed: Port[] = [];
  for (const port of ports) {
    const number: unknown = isRecord(port) ? port.number : undefined;
    const problem = typeof number === 'string' ? portProblem('none') : portProblem(number);
    if (problem !== undefined) return refused('ports', problem);
    if (parsed.some((other) => other.number === number)) {
      return refused('ports', 'Each port can be named only once');
    }
    parsed.push({ number: Number(number), expose: isRecord(port) && port.expose === true });
  }
  return accepted(parsed);
}

function parsePublicAccess(publicAccess: unknown): Parsed<PublicAccess> {
  const given = isRecord(publicAccess) ? publicAccess : {};
  const enabled = given.enabled === true;
  const domain = typeof given.domain === 'string' ? given.domain.toLowerCase() : AUTO_DOMAIN;
  const baseDomain = typeof given.baseDomain === 'string' ? given.baseDomain : '';
  if (enabled && domain !== AUTO_DOMAIN) {
    const problem = customDomainProblem(domain);
    if (problem !== undefined) return refused('publicAccess.domain', problem);
  }
  return accepted({ enabled, domain, baseDomain });
}

function parseSource(source: unknown, rules: SourceRules): Parsed<Source> {
  const given = isRecord(source) ? source : {};
  const text = (field: string) => (typeof given[field] === 'string' ? given[field] : '');
  const parsed = {
    enabled: given.enabled === true,
    url: text('url'),
    ref: text('ref'),
    secretName: text('secretName'),
  };
  if (!parsed.enabled) return accepted(parsed);
  const urlProblem = sourceUrlProblem(parsed.url, rules);
  if (urlProblem !== undefined) return refused('source.url', urlProblem);
  const refProblem = sourceRefProblem(parsed.ref);
  return refProblem === undefined ? accepted(parsed) : refused('source.ref', refProblem);
}

function parseContainer(container: unknown, source: Source): Parsed<Container> {
  const given = isRecord(container) ? container : {};
  const text = (field: string) => (typeof given[field] === 'string' ? given[field] : '');
  const image = text('image');
  if (!source.enabled) {
    const problem = containerImageProblem(image);
    if (problem !== undefined) return refused('container.image', problem);
  }
  return accepted({
    image,
    updatePolicy: text('updatePolicy') || UPDATE_POLICY,
    pullSecretName: text('pullSecretName'),
  });
}

function parseEnv(env: unknown): Parsed<Record<string, string>> {
  if (env === undefined || env === null) return accepted({});
  if (!isRecord(env)) return refused('env', 'Environment must be a map of key to value');
  const parsed: Record<string, string> = {};
  for (const [key, value] of Object.entries(env)) {
    const problem = envKeyProblem(key) ?? envValueProblem(value);
    if (problem !== undefined) return refused(`env.${key}`, problem);
    parsed[key] = String(value);
  }
  return accepted(parsed);
}

function parseInstances(instances: unknown): Parsed<number> {
  if (instances === undefined || instances === null) return accepted(DEFAULT_INSTANCES);
  return instances === 0 || instances === 1
    ? accepted(instances)
    : refused('instances', 'Instances must be 0 or 1');
}
