import {
  appNameProblem,
  commandProblem,
  containerImageProblem,
  customDomainProblem,
  type Detected,
  envProblem,
  type HealthCheck,
  healthNumberProblem,
  healthPathProblem,
  imageWithTag,
  isIgnoredVariable,
  isUploadUrl,
  normalizedDomain,
  portProblem,
  replicasProblem,
  repositoryPathProblem,
  type SourceRules,
  sleepingProcessesProblem,
  sleepMinutesProblem,
  sourceRefProblem,
  sourceUrlProblem,
  stopGraceProblem,
  versionProblem,
  watchPathsProblem,
} from '@longshore/contract';
import { MESSAGES } from '../messages.ts';
import {
  type AdvancedDraft,
  type DeployDraft,
  forHealth,
  forVersions,
  type HealthField,
} from './deploy-draft.ts';
import { linesOf } from './draft-conversion.ts';
import type { EnvRow } from './env-rows.ts';
import {
  type ProcessField,
  type ProcessProblems,
  processProblems,
  procfileRowId,
  runningRows,
} from './process-rows.ts';
import { type OfferedApp, ownOffer, referenceNote } from './variable-references.ts';

export type DraftProblems = {
  appName?: string;
  containerImage?: string;
  sourceUrl?: string;
  sourceRef?: string;
  selectedRepository?: string;
  port?: string;
  customDomain?: string;
  sleepAfterMinutes?: string;
  watchPaths?: string;
  resourceTier?: string;
  replicas?: string;
  /** What is wrong with all processes together, and with single ones. */
  processes?: string;
  processRows?: ProcessProblems;
  /** Sleep when idle is not possible. */
  sleepsWhenIdle?: string;
  /** By row id. */
  envVars?: Record<string, string>;
} & Partial<AdvancedDraft>;

type Env = Record<string, string>;

/**
 * Of an app that exists. `detected`: by its last build. `ranWithSleep`: processes that run although the app should sleep, which a
 * new Procfile can bring.
 */
type Stored = {
  storedEnv?: Env | undefined;
  detected?: Detected | undefined;
  ranWithSleep?: readonly string[];
};

/** Validation messages by field (spec-map 5.2). Empty when the draft is valid. */
export function draftProblems(
  draft: DeployDraft,
  rules: SourceRules,
  { storedEnv, detected, ranWithSleep = [] }: Stored = {},
): DraftProblems {
  const isImage = draft.deploymentType === 'docker';
  const running = runningRows(draft.processes, detected);
  const hasSleep = draft.exposePort && draft.sleepsWhenIdle;
  return withoutUndefined({
    appName: appNameProblem(draft.appName),
    ...originProblems(draft, rules),
    port: portProblem(draft.port.trim()),
    customDomain: hasCustomDomain(draft)
      ? customDomainProblem(normalizedDomain(draft.customDomain))
      : undefined,
    sleepAfterMinutes: hasSleep ? sleepMinutesProblem(draft.sleepAfterMinutes) : undefined,
    replicas: replicasProblem(draft.replicas),
    processRows: processProblems(draft.processes, isImage, detected),
    sleepsWhenIdle: hasSleep
      ? sleepingProcessesProblem(running.filter((name) => !ranWithSleep.includes(name)))
      : undefined,
    watchPaths: watchPathsProblem(linesOf(draft.watchPaths)),
    envVars: envProblems(draft.envVars, storedEnv),
    ...advancedProblems(draft),
  });
}

/** What the server found wrong with one field, by a rule that only it can check. */
export type Refusal = { value: string; problem: string } & (
  | { field: RefusedField }
  | { field: 'envVars'; key: string }
  | { field: 'processes'; row?: { id: string; field: ProcessField } }
);

type RefusedField = 'appName' | 'customDomain' | 'resourceTier' | 'replicas';

const REFUSED_FIELDS = new Map<string | undefined, RefusedField>([
  ['name', 'appName'],
  ['publicAccess.domain', 'customDomain'],
  ['resourceTier', 'resourceTier'],
  ['replicas', 'replicas'],
]);

const ENV_PATH = 'env.';
const PROCESSES_PATH = 'processes';

/** Undefined if the error message of the server is not about one of these fields. */
export function refusalOf(message: string, draft: DeployDraft): Refusal | undefined {
  const [, path, problem] = /^values\.([\w.-]+): (.+)$/s.exec(message) ?? [];
  if (path === undefined || problem === undefined) return undefined;
  if (path.startsWith(ENV_PATH)) {
    const key = path.slice(ENV_PATH.length);
    const row = draft.envVars.find((each) => each.key.trim() === key);
    return row && { field: 'envVars', key, value: row.value, problem };
  }
  const [first, name, processField = 'name'] = path.split('.');
  if (first === PROCESSES_PATH) {
    const value = JSON.stringify(draft.processes);
    if (name === undefined) return { field: 'processes', value, problem };
    const id = draft.processes.find((row) => row.name.trim() === name)?.id ?? procfileRowId(name);
    return { field: 'processes', row: { id, field: processField as ProcessField }, value, problem };
  }
  const field = REFUSED_FIELDS.get(path);
  return field && { field, value: draft[field], problem };
}

