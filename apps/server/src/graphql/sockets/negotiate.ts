import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from 'graphql-ws';

export type DialectName = 'modern' | 'legacy';

/** The subprotocols in their own words: the older one has the name of the newer one's library. */
export const SUBPROTOCOLS: Record<DialectName, string> = {
  modern: GRAPHQL_TRANSPORT_WS_PROTOCOL,
  legacy: 'graphql-ws',
};

/** Hasura's rule: the new one for who asks for it alone; several, another or none mean the older one. */
export function negotiate(asked: ReadonlySet<string>): DialectName {
  return asked.size === 1 && asked.has(SUBPROTOCOLS.modern) ? 'modern' : 'legacy';
}
