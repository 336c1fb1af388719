/** A `Date` header counts whole seconds and its answer travels; a difference below this means nothing. */
const MEANINGLESS_MS = 2_500;

export type Journey = { sentAt: number; receivedAt: number };

/** How far the server's clock is ahead of ours, told by the `Date` header of an answer. */
export function serverAheadMs(dateHeader: string | null, { sentAt, receivedAt }: Journey): number {
  const saidAt = Date.parse(dateHeader ?? '');
  if (Number.isNaN(saidAt)) return 0;
  const aheadMs = saidAt - (sentAt + receivedAt) / 2;
  return Math.abs(aheadMs) < MEANINGLESS_MS ? 0 : aheadMs;
}
