import type { ByteSpan } from '../file-store.ts';

export type RequestedBytes = { kind: 'all' } | { kind: 'none' } | ({ kind: 'some' } & ByteSpan);

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/;

/** RFC 9110 §14. Several ranges and invalid ones get the whole file, which it allows. */
export function requestedBytes(range: string | undefined, size: number): RequestedBytes {
  const [, first, last] = ONE_RANGE.exec(range?.replaceAll(' ', '') ?? '') ?? [];
  if (first === undefined || last === undefined || first + last === '') return { kind: 'all' };
  const end = last === '' || first === '' ? size - 1 : Math.min(Number(last), size - 1);
  const start = first === '' ? Math.max(size - Number(last), 0) : Number(first);
  if (first !== '' && last !== '' && Number(first) > Number(last)) return { kind: 'all' };
  return start > end ? { kind: 'none' } : { kind: 'some', start, end };
}
