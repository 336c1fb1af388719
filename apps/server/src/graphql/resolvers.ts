import type { NewResource, OwnResources, ResourceChange, ResourceRow } from './own-resources.ts';
import type { Where } from './where.ts';

type MutationResponse = { affected_rows: number; returning: ResourceRow[] };

type SelectionArguments = {
  where?: Where;
  order_by?: Record<string, string | null>[];
  limit?: number;
  offset?: number;
};

/** The root fields. They know no table, only the caller's own rows. */
export function createResolvers(own: OwnResources) {
  return {
    resources: ({ where, order_by, limit, offset }: SelectionArguments) =>
      own.select({ where, orderBy: order_by, limit, offset }),
    resources_by_pk: async ({ id }: { id: string }) =>
      first(await own.select({ where: byId(id), limit: 1 })),
    insert_resources: async ({ objects }: { objects: NewResource[] }) =>
      mutationResponse(await own.insert(objects)),
    insert_resources_one: async ({ object }: { object: NewResource }) =>
      first(await own.insert([object])),
    update_resources: async ({ where, _set }: { where: Where; _set?: ResourceChange }) =>
      mutationResponse(await own.update(where, _set ?? {})),
    update_resources_by_pk: async (change: { pk_columns: { id: string }; _set?: ResourceChange }) =>
      first(await own.update(byId(change.pk_columns.id), change._set ?? {})),
  };
}

function byId(id: string): Where {
  return { id: { _eq: id } };
}

function first(rows: ResourceRow[]): ResourceRow | null {
  return rows[0] ?? null;
}

function mutationResponse(rows: ResourceRow[]): MutationResponse {
  return { affected_rows: rows.length, returning: rows };
}
