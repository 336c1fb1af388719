import type { IntegrationValues } from '@longshore/contract';

const NAMES: Record<string, string> = { gitlab: 'GitLab', dockerhub: 'Docker Hub' };

/** Providers other than gitlab and dockerhub are shown capitalised (spec-map 3.4). */
export function providerName(provider: string): string {
  return NAMES[provider] ?? provider.charAt(0).toUpperCase() + provider.slice(1);
}

/** The account name, or the account id, or the provider name (spec-map 2.11). */
export function accountOf({ account_name, account_id, provider }: IntegrationValues): string {
  return account_name || account_id || providerName(provider);
}
