import {
  DEFAULT_PORT,
  DEFAULT_SLEEP_MINUTES,
  DEFAULT_SOURCE_REF,
  type IntegrationValues,
} from '@longshore/contract';
import { type EnvRow, emptyEnvRow } from './env-rows.ts';

export type DeploymentType = IntegrationValues['type'];

/** Spec §3, Deploy form state. */
export type DeployDraft = {
  selectedIntegration: string | undefined;
  isManualMode: boolean;
  deploymentType: DeploymentType;
  selectedRepository: string | undefined;
  /** Beyond the specification: where the picked repository is cloned from, in either way. */
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
  /** Beyond the specification: hibernate without visitors. */
  sleepsWhenIdle: boolean;
  sleepAfterMinutes: string;
  envVars: EnvRow[];
  containerTag: string;
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
    envVars: [emptyEnvRow([])],
    containerTag: '',
  };
}
