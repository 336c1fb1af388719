import { SERVICE_PATHS } from '@longshore/contract';
import type { Account } from './account/account.ts';
import { openAccount } from './account/open-account.ts';
import type { Auth } from './auth/auth.ts';
import type { ClientDeps } from './client-deps.ts';
import type { Connect } from './connect/connect.ts';
import { createConnect } from './connect/create-connect.ts';
import { createDomains, type Domains } from './domains/create-domains.ts';
import { createFiles } from './files/create-files.ts';
import type { Files } from './files/files.ts';
import { createFunctions, type Functions } from './functions/create-functions.ts';
import type { Graphql } from './graphql/graphql.ts';
import { createGraphqlRequest } from './graphql/graphql-request.ts';
import { createLiveQueries } from './graphql/live-queries.ts';
import { createLogs } from './logs/create-logs.ts';
import type { Logs } from './logs/logs.ts';
import { createReleases } from './releases/create-releases.ts';
import type { Releases } from './releases/releases.ts';
import { createResources } from './resources/create-resources.ts';
import type { Resources } from './resources/resources.ts';
import { authFetch, fetchAs } from './setup/caller-headers.ts';
import { serviceUrls } from './setup/service-urls.ts';

export type Services = {
  account: Account;
  graphql: Graphql;
  resources: Resources;
  releases: Releases;
  logs: Logs;
  files: Files;
  functions: Functions;
  connect: Connect;
  /** Absent where nobody checks custom domains. */
  domains?: Domains;
};

export type ServicesDeps = ClientDeps & { auth: Auth };

/** What is asked in the name of the person signed in. */
export function createServices(deps: ServicesDeps): Services & { stop(): void } {
  const { auth, clock, webSocket, log = () => undefined } = deps;
  const urls = serviceUrls(deps);
  const fetch = fetchAs(deps.fetch, deps);
  const request = createGraphqlRequest({ url: urls.graphql, clock, fetch, auth });
  const live = createLiveQueries({ url: urls.graphql, clock, log, webSocket, auth, caller: deps });
  const graphql = { request, subscribe: live.subscribe, connection: live.connection };
  const account = openAccount({ ...deps, url: urls.auth, fetch: authFetch(deps.fetch, deps) });
  return {
    account,
    graphql,
    resources: createResources({ graphql, auth, log }),
    releases: createReleases({ graphql, log }),
    logs: createLogs({ ...deps, url: urls.logs, fetch }),
    files: createFiles({ ...deps, url: urls.storage }),
    functions: createFunctions({ ...deps, url: urls.functions }),
    connect: createConnect({ ...deps, url: deps.connectUrl ?? SERVICE_PATHS.connect[0] }),
    ...(deps.domainsUrl === undefined
      ? {}
      : { domains: createDomains({ ...deps, url: deps.domainsUrl }) }),
    stop() {
      account.stop();
      live.stop();
    },
  };
}
