import {
  type AppValues,
  AUTO_DOMAIN,
  DEFAULT_CONTAINER_IMAGE,
  DEFAULT_INSTANCES,
  DEFAULT_PORT,
  DEFAULT_SLEEP_MINUTES,
  DEFAULT_SOURCE_REF,
  imageWithTag,
  RESOURCE_TIER,
  UPDATE_POLICY,
} from '@longshore/contract';
import { type DeployDraft, emptyDraft } from './deploy-draft.ts';
import { envFromRows, rowsFromEnv } from './env-rows.ts';

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
  // Only a public app can be woken by a request.
  const hasSleep = draft.exposePort && draft.sleepsWhenIdle;
  const image = imageWithTag(draft.containerImage.trim(), draft.containerTag.trim());
  return {
    name: draft.appName,
    projectId: context.projectId,
    resourceTier: RESOURCE_TIER,
    ports: [
      { number: Number(draft.port), expose: draft.exposePort },
      ...(existing?.ports.slice(1) ?? []),
    ],
    publicAccess: {
      enabled: draft.exposePort,
      domain: isCustom ? draft.customDomain.trim().toLowerCase() : AUTO_DOMAIN,
      baseDomain: context.baseDomain,
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
    instances: existing?.instances ?? DEFAULT_INSTANCES,
    ...(hasSleep && { sleep: { afterMinutes: Number(draft.sleepAfterMinutes) } }),
  };
}

/** For update mode. The source URL is editable, so it is manual mode. */
export function draftFromApp({
  name,
  ports,
  publicAccess,
  container,
  source,
  env,
  sleep,
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
    sleepsWhenIdle: sleep !== undefined,
    sleepAfterMinutes: String(sleep?.afterMinutes ?? DEFAULT_SLEEP_MINUTES),
    envVars: rowsFromEnv(env),
  };
}
