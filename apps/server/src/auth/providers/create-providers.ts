import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import { google } from './google.ts';
import { createIdTokens, type IdTokens } from './id-tokens.ts';
import type { Provider, ProviderClients, ProviderName } from './provider.ts';

/** The providers the operator turned on. */
export type Providers = {
  find(name: string): (Provider & { name: ProviderName }) | undefined;
  /** For those whose ID tokens are taken without a redirect. */
  idTokens(name: string): IdTokens | undefined;
};

type ProvidersDeps = { fetch: typeof fetch; clock: { now(): number } };

export function createProviders(clients: ProviderClients, deps: ProvidersDeps): Providers {
  const { fetch } = deps;
  const googleTokens = clients.google && createIdTokens(clients.google, deps);
  const providers: Record<ProviderName, Provider | undefined> = {
    github: clients.github && github(clients.github, fetch),
    gitlab: clients.gitlab && gitlab(clients.gitlab, fetch),
    google: clients.google && googleTokens && google(clients.google, googleTokens),
  };
  return {
    find(name) {
      if (!isProviderName(name)) return undefined;
      const provider = providers[name];
      return provider && { ...provider, name };
    },
    idTokens: (name) => (name === 'google' ? googleTokens : undefined),
  };

  function isProviderName(name: string): name is ProviderName {
    return Object.hasOwn(providers, name);
  }
}
