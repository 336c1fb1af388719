import {
  type AppValues,
  AUTO_DOMAIN,
  DEFAULT_PORT,
  DEFAULT_SLEEP_MINUTES,
  DEFAULT_SOURCE_REF,
} from '@longshore/contract';
import { type DeployDraft, emptyDraft } from './deploy-draft.ts';
import { rowsOf } from './env-rows.ts';

/** Spec §2: update mode loads the existing values. The address is typed, so it is manual mode. */
export function draftOf({
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
    envVars: rowsOf(env),
  };
}
