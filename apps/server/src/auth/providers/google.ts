import type { OpenIdIssuer } from '../../oauth/openid-issuer.ts';
import { profileOfClaims } from './profile.ts';
import type { Provider, ProviderClient } from './provider.ts';

/** Google, or any other OpenID Connect issuer. */
export function google(client: ProviderClient, issuer: OpenIdIssuer): Provider {
  return {
    scopes: ['openid', 'profile', 'email'],
    async oauthClient() {
      const { authorization_endpoint, token_endpoint } = await issuer.metadata();
      return {
        clientId: client.clientId,
        clientSecret: client.clientSecret,
        authorizationEndpoint: authorization_endpoint,
        tokenEndpoint: token_endpoint,
      };
    },
    async profile({ idToken }, nonce) {
      if (idToken === undefined) throw new Error('The token response has no ID token.');
      return profileOfClaims(await issuer.verifyIdToken(idToken, nonce));
    },
  };
}
