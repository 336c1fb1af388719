/** What conditional requests compare. */
export type Validators = { etag: string; modifiedAt: Date };

export type ConditionOutcome = 'send' | 'not-modified' | 'failed';

type Conditions = Pick<Headers, 'get'>;

/** In the order of RFC 9110 §13.2.2: tags first, times only without a tag. */
export function checkConditions(headers: Conditions, file: Validators): ConditionOutcome {
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
    const isMatch = tagsOf(noneMatch).some((tag) => tag === '*' || withoutWeak(tag) === file.etag);
    return isMatch ? 'not-modified' : 'send';
  }
  const isUnmodified = modifiedSince !== undefined && secondsOf(file.modifiedAt) <= modifiedSince;
  return isUnmodified ? 'not-modified' : 'send';
}

/** `If-Range`: a range is useful only to a client that has the rest of the same file (RFC 9110 §13.1.5). */
export function matchesIfRange(headers: Conditions, { etag, modifiedAt }: Validators): boolean {
  const ifRange = headers.get('if-range')?.trim();
  return ifRange === undefined || ifRange === etag || dateOf(ifRange) === secondsOf(modifiedAt);
}

function tagsOf(list: string): string[] {
  return list.split(',').map((tag) => tag.trim());
}

function withoutWeak(tag: string): string {
  return tag.replace(/^W\//, '');
}

/** HTTP dates have no fractions of seconds. */
function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1_000);
}

function dateOf(text: string | null): number | undefined {
  const ms = text === null || text.startsWith('"') ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1_000);
}
