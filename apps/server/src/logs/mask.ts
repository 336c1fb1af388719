/** Replaces secrets in the text of one line. */
export type Mask = (text: string) => string;

const REPLACEMENT = '[secret]';
/** Shorter values would mask ordinary words, and are easy to guess anyway. */
const MIN_LENGTH = 6;
const MIN_PARTIAL_LENGTH = 3;
/** The end of a line that was truncated. */
const TRUNCATION_MARK = /\s?…$/;

/**
 * Finds secrets as programs print them: verbatim, JSON-encoded and URL-encoded. A multi-line secret is also masked line
 * by line, and the beginning of a secret at the end of a truncated line is masked too.
 */
export function createMask(secrets: Iterable<string>): Mask {
  const needles = [...new Set([...secrets].flatMap(printedForms))].sort(longestFirst);
  if (needles.length === 0) return (text) => text;
  const pattern = new RegExp(needles.map(escapeRegExp).join('|'), 'g');
  return (text) => {
    const masked = text.replace(pattern, REPLACEMENT);
    return masked.endsWith('…') ? maskPartialAtEnd(masked, needles) : masked;
  };
}

function printedForms(secret: string): string[] {
  const whole = secret.toWellFormed().trim();
  const lines = whole.split(/[\r\n]+/).map((line) => line.trim());
  return [whole, ...lines]
    .flatMap((text) => [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)])
    .filter((text) => text.length >= MIN_LENGTH && !/[\r\n]/.test(text));
}

function longestFirst(one: string, other: string): number {
  return other.length - one.length;
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function maskPartialAtEnd(text: string, needles: readonly string[]): string {
  const [mark = ''] = TRUNCATION_MARK.exec(text) ?? [];
  const unmarked = text.slice(0, text.length - mark.length);
  const partialLength = Math.max(...needles.map((needle) => overlapLength(unmarked, needle)));
  if (partialLength < MIN_PARTIAL_LENGTH) return text;
  return `${unmarked.slice(0, unmarked.length - partialLength)}${REPLACEMENT}${mark}`;
}

/** The length of the longest prefix of `needle` that `text` ends with. */
function overlapLength(text: string, needle: string): number {
  let length = Math.min(needle.length, text.length);
  while (length > 0 && !text.endsWith(needle.slice(0, length))) length -= 1;
  return length;
}

/** The mask of each app. Its secrets are loaded on first use, and again after `invalidate`. */
export type MaskCache = {
  get(appId: string): Promise<Mask>;
  /** Without an id, for all apps. */
  invalidate(appId?: string): void;
};

export function createMaskCache(secretsOf: (appId: string) => Promise<string[]>): MaskCache {
  const cached = new Map<string, Promise<Mask>>();

  function load(appId: string): Promise<Mask> {
    const mask = secretsOf(appId).then(createMask);
    cached.set(appId, mask);
    mask.catch(() => {
      if (cached.get(appId) === mask) cached.delete(appId);
    });
    return mask;
  }

  return {
    async get(appId) {
      for (;;) {
        const loading = cached.get(appId) ?? load(appId);
        const mask = await loading;
        // If the entry was invalidated while it loaded, it may lack the newest secrets.
        if (cached.get(appId) === loading) return mask;
      }
    },
    invalidate(appId) {
      if (appId === undefined) cached.clear();
      else cached.delete(appId);
    },
  };
}
