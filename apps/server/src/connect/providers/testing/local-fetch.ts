import { createGuardedFetch } from '../../../outbound/guarded-fetch.ts';
import { resolveHost } from '../../../outbound/resolve-host.ts';

/** The guarded fetch of an operator who allows local hosts, for the hosts that tests run. */
export const localFetch = createGuardedFetch({ allowLocal: true, resolve: resolveHost });
