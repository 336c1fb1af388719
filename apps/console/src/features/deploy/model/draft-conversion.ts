import {
  type AppValues,
  AUTO_DOMAIN,
  type BuildSettings,
  DEFAULT_CONTAINER_IMAGE,
  DEFAULT_INSTANCES,
  DEFAULT_PORT,
  DEFAULT_SLEEP_MINUTES,
  DEFAULT_SOURCE_REF,
  type HealthCheck,
  HIBERNATED_INSTANCES,
  imageWithTag,
  NO_UPLOAD_YET,
  normalizedDomain,
  UPDATE_POLICY,
} from '@longshore/contract';
import { type DeployDraft, emptyDraft, forHealth, forVersions } from './deploy-draft.ts';
import { envFromRows, rowsFromEnv } from './env-rows.ts';
import { processesFromRows, rowsFromProcesses } from './process-rows.ts';

export type DraftContext = {
  projectId: string;
  baseDomain: string;
  /** In update mode: settings that the form does not show are kept. */
  existing?: AppValues;
};

/** Expects a draft without problems. */
export function appValuesFromDraft(draft: DeployDraft, context: DraftContext): AppValues {
  const { existing } = context;
  const isSource = draft.deploymentType === 'ssh';
  const isCustom = draft.exposePort && draft.useCustomDomain;
  const domain = isCustom ? normalizedDomain(draft.customDomain) : AUTO_DOMAIN;
  // Entered as the custom domain of the form, a further domain is not further any more.
  const domains = (existing?.publicAccess.domains ?? []).filter((other) => other !== domain);
  // Only a public app can be woken by a request.
  const hasSleep = draft.exposePort && draft.sleepsWhenIdle;
  const watchPaths = linesOf(draft.watchPaths);
  const processes = processesFromRows(draft.processes);
  const image = imageWithTag(draft.containerImage.trim(), draft.containerTag.trim());
  return {
    name: draft.appName,
    projectId: context.projectId,
    resourceTier: draft.resourceTier,
    ports: [
      { number: Number(draft.port), expose: draft.exposePort },
      ...(existing?.ports.slice(1) ?? []),
    ],
    publicAccess: {
      enabled: draft.exposePort,
      domain,
      baseDomain: context.baseDomain,
      ...(domains.length > 0 && { domains }),
    },
    container: {
      image: isSource ? DEFAULT_CONTAINER_IMAGE : image,
      updatePolicy: existing?.container.updatePolicy ?? UPDATE_POLICY,
      pullSecretName: isSource ? '' : draft.containerPullSecretName,
    },
    source: {
      enabled: isSource,
      url: isSource ? draft.sourceUrl.trim() : '',
      ref: (isSource && draft.sourceRef.trim()) || DEFAULT_SOURCE_REF,
      secretName: isSource ? draft.sourceSecretName : '',
    },
    env: envFromRows(draft.envVars),
    instances: existing?.instances ?? firstInstances(draft),
    ...replicasFrom(draft, existing),
    ...(processes && { processes }),
    ...(hasSleep && { sleep: { afterMinutes: Number(draft.sleepAfterMinutes) } }),
    ...(existing?.edge && { edge: existing.edge }),
    ...advancedSettings(draft, existing),
    ...(watchPaths.length > 0 && { watchPaths }),
  };
}

/** One instance is the default, which new apps do not store. */
function replicasFrom(
  draft: DeployDraft,
  existing: AppValues | undefined,
): Pick<AppValues, 'replicas'> {
  const replicas = Number(draft.replicas);
  return replicas === 1 && existing?.replicas === undefined ? {} : { replicas };
}

/** Trimmed, without empty ones. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** An app that waits for its source code is hibernated: the first upload starts it. */
function firstInstances({ deploymentType, sourceUrl }: DeployDraft): number {
  const isWaiting = deploymentType === 'ssh' && sourceUrl === NO_UPLOAD_YET;
  return isWaiting ? HIBERNATED_INSTANCES : DEFAULT_INSTANCES;
}

