/** Providers with repositories to pick from; `gitea` includes Forgejo. */
export const GIT_PROVIDERS = ['gitlab', 'github', 'gitea'] as const;
export type GitProviderName = (typeof GIT_PROVIDERS)[number];

/** `gitea` and `registry` (any registry, by its host) are not in the specification. */
const PROVIDERS = [...GIT_PROVIDERS, 'dockerhub', 'registry'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** Stored as kind `credential`, created by the integrations service only. Contains no secret. */
export type IntegrationValues = {
  provider: Provider;
  type: 'ssh' | 'docker';
  account_name: string;
  account_id?: string;
  auth_type?: 'oauth' | 'credentials';
  /** The only host its secret is sent to, with the port unless it is the scheme's default. */
  host?: string;
  /** `reconnect`: the provider no longer accepts the secret. */
  state?: 'connected' | 'reconnect';
};

export function isProvider(name: unknown): name is Provider {
  return PROVIDERS.some((provider) => provider === name);
}

export function isGitProvider(name: unknown): name is GitProviderName {
  return GIT_PROVIDERS.some((provider) => provider === name);
}
