import type { AccessLine } from '@longshore/edge-contract';

/** Enough for most requests, so that the columns align. */
const METHOD_WIDTH = 4;
const DURATION_WIDTH = 8;
const BYTES_WIDTH = 9;

/**
 * A request as a line of the log, such as `200 GET    12.3 ms     512 B shop.example.com/cart`. The path is last, because
 * secrets that are cut off are masked at the end of a line only.
 */
export function accessText({
  status,
  method,
  durationMs,
  bytes,
  host,
  path,
}: Omit<AccessLine, 'appId' | 'at'>): string {
  return [
    status,
    method.padEnd(METHOD_WIDTH),
    `${durationMs.toFixed(durationMs < 100 ? 1 : 0)} ms`.padStart(DURATION_WIDTH),
    `${bytes} B`.padStart(BYTES_WIDTH),
    `${host}${path}`,
  ].join(' ');
}

export function omittedText(count: number): string {
  const subject = count === 1 ? '1 request is' : `${count.toLocaleString('en')} requests are`;
  return `… ${subject} not listed here: too many at once`;
}
