import { CONNECT_PATHS, isGitProvider } from '@longshore/contract';
import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { createKeyedSemaphore } from '../../concurrency/keyed-semaphore.ts';
import { jsonBody } from '../../http/json-body.ts';
import { Problem } from '../../http/problem.ts';
import type { Integration } from '../accounts/integrations.ts';
import { requireCaller } from '../caller.ts';
import type { ConnectDeps } from '../deps.ts';
import { ProviderFailure } from '../providers/provider-failure.ts';
import { providerProblem } from '../providers/provider-problem.ts';
import { createRepositoryLists } from './repository-lists.ts';
import { respectRateLimits } from './respect-rate-limits.ts';

type RepositoryDeps = Pick<ConnectDeps, 'session' | 'integrations' | 'accounts' | 'clock'>;

const SEARCH_MAX_LENGTH = 200;
/** Concurrent requests: lists can be long and hosts slow. The deploy wizard sends fewer, even while the user types. */
const MAX_REQUESTS_PER_OWNER = 8;
const Validation = z.object({ repo_name: z.string().trim().min(1).max(500) });

/**
 * The repositories, branches, tags and commits of an integration. Names in paths are URL-encoded; plain slashes are
 * accepted too (spec-map 7.5.7).
 */
export function createRepositoryEndpoints(deps: RepositoryDeps): Hono {
  const accounts = respectRateLimits(deps.accounts, deps.clock);
  const requestsPerOwner = createKeyedSemaphore(MAX_REQUESTS_PER_OWNER);
  const lists = createRepositoryLists({ accounts, clock: deps.clock });

  const endpoint =
    (handle: (integration: Integration, context: Context) => Promise<unknown>) =>
    async (context: Context): Promise<Response> => {
      const integration = await requireIntegration(context, deps);
      const release = requestsPerOwner.tryAcquire(integration.ownerId);
      if (release === undefined) throw tooManyRequests();
      return context.json(await asProblem(handle(integration, context)).finally(release));
    };

  return new Hono()
    .get(
      CONNECT_PATHS.repositories,
      endpoint(async (integration, { req }) => {
        const search = (req.query('search') ?? '').trim().slice(0, SEARCH_MAX_LENGTH);
        const { entries, isCut } = await lists.repositories(integration, search);
        return { repositories: entries, isCut };
      }),
    )
    .post(
      CONNECT_PATHS.validateRepository,
      endpoint(async (integration, context) => {
        const { repo_name: name } = await jsonBody(context, Validation);
        const { signal } = context.req.raw;
        return await accounts.use(integration, (provider, account) =>
          provider.repository(account, name, signal),
        );
      }),
    )
    .get(
      withSlashes(CONNECT_PATHS.refs),
      endpoint(async (integration, { req }) => {
        const branch = { repository: req.param('repo') ?? '', branch: req.param('branch') ?? '' };
        const { entries } = await lists.refs(integration, branch);
        return { refs: entries };
      }),
    )
    .get(
      withSlashes(CONNECT_PATHS.branches),
      endpoint(async (integration, { req }) => {
        const { entries, isCut } = await lists.branches(integration, req.param('repo') ?? '');
        return { branches: entries, isCut };
      }),
    )
    .get(
      withSlashes(CONNECT_PATHS.tags),
      endpoint(async (integration, { req }) => {
        const { entries, isCut } = await lists.tags(integration, req.param('repo') ?? '');
        return { tags: entries, isCut };
      }),
    );
}

/** Integrations of other users, unknown and deleted ones are not found. */
async function requireIntegration(context: Context, deps: RepositoryDeps): Promise<Integration> {
  const ownerId = await requireCaller(context, deps.session);
  const integration = await deps.integrations.find(ownerId, context.req.param('id') ?? '');
  if (integration === undefined) throw new Problem(404, 'not-found', 'Integration not found');
  if (isGitProvider(integration.values.provider)) return integration;
  throw new Problem(400, 'no-repositories', 'This integration has no repositories');
}

function tooManyRequests(): Problem {
  const message = 'Too many requests at once. Please try again in a moment.';
  return new Problem(429, 'too-many-requests', message, { headers: { 'retry-after': '1' } });
}

async function asProblem<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    throw error instanceof ProviderFailure ? providerProblem(error) : error;
  }
}

/** Some proxies decode encoded slashes. */
function withSlashes(path: string): string {
  return path.replace(/:(repo|branch)/g, ':$1{.+}');
}
