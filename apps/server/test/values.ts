import type { AppValues } from '@longshore/contract';
import type { AppRules } from '../src/apps/check-app-values.ts';
import { createVariables } from '../src/apps/variables.ts';
import { isOperator } from '../src/auth/first-account/accounts.ts';
import type { Database } from '../src/db/database.ts';
import { sealWith } from '../src/secrets/seal.ts';
import { generateSealKey } from '../src/secrets/seal-keys.ts';
import { createSealedValues } from '../src/secrets/sealed-values.ts';
import { NO_QUOTAS } from './no-limits.ts';
import { TIERS } from './tiers.ts';

/** With keys of their own. */
export const VARIABLES = createVariables(
  createSealedValues({ seal: sealWith([generateSealKey()]), hashKey: generateSealKey() }),
);

/** Stores values as the row of an app has them. The app exists already. */
export async function storedValues(
  db: Database,
  appId: string,
  values: AppValues,
): Promise<string> {
  await VARIABLES.store(db, appId, values.env);
  return JSON.stringify({ ...values, env: VARIABLES.hashesOf(appId, values.env) });
}

/** The rules of an installation that isolates apps. */
export const APP_RULES: AppRules = {
  allowLocalSources: false,
  tiers: TIERS,
  baseDomain: 'localhost',
  publicUrl: 'https://console.example.com',
  quotas: NO_QUOTAS,
  variables: VARIABLES,
  deployPolicy: {
    isolation: async () => ({ kind: 'isolated' }),
    trustEverybody: false,
    isOperator,
  },
};

/** Values of an app as the console sends them. */
export function appValues(projectId: string): AppValues {
  return {
    name: 'hello',
    projectId,
    resourceTier: 't1',
    ports: [{ number: 3000, expose: true }],
    publicAccess: { enabled: true, domain: 'auto', baseDomain: 'localhost' },
    container: { image: 'nginx:latest', updatePolicy: 'Always', pullSecretName: '' },
    source: {
      enabled: true,
      url: 'https://git.example.com/hello.git',
      ref: 'main',
      secretName: '',
    },
    env: {},
    instances: 1,
  };
}