/** Settings that the form does not show are kept. Empty fields are absent. */
function advancedSettings(
  draft: DeployDraft,
  existing: AppValues | undefined,
): Pick<AppValues, 'build' | 'run' | 'healthCheck'> {
  const { build: oldBuild = {}, run: oldRun = {} } = existing ?? {};
  const { versions: oldVersions, ...others } = oldBuild;
  const { nodeVersion: node, pythonVersion: python, goVersion: go } = draft;
  const versions = filled({ ...oldVersions, node, python, go });
  const build = filled<BuildSettings>({
    ...others,
    rootDirectory: draft.rootDirectory,
    installCommand: draft.installCommand,
    buildCommand: draft.buildCommand,
    outputDirectory: draft.outputDirectory,
    dockerfile: draft.dockerfile,
    ...(versions && { versions }),
  });
  const { stopGraceSeconds: _, ...otherRun } = oldRun;
  const seconds = draft.stopGraceSeconds.trim();
  const run = filled({
    ...otherRun,
    command: draft.startCommand,
    releaseCommand: draft.releaseCommand,
    ...(seconds !== '' && { stopGraceSeconds: Number(seconds) }),
  });
  const healthCheck = healthCheckOf(draft, existing?.healthCheck);
  return {
    ...(build && { build }),
    ...(run && { run }),
    ...(healthCheck && { healthCheck }),
  };
}

function healthCheckOf(draft: DeployDraft, old: HealthCheck = {}): HealthCheck | undefined {
  const entered = forHealth((setting, field): [string, string | number] => {
    const text = draft[field].trim();
    return [setting, setting === 'path' || text === '' ? text : Number(text)];
  });
  return filled({ ...old, ...Object.fromEntries(Object.values(entered)) });
}

/** With trimmed texts, and without empty ones; undefined if nothing is left. */
function filled<Settings extends object>(settings: Settings): Settings | undefined {
  const trimmed = Object.entries(settings).map(([key, value]) => [
    key,
    typeof value === 'string' ? value.trim() : value,
  ]);
  const entries = trimmed.filter(([, value]) => value !== '');
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as Settings);
}

/** For update mode. The source URL is editable, so it is manual mode. */
export function draftFromApp({
  name,
  resourceTier,
  replicas = 1,
  processes,
  ports,
  publicAccess,
  container,
  source,
  env,
  sleep,
  build,
  run,
  healthCheck,
  watchPaths,
}: AppValues): DeployDraft {
  const isCustom = publicAccess.domain !== AUTO_DOMAIN && publicAccess.domain !== '';
  return {
    ...emptyDraft(),
    isManualMode: true,
    deploymentType: source.enabled ? 'ssh' : 'docker',
    appName: name,
    containerImage: source.enabled ? '' : container.image,
    sourceUrl: source.url,
    sourceRef: source.ref || DEFAULT_SOURCE_REF,
    sourceSecretName: source.secretName,
    containerPullSecretName: container.pullSecretName,
    port: String(ports[0]?.number ?? DEFAULT_PORT),
    exposePort: publicAccess.enabled,
    useCustomDomain: isCustom,
    customDomain: isCustom ? publicAccess.domain : '',
    resourceTier,
    replicas: String(replicas),
    processes: rowsFromProcesses(processes),
    sleepsWhenIdle: sleep !== undefined,
    sleepAfterMinutes: String(sleep?.afterMinutes ?? DEFAULT_SLEEP_MINUTES),
    envVars: rowsFromEnv(env),
    watchPaths: watchPaths?.join('\n') ?? '',
    rootDirectory: build?.rootDirectory ?? '',
    installCommand: build?.installCommand ?? '',
    buildCommand: build?.buildCommand ?? '',
    startCommand: run?.command ?? '',
    releaseCommand: run?.releaseCommand ?? '',
    stopGraceSeconds: String(run?.stopGraceSeconds ?? ''),
    ...forHealth((setting) => String(healthCheck?.[setting] ?? '')),
    outputDirectory: build?.outputDirectory ?? '',
    dockerfile: build?.dockerfile ?? '',
    ...forVersions((runtime) => build?.versions?.[runtime] ?? ''),
  };
}
