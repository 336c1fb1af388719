/** Types that a browser can display without running code. */
const INLINE_TYPES = new Set(['text/plain', 'application/json', 'application/ogg']);
const INLINE_FAMILIES = /^(?:image|audio|video)\/(?!svg)/;

const NOT_QUOTABLE = /[^\x20-\x7e]|["%\\]/g;
/** RFC 8187 requires escapes for these, which `encodeURIComponent` leaves. */
const UNESCAPED = /['()*]/g;

/** RFC 6266. Files that could run code on this origin are downloaded instead of displayed. */
export function contentDisposition(name: string, mimeType: string): string {
  const plain = name.replace(NOT_QUOTABLE, '_');
  const extended = plain === name ? '' : `; filename*=UTF-8''${encode(name)}`;
  return `${isInline(mimeType) ? 'inline' : 'attachment'}; filename="${plain}"${extended}`;
}

function isInline(mimeType: string): boolean {
  const [type = ''] = mimeType.split(';');
  return INLINE_TYPES.has(type) || INLINE_FAMILIES.test(type);
}

function encode(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    UNESCAPED,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
