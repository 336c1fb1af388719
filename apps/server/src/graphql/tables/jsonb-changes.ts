type JsonbChange = { type: string; cast: string; infix: string; isGivenFirst?: true };

/** How an update can change a jsonb column without sending all of it: what it takes, and its SQL. */
export const JSONB_CHANGES: Record<string, JsonbChange> = {
  append: { type: 'jsonb', cast: 'jsonb', infix: '||' },
  prepend: { type: 'jsonb', cast: 'jsonb', infix: '||', isGivenFirst: true },
  delete_key: { type: 'String', cast: 'text', infix: '-' },
  delete_elem: { type: 'Int', cast: 'integer', infix: '-' },
  delete_at_path: { type: '[String!]', cast: 'text[]', infix: '#-' },
};
