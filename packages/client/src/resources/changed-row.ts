import { failure, type RequestError } from '../graphql/request-result.ts';
import type { MutationResult } from './resources.ts';

const NOT_FOUND: RequestError = { status: 404, error: 'not-found', message: 'Resource not found' };

export type Changed = { id: string } | null;

/** A row of somebody else answers nothing, exactly as one that does not exist. */
export function changedRow(row: Changed): MutationResult {
  return row === null || row === undefined ? failure(NOT_FOUND) : { ok: true, id: row.id };
}
