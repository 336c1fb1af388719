import { createGuardedFetch } from '../../src/outbound/guarded-fetch.ts';
import { resolveHost } from '../../src/outbound/resolve-host.ts';

/** A guarded fetch that allows private networks, for test hosts. */
export const localFetch = createGuardedFetch({ allowLocal: true, resolve: resolveHost });
