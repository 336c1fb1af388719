import { createGuardedFetch } from '../../../src/outbound/guarded-fetch.ts';
import { resolveHost } from '../../../src/outbound/resolve-host.ts';

/** The guarded fetch of an operator who allows local hosts, for the hosts that tests run. */
export const localFetch = createGuardedFetch({ allowLocal: true, resolve: resolveHost });
