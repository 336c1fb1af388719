import type { IdTokens } from './id-tokens.ts';
import type { Provider, ProviderClient } from './provider.ts';

/** Google, or any other issuer of OpenID Connect: it says itself where its endpoints are. */
export function google(client: ProviderClient, idTokens: IdTokens): Provider {
  return {
    client,
    scopes: ['openid', 'profile', 'email'],
    async endpoints() {
      const { authorization_endpoint, token_endpoint } = await idTokens.metadata();
      return { authorization: authorization_endpoint, token: token_endpoint };
    },
    profile: (tokens, nonce) => idTokens.verify(tokens.idToken(), nonce),
  };
}
