import { type AppDomains, autoDomain, isRecord, reservedDomainProblem } from '@longshore/contract';
import { Hono } from 'hono';
import type { Apps } from '../apps/apps.ts';
import type { Certificates } from '../certificates/certificates.ts';
import { Problem } from '../http/problem.ts';
import { createBuckets } from '../rate-limits/buckets.ts';
import type { Limit } from '../rate-limits/token-bucket.ts';
import { type CheckDomainDeps, checkDomain } from './check-domain.ts';
import { domainStatus } from './domain-status.ts';
import type { ClaimedDomain, DomainStore } from './domain-store.ts';

export type DomainsServiceDeps = CheckDomainDeps & {
  store: DomainStore;
  apps: Pick<Apps, 'findOwned' | 'listPublic'>;
  certificates: Pick<Certificates, 'statusOf' | 'retry'>;
  session(request: Request): Promise<{ userId: string } | undefined>;
  hasSeveralAccounts(): Promise<boolean>;
};

type OwnApp = { id: string; ownerId: string; name: string };

const MINUTE_MS = 60_000;
/** Checks on demand of one account: of one domain, and of all. */
const PER_DOMAIN = { capacity: 6, windowMs: MINUTE_MS };
const PER_ACCOUNT = { capacity: 30, windowMs: MINUTE_MS };
/** Tries on demand to get a certificate. */
const RETRIES_PER_DOMAIN = { capacity: 4, windowMs: 60 * MINUTE_MS };
const RETRIES_PER_ACCOUNT = { capacity: 20, windowMs: 60 * MINUTE_MS };

/**
 * `POST /` with `{projectId, appId}`: the custom domains of the app as of their last check.
 * `POST /check` with `{projectId, appId, domain}`: the same, after a check of this domain.
 * `POST /retry-certificate` with `{projectId, appId, domain}`: the same, and the certificate of this domain, or of the generated
 * host, is tried again now.
 * `POST /secure-hosts` with `{projectId}`: the hosts of the project's apps that have a certificate.
 */
