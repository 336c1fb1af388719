import {
  DEFAULT_PORT,
  DEFAULT_SLEEP_MINUTES,
  DEFAULT_SOURCE_REF,
  type HealthCheck,
  type IntegrationValues,
  isRecord,
  RESOURCE_TIER,
  type VersionedRuntime,
} from '@longshore/contract';
import { type EnvRow, emptyEnvRow } from './env-rows.ts';
import type { ProcessRow } from './process-rows.ts';

export type DeploymentType = IntegrationValues['type'];

/** State of the deploy form (spec-map 3.7). Stored in local storage, so field names stay. */
export type DeployDraft = {
  selectedIntegration: string | undefined;
  isManualMode: boolean;
  deploymentType: DeploymentType;
  selectedRepository: string | undefined;
  /** Not in the specification: clone URLs of the picked repository. */
  cloneUrls: { ssh: string; https: string } | undefined;
  appName: string;
  containerImage: string;
  sourceUrl: string;
  sourceRef: string;
  sourceSecretName: string;
  containerPullSecretName: string;
  port: string;
  exposePort: boolean;
  useCustomDomain: boolean;
  customDomain: string;
  /** Not in the specification. */
  sleepsWhenIdle: boolean;
  sleepAfterMinutes: string;
  /** The name of a size. */
  resourceTier: string;
  replicas: string;
  /** Not in the specification. Processes other than `web`. */
  processes: ProcessRow[];
  envVars: EnvRow[];
  containerTag: string;
  /** Not in the specification. One pattern per line. */
  watchPaths: string;
} & AdvancedDraft;

/** Not in the specification. What is empty is detected, or has its default. */
export type AdvancedDraft = {
  rootDirectory: string;
  installCommand: string;
  buildCommand: string;
  startCommand: string;
  releaseCommand: string;
  stopGraceSeconds: string;
  outputDirectory: string;
  dockerfile: string;
} & Record<VersionField | HealthField, string>;

/** The versions that the form shows, and whose they are. */
export const VERSION_FIELDS = {
  nodeVersion: 'node',
  pythonVersion: 'python',
  goVersion: 'go',
} as const satisfies Record<string, VersionedRuntime>;

type VersionField = keyof typeof VERSION_FIELDS;

/** One value for each version field. */
export function forVersions<Value>(
  valueFor: (runtime: VersionedRuntime, field: VersionField) => Value,
): Record<VersionField, Value> {
  const fields = Object.keys(VERSION_FIELDS) as VersionField[];
  const entries = fields.map((field) => [field, valueFor(VERSION_FIELDS[field], field)]);
  return Object.fromEntries(entries) as Record<VersionField, Value>;
}

/** The fields of the health check, and the settings they are about. */
const HEALTH_FIELDS = {
  healthPath: 'path',
  healthStatus: 'status',
  healthGraceSeconds: 'graceSeconds',
  healthIntervalSeconds: 'intervalSeconds',
  healthFailureThreshold: 'failureThreshold',
} as const satisfies Record<string, keyof HealthCheck>;

export type HealthField = keyof typeof HEALTH_FIELDS;

/** One value for each field of the health check. */
export function forHealth<Value>(
  valueFor: (setting: keyof HealthCheck, field: HealthField) => Value,
): Record<HealthField, Value> {
  const fields = Object.keys(HEALTH_FIELDS) as HealthField[];
  const entries = fields.map((field) => [field, valueFor(HEALTH_FIELDS[field], field)]);
  return Object.fromEntries(entries) as Record<HealthField, Value>;
}

export const DEFAULT_REPLICAS = '1';

const EMPTY_ADVANCED: AdvancedDraft = {
  rootDirectory: '',
  installCommand: '',
  buildCommand: '',
  startCommand: '',
  releaseCommand: '',
  stopGraceSeconds: '',
  ...forHealth(() => ''),
  outputDirectory: '',
  dockerfile: '',
  ...forVersions(() => ''),
};

export function emptyDraft(): DeployDraft {
  return {
    selectedIntegration: undefined,
    isManualMode: false,
    deploymentType: 'ssh',
    selectedRepository: undefined,
    cloneUrls: undefined,
    appName: '',
    containerImage: '',
    sourceUrl: '',
    sourceRef: DEFAULT_SOURCE_REF,
    sourceSecretName: '',
    containerPullSecretName: '',
    port: String(DEFAULT_PORT),
    exposePort: true,
    useCustomDomain: false,
    customDomain: '',
    sleepsWhenIdle: false,
    sleepAfterMinutes: String(DEFAULT_SLEEP_MINUTES),
    resourceTier: RESOURCE_TIER,
    replicas: DEFAULT_REPLICAS,
    processes: [],
    envVars: [emptyEnvRow([])],
    containerTag: '',
    watchPaths: '',
    ...EMPTY_ADVANCED,
  };
}

type FieldGuards = {
  [Field in keyof DeployDraft]: (value: unknown) => value is DeployDraft[Field];
};

const FIELD_GUARDS: FieldGuards = {
  selectedIntegration: isStringOrUndefined,
  isManualMode: isBoolean,
  deploymentType: (value) => value === 'ssh' || value === 'docker',
  selectedRepository: isStringOrUndefined,
  cloneUrls: isCloneUrls,
  appName: isString,
  containerImage: isString,
  sourceUrl: isString,
  sourceRef: isString,
  sourceSecretName: isString,
  containerPullSecretName: isString,
  port: isString,
  exposePort: isBoolean,
  useCustomDomain: isBoolean,
  customDomain: isString,
  sleepsWhenIdle: isBoolean,
  sleepAfterMinutes: isString,
  resourceTier: isString,
  replicas: isString,
  processes: isProcessRows,
  envVars: isEnvRows,
  containerTag: isString,
  watchPaths: isString,
  rootDirectory: isString,
  installCommand: isString,
  buildCommand: isString,
  startCommand: isString,
  releaseCommand: isString,
  stopGraceSeconds: isString,
  ...forHealth(() => isString),
  outputDirectory: isString,
  dockerfile: isString,
  ...forVersions(() => isString),
};

/** Fields that are missing or invalid, such as those stored by another version, get their default. */
export function decodeDraft(stored: Record<string, unknown>): DeployDraft {
  const valid = Object.entries(FIELD_GUARDS).filter(([field, isValid]) => isValid(stored[field]));
  const fields: Partial<DeployDraft> = Object.fromEntries(
    valid.map(([field]) => [field, stored[field]]),
  );
  return { ...emptyDraft(), ...fields };
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isStringOrUndefined(value: unknown): value is string | undefined {
  return value === undefined || isString(value);
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isCloneUrls(value: unknown): value is DeployDraft['cloneUrls'] {
  return value === undefined || (isRecord(value) && isString(value.ssh) && isString(value.https));
}

/** There is always at least one row (spec-map 5.2). */
function isEnvRows(value: unknown): value is EnvRow[] {
  return Array.isArray(value) && value.length > 0 && value.every(isEnvRow);
}

function isProcessRows(value: unknown): value is ProcessRow[] {
  return Array.isArray(value) && value.every(isProcessRow);
}

function isProcessRow(value: unknown): value is ProcessRow {
  if (!isRecord(value) || !/^\d+$/.test(String(value.id))) return false;
  return [value.id, value.name, value.command, value.replicas, value.resourceTier].every(isString);
}

function isEnvRow(value: unknown): value is EnvRow {
  return (
    isRecord(value) &&
    isString(value.id) &&
    /^\d+$/.test(value.id) &&
    isString(value.key) &&
    isString(value.value)
  );
}
