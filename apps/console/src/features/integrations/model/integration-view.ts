import type { IntegrationResource } from '@longshore/contract';

export type IntegrationView = { id: string; account: string; provider: string; type: string };

const PROVIDERS: Record<string, string> = { gitlab: 'GitLab', dockerhub: 'Docker Hub' };

/** Spec §2: the account name, falling back to account id, then provider name. */
export function integrationView({ id, values }: IntegrationResource): IntegrationView {
  const provider = PROVIDERS[values.provider] ?? capitalised(values.provider);
  return {
    id,
    account: values.account_name || values.account_id || provider,
    provider,
    type: values.auth_type === 'credentials' ? 'Credentials' : 'OAuth',
  };
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
