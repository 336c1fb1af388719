import {
  type AppValues,
  AUTO_DOMAIN,
  DEFAULT_CONTAINER_IMAGE,
  DEFAULT_INSTANCES,
  DEFAULT_SOURCE_REF,
  imageWithTag,
  RESOURCE_TIER,
  UPDATE_POLICY,
} from '@longshore/contract';
import type { DeployDraft } from './deploy-draft.ts';
import { envOf } from './env-rows.ts';

export type DraftContext = {
  projectId: string;
  baseDomain: string;
  /** In update mode: what the form does not show stays as it is. */
  existing?: AppValues;
};

/** Spec §3, App values, from a draft without problems. */
export function appValuesOf(draft: DeployDraft, context: DraftContext): AppValues {
  const { existing } = context;
  const isSource = draft.deploymentType === 'ssh';
  const isCustom = draft.exposePort && draft.useCustomDomain;
  // Nobody could wake what nobody reaches.
  const sleeps = draft.exposePort && draft.sleepsWhenIdle;
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
    env: envOf(draft.envVars),
    instances: existing?.instances ?? DEFAULT_INSTANCES,
    ...(sleeps && { sleep: { afterMinutes: Number(draft.sleepAfterMinutes) } }),
  };
}
