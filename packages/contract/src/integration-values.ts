/** Whose repositories people pick from; `gitea` is Forgejo too. */
export const GIT_PROVIDERS = ['gitlab', 'github', 'gitea'] as const;
export type GitProviderName = (typeof GIT_PROVIDERS)[number];

/** Spec §3; `gitea` and `registry`, any other registry by its host, are our own. */
const PROVIDERS = [...GIT_PROVIDERS, 'dockerhub', 'registry'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** Spec §3, Integration values. Stored as kind `credential`, made by the integrations service only. Holds no secret. */
export type IntegrationValues = {
  provider: Provider;
  type: 'ssh' | 'docker';
  account_name: string;
  account_id?: string;
  auth_type?: 'oauth' | 'credentials';
  /** The only host its secret is ever sent to, with its port unless that is the scheme's own. */
  host?: string;
  /** `reconnect`: the provider takes the secret no longer. */
  state?: 'connected' | 'reconnect';
};

export function isProvider(name: unknown): name is Provider {
  return PROVIDERS.some((provider) => provider === name);
}

export function isGitProvider(name: unknown): name is GitProviderName {
  return GIT_PROVIDERS.some((provider) => provider === name);
}
