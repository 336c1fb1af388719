import type { IntegrationValues } from '@longshore/contract';

const NAMES: Record<string, string> = { gitlab: 'GitLab', dockerhub: 'Docker Hub' };

/** Spec §3: values other than gitlab and dockerhub are displayed capitalised. */
export function providerName(provider: string): string {
  return NAMES[provider] ?? provider.charAt(0).toUpperCase() + provider.slice(1);
}

/** Spec §2: the account name, falling back to account id, then provider name. */
export function accountOf({ account_name, account_id, provider }: IntegrationValues): string {
  return account_name || account_id || providerName(provider);
}