/** A refusal holds until the field is changed or hidden. */
export function refusalProblems(refusal: Refusal | undefined, draft: DeployDraft): DraftProblems {
  if (refusal === undefined) return {};
  if (refusal.field === 'envVars') {
    const row = draft.envVars.find(
      ({ key, value }) => key.trim() === refusal.key && value === refusal.value,
    );
    return row === undefined ? {} : { envVars: { [row.id]: refusal.problem } };
  }
  if (refusal.field === 'processes') {
    const { row, value, problem } = refusal;
    if (JSON.stringify(draft.processes) !== value) return {};
    return row === undefined
      ? { processes: problem }
      : { processRows: { [row.id]: { [row.field]: problem } } };
  }
  if (draft[refusal.field] !== refusal.value) return {};
  if (refusal.field === 'customDomain' && !hasCustomDomain(draft)) return {};
  return { [refusal.field]: refusal.problem };
}

function hasCustomDomain({ exposePort, useCustomDomain }: DeployDraft): boolean {
  return exposePort && useCustomDomain;
}

export function hasProblems(problems: DraftProblems): boolean {
  return Object.keys(problems).length > 0;
}

function originProblems(draft: DeployDraft, rules: SourceRules) {
  if (draft.deploymentType === 'docker') {
    const image = draft.containerImage.trim();
    const tagged = imageWithTag(image, draft.containerTag.trim());
    return { containerImage: containerImageProblem(image) ?? containerImageProblem(tagged) };
  }
  const ref = draft.sourceRef.trim();
  const sourceRef = ref === '' ? undefined : sourceRefProblem(ref);
  if (draft.isManualMode) {
    const url = draft.sourceUrl.trim();
    const sourceUrl = isUploadUrl(url) ? undefined : sourceUrlProblem(url, rules);
    return { sourceUrl, sourceRef };
  }
  const isMissing = draft.selectedRepository === undefined;
  return { selectedRepository: isMissing ? MESSAGES.repositoryMissing : undefined, sourceRef };
}

/** An image is started, but not built. */
function advancedProblems(draft: DeployDraft): Partial<AdvancedDraft> {
  const run = {
    startCommand: commandProblem(draft.startCommand),
    releaseCommand: commandProblem(draft.releaseCommand),
    stopGraceSeconds: stopGraceProblem(draft.stopGraceSeconds),
    ...forHealth((setting, field) =>
      setting === 'path' ? healthPathProblem(draft[field]) : healthNumber(setting, field, draft),
    ),
  };
  if (draft.deploymentType === 'docker') return withoutUndefined(run);
  return withoutUndefined({
    ...run,
    rootDirectory: repositoryPathProblem(draft.rootDirectory),
    installCommand: commandProblem(draft.installCommand),
    buildCommand: commandProblem(draft.buildCommand),
    outputDirectory: repositoryPathProblem(draft.outputDirectory),
    dockerfile: repositoryPathProblem(draft.dockerfile),
    ...forVersions((_, field) => versionProblem(draft[field])),
  });
}

function healthNumber(
  setting: Exclude<keyof HealthCheck, 'path'>,
  field: HealthField,
  draft: DeployDraft,
): string | undefined {
  const needsPath = setting === 'status' && draft[field].trim() !== '';
  if (needsPath && draft.healthPath.trim() === '') return MESSAGES.advanced.healthStatusProblem;
  return healthNumberProblem(setting, draft[field]);
}

/** By row id. Unlike a problem, a note does not prevent saving. */
export function envNotes(
  { appName, envVars }: Pick<DeployDraft, 'appName' | 'envVars'>,
  { storedEnv, apps }: { storedEnv: Env | undefined; apps: OfferedApp[] },
): Record<string, string> {
  const own = ownOffer(appName, envVars);
  const noteOf = ({ key, value }: EnvRow) =>
    isIgnoredVariable(key.trim(), value, storedEnv)
      ? MESSAGES.env.ignored
      : referenceNote(value, { apps, own });
  return Object.fromEntries(
    envVars.flatMap((row) => {
      const note = noteOf(row);
      return note === undefined ? [] : [[row.id, note]];
    }),
  );
}

function envProblems(
  rows: EnvRow[],
  storedEnv: Env | undefined,
): Record<string, string> | undefined {
  const problems: Record<string, string> = {};
  const seen = new Set<string>();
  for (const row of rows) {
    const key = row.key.trim();
    if (key === '') continue;
    const problem = seen.has(key)
      ? MESSAGES.env.duplicateKey
      : envProblem(key, row.value, storedEnv);
    if (problem !== undefined) problems[row.id] = problem;
    seen.add(key);
  }
  return Object.keys(problems).length > 0 ? problems : undefined;
}

function withoutUndefined(problems: Record<string, unknown>): DraftProblems {
  return Object.fromEntries(
    Object.entries(problems).filter(([, problem]) => problem !== undefined),
  );
}
