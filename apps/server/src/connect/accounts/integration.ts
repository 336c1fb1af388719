import type { IntegrationValues } from '@longshore/contract';

/** The values as the integrations service writes them: all of them are there. */
export type ConnectedValues = Required<IntegrationValues>;

/** An account of a user's elsewhere. */
export type Integration = { id: string; ownerId: string; values: ConnectedValues };
