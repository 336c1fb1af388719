import { createOpenIdIssuer, type OpenIdIssuer } from '../../oauth/openid-issuer.ts';
import { github } from './github.ts';
import { gitlab } from './gitlab.ts';
import { google } from './google.ts';
import type { Provider, ProviderClients, ProviderName } from './provider.ts';

export type NamedProvider = Provider & { name: ProviderName };

/** The providers that the operator configured. */
export type Providers = {
  find(name: string): NamedProvider | undefined;
  /** The issuer whose ID tokens are accepted without a redirect. */
  issuer(name: string): OpenIdIssuer | undefined;
};

type ProvidersDeps = { fetch: typeof fetch; clock: { now(): number } };

export function createProviders(clients: ProviderClients, deps: ProvidersDeps): Providers {
  const { fetch } = deps;
  const googleIssuer = clients.google && createOpenIdIssuer(clients.google, deps);
  const providers: Record<ProviderName, Provider | undefined> = {
    github: clients.github && github(clients.github, fetch),
    gitlab: clients.gitlab && gitlab(clients.gitlab, fetch),
    google: clients.google && googleIssuer && google(clients.google, googleIssuer),
  };
  return {
    find(name) {
      if (!isProviderName(name)) return undefined;
      const provider = providers[name];
      return provider && { ...provider, name };
    },
    issuer: (name) => (name === 'google' ? googleIssuer : undefined),
  };

  function isProviderName(name: string): name is ProviderName {
    return Object.hasOwn(providers, name);
  }
}
