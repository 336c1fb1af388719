import { failure, type RequestError } from '../http/request-result.ts';
import type { MutationResult } from './resources.ts';

const NOT_FOUND: RequestError = { status: 404, error: 'not-found', message: 'Resource not found' };

export type Changed = { id: string } | null;

/** Null for a row that does not exist and for the row of another user. */
export function changedRow(row: Changed): MutationResult {
  return row === null || row === undefined ? failure(NOT_FOUND) : { ok: true, id: row.id };
}
