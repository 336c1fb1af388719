import { createHash, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { Secret } from '../../../src/secrets/secret.ts';
import { callbackUrl, type Person, type TestProvider } from './test-provider.ts';

const SECRET = 'code host secret';

type Grant = { challenge: string; person: Person };

/**
 * The sign-in endpoints of GitHub or GitLab. Codes are valid once and only with their verifier. GitLab's tokens expire and
 * come with a refresh token that is valid once.
 */
export async function startCodeHost(name: 'github' | 'gitlab'): Promise<TestProvider> {
  const behaviour: TestProvider['behaviour'] = {
    person: { id: '1', name: 'Ada', email: 'ada@example.com', isVerified: true },
    consents: true,
  };
  const codes = new Map<string, Grant>();
  const tokens = new Map<string, Person>();
  const refreshTokens = new Map<string, Person>();
  const app = new Hono();
  const paths = {
    github: ['/login/oauth/authorize', '/login/oauth/access_token'],
    gitlab: ['/oauth/authorize', '/oauth/token'],
  } as const;
  const [authorize, token] = paths[name];

  app.get(authorize, (context) => {
    const query = context.req.query();
    const redirectUrl = new URL(query.redirect_uri ?? '');
    if (query.client_id !== 'longshore' || redirectUrl.href !== callbackUrl(name))
      return context.text('', 400);
    redirectUrl.searchParams.set('state', query.state ?? '');
    if (behaviour.consents) {
      const code = randomUUID();
      codes.set(code, { challenge: query.code_challenge ?? '', person: behaviour.person });
      redirectUrl.searchParams.set('code', code);
    } else {
      redirectUrl.searchParams.set('error', 'access_denied');
      redirectUrl.searchParams.set('error_description', 'The user has denied access');
    }
    return context.redirect(redirectUrl.href);
  });

  app.post(token, async (context) => {
    const form = await context.req.parseBody();
    if (form.grant_type === 'refresh_token') {
      const person = refreshTokens.get(String(form.refresh_token));
      refreshTokens.delete(String(form.refresh_token));
      const isValid = form.client_secret === SECRET && person !== undefined;
      return isValid
        ? context.json(issueTokens(person))
        : context.json({ error: 'invalid_grant' }, 400);
    }
    const code = String(form.code);
    const grant = codes.get(code);
    codes.delete(code);
    const challenge = createHash('sha256').update(String(form.code_verifier)).digest('base64url');
    const isValid =
      form.client_secret === SECRET &&
      form.redirect_uri === callbackUrl(name) &&
      grant?.challenge === challenge;
    // GitHub sends errors with status 200.
    if (!isValid) return context.json({ error: 'invalid_grant' }, name === 'github' ? 200 : 400);
    return context.json(issueTokens(grant.person));
  });

  app.use('/api/*', async (context, next) => {
    if (!personOf(context.req.header('authorization'))) return context.json({}, 401);
    return await next();
  });
  app.get('/api/v3/user', (context) => {
    const person = personOf(context.req.header('authorization'));
    return context.json({ id: Number(person?.id), login: 'ada', name: person?.name });
  });
  app.get('/api/v3/user/emails', (context) => {
    const person = personOf(context.req.header('authorization'));
    return context.json([
      { email: 'second@example.com', primary: false, verified: true },
      { email: person?.email, primary: true, verified: person?.isVerified },
    ]);
  });
  app.get('/oauth/userinfo', (context) => {
    const person = personOf(context.req.header('authorization'));
    if (person === undefined) return context.json({}, 401);
    const { id, name: fullName, email, isVerified } = person;
    return context.json({ sub: id, name: fullName, email, email_verified: isVerified });
  });

  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    name,
    behaviour,
    client: {
      url: `http://127.0.0.1:${port}`,
      clientId: 'longshore',
      clientSecret: new Secret(SECRET),
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };

  function issueTokens(person: Person) {
    const [accessToken, refreshToken] = [randomUUID(), randomUUID()];
    tokens.set(accessToken, person);
    if (name === 'github') return { access_token: accessToken, token_type: 'bearer' };
    refreshTokens.set(refreshToken, person);
    return { access_token: accessToken, refresh_token: refreshToken, expires_in: 7_200 };
  }

  function personOf(authorization: string | undefined): Person | undefined {
    return tokens.get(authorization?.replace(/^Bearer /, '') ?? '');
  }
}
