/** What a client may already have of a file. */
export type Validators = { etag: string; modifiedAt: Date };

export type Verdict = 'send' | 'not-modified' | 'failed';

type Conditions = Pick<Headers, 'get'>;

/** In the order of RFC 9110 §13.2.2: a tag is asked before a time, and a time only when no tag is given. */
export function judgeConditions(headers: Conditions, file: Validators): Verdict {
  const match = headers.get('if-match');
  const unmodifiedSince = dateOf(headers.get('if-unmodified-since'));
  if (match !== null) {
    if (!tagsOf(match).some((tag) => tag === '*' || tag === file.etag)) return 'failed';
  } else if (unmodifiedSince !== undefined && secondsOf(file.modifiedAt) > unmodifiedSince) {
    return 'failed';
  }
  const noneMatch = headers.get('if-none-match');
  const modifiedSince = dateOf(headers.get('if-modified-since'));
  if (noneMatch !== null) {
    const isThere = tagsOf(noneMatch).some((tag) => tag === '*' || withoutWeak(tag) === file.etag);
    return isThere ? 'not-modified' : 'send';
  }
  const isOld = modifiedSince !== undefined && secondsOf(file.modifiedAt) <= modifiedSince;
  return isOld ? 'not-modified' : 'send';
}

/** A part is only of use to somebody who has the rest of the same file. RFC 9110 §13.1.5. */
export function mayContinue(headers: Conditions, { etag, modifiedAt }: Validators): boolean {
  const ifRange = headers.get('if-range')?.trim();
  return ifRange === undefined || ifRange === etag || dateOf(ifRange) === secondsOf(modifiedAt);
}

function tagsOf(list: string): string[] {
  return list.split(',').map((tag) => tag.trim());
}

function withoutWeak(tag: string): string {
  return tag.replace(/^W\//, '');
}

/** Times on the wire have no fractions. */
function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1_000);
}

function dateOf(text: string | null): number | undefined {
  const ms = text === null || text.startsWith('"') ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1_000);
}
