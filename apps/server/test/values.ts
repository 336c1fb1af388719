import type { AppValues } from '@longshore/contract';
import type { AppRules } from '../src/apps/check-app-values.ts';
import { isFirstAccount } from '../src/auth/first-account/accounts.ts';
import { NO_QUOTAS } from './no-limits.ts';

/** The rules of an installation that isolates apps. */
export const APP_RULES: AppRules = {
  allowLocalSources: false,
  baseDomain: 'localhost',
  publicUrl: 'https://console.example.com',
  quotas: NO_QUOTAS,
  deployPolicy: { isolation: { kind: 'isolated' }, trustEverybody: false, isFirstAccount },
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
