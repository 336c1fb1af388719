import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { exportJWK, generateKeyPair } from 'jose';
import { calculatePKCECodeChallenge, generateRandomCodeVerifier } from 'oauth4webapi';
import Provider from 'oidc-provider';
import { Secret } from '../../../src/secrets/secret.ts';
import { callbackUrl, type Person, type TestProvider } from './test-provider.ts';

const SECRET = 'issuer secret';
const SCOPE = 'openid profile email';

/** Sends requests with cookies and does not follow redirects. */
type CookieClient = { open(address: string): Promise<{ headers: Pick<Headers, 'get'> }> };

export type OpenidHost = TestProvider & {
  /** An ID token for the signed-in person, obtained like a mobile app does. */
  idToken(client: CookieClient, options?: { nonce?: string; clientId?: string }): Promise<string>;
};

/** A real OpenID Connect issuer without a user interface: `behaviour` replaces user input. */
export async function startOpenidHost(publicUrl?: string): Promise<OpenidHost> {
  const callback = callbackUrl('google', publicUrl);
  const behaviour: TestProvider['behaviour'] = {
    person: { id: 'g-1', name: 'Ada', email: 'ada@example.com', isVerified: true },
    consents: true,
  };
  const people = new Map<string, Person>();
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const provider = new Provider(url, {
    clients: ['longshore', 'another'].map((id) => ({
      client_id: id,
      client_secret: SECRET,
      redirect_uris: [callback],
      token_endpoint_auth_method: 'client_secret_post',
    })),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['test'] },
    // Like Google, put all claims into the ID token.
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    ttl: { Session: 600, Grant: 600, Interaction: 600, AccessToken: 600, IdToken: 3_600 },
    findAccount: async (_, id) => {
      const person = people.get(id);
      return person && { accountId: id, claims: async () => claimsOf(person) };
    },
  });
  const handle = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void handle(request, response);
    void interact();

    async function interact(): Promise<void> {
      const { params } = await provider.interactionDetails(request, response);
      const { person, consents } = behaviour;
      people.set(person.id, { ...person });
      const grant = new provider.Grant({
        accountId: person.id,
        clientId: params.client_id as string,
      });
      grant.addOIDCScope(SCOPE);
      await provider.interactionFinished(
        request,
        response,
        consents
          ? { login: { accountId: person.id }, consent: { grantId: await grant.save() } }
          : { error: 'access_denied', error_description: 'The user has denied access' },
      );
    }
  });

  return {
    name: 'google',
    behaviour,
    client: { url, clientId: 'longshore', clientSecret: new Secret(SECRET) },
    async idToken(client, { nonce, clientId = 'longshore' } = {}) {
      const verifier = generateRandomCodeVerifier();
      const query = new URLSearchParams({
        client_id: clientId,
        response_type: 'code',
        redirect_uri: callback,
        scope: SCOPE,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        prompt: 'login',
        ...(nonce === undefined ? {} : { nonce }),
      });
      let location = `${url}/auth?${query}`;
      while (!location.startsWith(callback)) {
        const response = await client.open(location);
        location = new URL(response.headers.get('location') ?? '', location).href;
      }
      const response = await fetch(`${url}/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code: new URL(location).searchParams.get('code') ?? '',
          redirect_uri: callback,
          client_id: clientId,
          client_secret: SECRET,
          code_verifier: verifier,
        }),
      });
      return ((await response.json()) as { id_token: string }).id_token;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function claimsOf({ id, name, email, isVerified }: Person) {
  return { sub: id, name, email, email_verified: isVerified };
}
