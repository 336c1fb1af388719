import type { Session } from '@longshore/contract';
import type { GitHost } from '@longshore/testkit/git-hosts';
import type { OauthClients } from '../../src/connect/oauth/oauth-providers.ts';
import { Secret } from '../../src/secrets/secret.ts';
import { type Browser, createBrowser } from '../auth/providers/browser.ts';
import { type Backend, bearer } from '../backend.ts';

export const PUBLIC_URL = 'http://localhost:1337';

/** Registers Longshore as an OAuth client at a test host. */
export function clientAt(host: GitHost, name: 'gitlab' | 'github'): OauthClients {
  host.oauth.app.redirectUris = [`${PUBLIC_URL}/v1/connect/oauth/public/${name}/callback`];
  const { clientId, clientSecret } = host.oauth.app;
  return { [name]: { url: host.url, clientId, clientSecret: new Secret(clientSecret) } };
}

/** Requests a ticket, as the console does before it redirects to the provider. */
export async function ticketFor(
  browser: Browser,
  session: Session,
  provider: string,
): Promise<{ token: string; url: string }> {
  const response = await browser.open('/v1/connect/oauth/tickets', {
    method: 'POST',
    headers: { ...bearer(session), origin: PUBLIC_URL },
    body: JSON.stringify({ provider }),
  });
  return (await response.json()) as { token: string; url: string };
}

/** Signs in at the provider in a browser. Returns the path of the final page. */
export async function connectByOauth(
  backend: Backend,
  session: Session,
  provider: 'gitlab' | 'github',
): Promise<string> {
  const browser = createBrowser(backend);
  const { url } = await ticketFor(browser, session, provider);
  const { pathname, search } = await browser.followRedirects(url);
  return pathname + search;
}

/** The integrations of a user in the database. */
export async function integrationsOf(backend: Backend, { user }: Session) {
  const { rows } = await backend.pool.query(
    `select id, values, deleted, (select count(*)::int from connect.secrets where integration_id = id) as secrets
     from public.resources where user_id = $1 and chart_name = 'credential' order by created_at`,
    [user.id],
  );
  return rows;
}
