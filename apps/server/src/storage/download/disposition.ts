/** What a browser may show in place without running anything in it. */
const SHOWN = new Set(['text/plain', 'application/json', 'application/ogg']);
const SHOWN_FAMILIES = /^(?:image|audio|video)\/(?!svg)/;

const NOT_PLAIN = /[^\x20-\x7e]|["%\\]/g;
/** RFC 8187: these need no escape, and `encodeURIComponent` leaves a few more alone. */
const STILL_SPECIAL = /['()*]/g;

/** RFC 6266. Whatever could act on our origin is saved, not shown. */
export function contentDisposition(name: string, mimeType: string): string {
  const plain = name.replace(NOT_PLAIN, '_');
  const extended = plain === name ? '' : `; filename*=UTF-8''${encode(name)}`;
  return `${isShown(mimeType) ? 'inline' : 'attachment'}; filename="${plain}"${extended}`;
}

function isShown(mimeType: string): boolean {
  const [type = ''] = mimeType.split(';');
  return SHOWN.has(type) || SHOWN_FAMILIES.test(type);
}

function encode(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    STILL_SPECIAL,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
