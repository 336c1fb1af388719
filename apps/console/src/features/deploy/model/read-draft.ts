import { isRecord } from '@longshore/contract';
import { type DeployDraft, emptyDraft } from './deploy-draft.ts';
import type { EnvRow } from './env-rows.ts';

type Readers = { [Field in keyof DeployDraft]: (value: unknown) => value is DeployDraft[Field] };

const READERS: Readers = {
  selectedIntegration: isTextOrNone,
  isManualMode: isSwitch,
  deploymentType: (value) => value === 'ssh' || value === 'docker',
  selectedRepository: isTextOrNone,
  cloneUrls: isCloneUrls,
  appName: isText,
  containerImage: isText,
  sourceUrl: isText,
  sourceRef: isText,
  sourceSecretName: isText,
  containerPullSecretName: isText,
  port: isText,
  exposePort: isSwitch,
  useCustomDomain: isSwitch,
  customDomain: isText,
  sleepsWhenIdle: isSwitch,
  sleepAfterMinutes: isText,
  envVars: isEnvRows,
  containerTag: isText,
};

/** A draft of whatever was stored, perhaps by another version: what is missing or odd is as in an empty one. */
export function readDraft(stored: Record<string, unknown>): DeployDraft {
  const known = Object.entries(READERS).filter(([field, reads]) => reads(stored[field]));
  const read: Partial<DeployDraft> = Object.fromEntries(
    known.map(([field]) => [field, stored[field]]),
  );
  return { ...emptyDraft(), ...read };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTextOrNone(value: unknown): value is string | undefined {
  return value === undefined || isText(value);
}

function isSwitch(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isCloneUrls(value: unknown): value is DeployDraft['cloneUrls'] {
  return value === undefined || (isRecord(value) && isText(value.ssh) && isText(value.https));
}

/** At least one row always stays. Spec §5. */
function isEnvRows(value: unknown): value is EnvRow[] {
  return Array.isArray(value) && value.length > 0 && value.every(isEnvRow);
}

function isEnvRow(value: unknown): value is EnvRow {
  return (
    isRecord(value) &&
    isText(value.id) &&
    /^\d+$/.test(value.id) &&
    isText(value.key) &&
    isText(value.value)
  );
}