export function createDomainsService(deps: DomainsServiceDeps): Hono {
  const { store, apps, certificates, rules, clock } = deps;
  const buckets = createBuckets({ clock });
  const service = new Hono();

  service.post('/', async (context) => {
    const { app } = await readRequest(context.req.raw);
    return context.json(await describe(app));
  });

  service.post('/check', async (context) => {
    const { app, body } = await readRequest(context.req.raw);
    const { domain } = await requireClaimed(app, body);
    limit(app.ownerId, domain, [PER_DOMAIN, PER_ACCOUNT], 'Too many checks');
    await checkDomain({ domain, requestedBy: app.id }, deps, context.req.raw.signal);
    return context.json(await describe(app));
  });

  service.post('/retry-certificate', async (context) => {
    const { app, body } = await readRequest(context.req.raw);
    const domain = await requireServed(app, body);
    const limits: [Limit, Limit] = [RETRIES_PER_DOMAIN, RETRIES_PER_ACCOUNT];
    limit(app.ownerId, `certificate ${domain}`, limits, 'Too many tries');
    const retried = await certificates.retry(domain);
    if (retried === 'tried') return context.json(await describe(app));
    if (retried === 'nothing-to-try') {
      throw new Problem(409, 'not-failed', 'No try to get this certificate has failed');
    }
    const reason = 'The certificate authority allows no further try yet';
    throw tooSoon({ status: 409, code: 'not-now', reason, waitMs: retried - clock.now() });
  });

  service.post('/secure-hosts', async (context) => {
    const { ownerId, body } = await readBody(context.req.raw);
    const { projectId } = body;
    if (typeof projectId !== 'string') {
      throw new Problem(400, 'invalid-request', 'projectId is required');
    }
    const listed = await apps.listPublic({ ownerId, projectId });
    const hosts = listed.flatMap(({ id, values: { name }, routed }) => [
      ...routed.map(({ domain }) => domain),
      autoDomain({ id, name }, rules.baseDomain),
    ]);
    return context.json({
      hosts: hosts.filter((host) => certificates.statusOf(host).state === 'valid'),
    });
  });

  return service;

  async function requireClaimed(app: OwnApp, body: { domain?: unknown }): Promise<ClaimedDomain> {
    const claimed = (await store.ofApp(app.id)).find(({ domain }) => domain === body.domain);
    if (claimed !== undefined) return claimed;
    throw new Problem(400, 'no-domain', 'The app has no such custom domain');
  }

  async function requireServed(app: OwnApp, body: { domain?: unknown }): Promise<string> {
    const generatedHost = autoDomain(app, rules.baseDomain);
    if (body.domain === generatedHost) return generatedHost;
    const { domain, claims } = await requireClaimed(app, body);
    if (claims.some(({ appId, isRouted }) => appId === app.id && isRouted)) return domain;
    throw new Problem(409, 'not-served', 'The app is not served at this domain');
  }

  async function readBody(
    request: Request,
  ): Promise<{ ownerId: string; body: Record<string, unknown> }> {
    const caller = await deps.session(request);
    if (caller === undefined) {
      throw new Problem(401, 'unauthorized', 'Missing or invalid access token');
    }
    const body: unknown = await request.json().catch(() => undefined);
    return { ownerId: caller.userId, body: isRecord(body) ? body : {} };
  }

  async function readRequest(
    request: Request,
  ): Promise<{ app: OwnApp; body: { domain?: unknown } }> {
    const { ownerId: callerId, body: sent } = await readBody(request);
    const { projectId, appId, domain } = sent;
    if (typeof projectId !== 'string' || typeof appId !== 'string') {
      throw new Problem(400, 'invalid-request', 'projectId and appId are required');
    }
    const app = await apps.findOwned(callerId, appId);
    if (app === undefined || app.values.projectId !== projectId) {
      throw new Problem(404, 'not-found', 'App not found');
    }
    const { id, ownerId, values } = app;
    return { app: { id, ownerId, name: values.name }, body: { domain } };
  }

  function limit(
    ownerId: string,
    subject: string,
    [perSubject, perAccount]: [Limit, Limit],
    reason: string,
  ): void {
    for (const [key, allowed] of [
      [`${ownerId} ${subject}`, perSubject],
      [`${ownerId} ${perAccount.windowMs}`, perAccount],
    ] as const) {
      const taken = buckets.take(key, allowed);
      if (taken.isAllowed) continue;
      const waitMs = taken.retryAfterMs;
      throw tooSoon({ status: 429, code: 'too-many-requests', reason, waitMs });
    }
  }

  async function describe(app: OwnApp): Promise<AppDomains> {
    const token = await store.tokenOf(app.ownerId);
    const claimed = await store.ofApp(app.id);
    const generatedHost = autoDomain(app, rules.baseDomain);
    const statuses = claimed.map((each) => describeDomain(app, each));
    return {
      token,
      generatedHost,
      generatedCertificate: certificates.statusOf(generatedHost),
      isAddressEnough: !(await deps.hasSeveralAccounts()),
      domains: (await Promise.all(statuses)).flat(),
    };
  }

  async function describeDomain(
    { id, ownerId }: OwnApp,
    { domain, claims, check }: ClaimedDomain,
  ): Promise<AppDomains['domains']> {
    const own = claims.find(({ appId }) => appId === id);
    if (own === undefined) return [];
    const { holderId, ...status } = domainStatus(
      domain,
      { own, claims, check },
      { now: clock.now(), isReserved: reservedDomainProblem(domain, rules) !== undefined },
    );
    const holder = holderId === undefined ? undefined : await apps.findOwned(ownerId, holderId);
    const isVerified = status.state === 'proved' || status.state === 'lapsing';
    const certificate = isVerified ? certificates.statusOf(domain) : undefined;
    return [{ ...status, app: holder?.values.name, certificate }];
  }
}

type TooSoon = { status: 409 | 429; code: string; reason: string; waitMs: number };

function tooSoon({ status, code, reason, waitMs }: TooSoon): Problem {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const headers = { 'retry-after': String(seconds) };
  return new Problem(status, code, `${reason}. Retry in ${waitText(seconds)}`, { headers });
}

/** In the largest unit that says enough, rounded up: a retry at that time succeeds. */
function waitText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`;
}
