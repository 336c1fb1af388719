/** As many bytes as the longest signature and a fair look at a text need. */
export const HEAD_BYTES = 4_096;

const OCTETS = 'application/octet-stream';

type Signature = [offset: number, bytes: string, type: string];

/** What formats begin with, as text of single bytes. The first that fits counts. */
const SIGNATURES: Signature[] = [
  [0, '\x89PNG\r\n\x1a\n', 'image/png'],
  [0, '\xff\xd8\xff', 'image/jpeg'],
  [0, 'GIF87a', 'image/gif'],
  [0, 'GIF89a', 'image/gif'],
  [8, 'WEBP', 'image/webp'],
  [8, 'WAVE', 'audio/wav'],
  [8, 'AVI ', 'video/x-msvideo'],
  [4, 'ftypavif', 'image/avif'],
  [4, 'ftypavis', 'image/avif'],
  [4, 'ftypheic', 'image/heic'],
  [4, 'ftypmif1', 'image/heif'],
  [4, 'ftypM4A', 'audio/mp4'],
  [4, 'ftypqt  ', 'video/quicktime'],
  [4, 'ftyp', 'video/mp4'],
  [0, 'II*\0', 'image/tiff'],
  [0, 'MM\0*', 'image/tiff'],
  [0, '\0\0\x01\0', 'image/x-icon'],
  [0, 'OggS', 'application/ogg'],
  [0, 'fLaC', 'audio/flac'],
  [0, 'ID3', 'audio/mpeg'],
  [0, '\xff\xfb', 'audio/mpeg'],
  [0, '\xff\xf3', 'audio/mpeg'],
  [0, '\x1aE\xdf\xa3', 'video/webm'],
  [0, '%PDF-', 'application/pdf'],
  [0, 'PK\x03\x04', 'application/zip'],
  [0, 'PK\x05\x06', 'application/zip'],
  [0, '\x1f\x8b', 'application/gzip'],
  [0, '7z\xbc\xaf\x27\x1c', 'application/x-7z-compressed'],
  [0, 'Rar!\x1a\x07', 'application/vnd.rar'],
  [0, 'BZh', 'application/x-bzip2'],
  [0, '\xfd7zXZ\0', 'application/x-xz'],
  [0, '\x28\xb5\x2f\xfd', 'application/zstd'],
  [257, 'ustar', 'application/x-tar'],
  [0, '\0asm', 'application/wasm'],
  [0, 'wOFF', 'font/woff'],
  [0, 'wOF2', 'font/woff2'],
  [0, 'OTTO', 'font/otf'],
  [0, '\0\x01\0\0\0', 'font/ttf'],
  [0, 'SQLite format 3\0', 'application/vnd.sqlite3'],
];

/** Formats in a container that says so at its very beginning. */
const IN_RIFF = new Set(['image/webp', 'audio/wav', 'video/x-msvideo']);

/** Begins of texts that mean more than text. */
const HTML =
  /^<(?:!doctype\s+html|html|head|body|script|style|title|iframe|h1|div|p|a|br|table|img|meta)\b/i;
const SVG = /^(?:<!doctype\s+svg[^>]*>\s*)?<svg[\s>]/i;
const JSON_TEXT = /^(?:\{\s*(?:\}|"(?:[^"\\]|\\.)*"\s*:)|\[\s*[[{"\]])/;

const NO_TEXT = /[^\P{Cc}\t\n\v\f\r]/u;

/** What bytes are, told by themselves. What a client calls them is never believed. */
export function sniffType(head: Uint8Array): string {
  const bytes = Buffer.from(head).toString('latin1');
  const signature = SIGNATURES.find((candidate) => fits(bytes, candidate));
  if (signature !== undefined) return signature[2];
  const text = textOf(head);
  return text === undefined ? OCTETS : typeOfText(text);
}

function fits(bytes: string, [offset, signature, type]: Signature): boolean {
  if (IN_RIFF.has(type) && !bytes.startsWith('RIFF')) return false;
  return bytes.startsWith(signature, offset);
}

/** The head may end in the middle of a character. */
function textOf(head: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return text === '' || NO_TEXT.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function typeOfText(text: string): string {
  const markup = withoutPrologue(text);
  if (SVG.test(markup)) return 'image/svg+xml';
  if (HTML.test(markup)) return 'text/html; charset=utf-8';
  if (text.trimStart().startsWith('<?xml')) return 'text/xml; charset=utf-8';
  if (JSON_TEXT.test(markup)) return 'application/json';
  return 'text/plain; charset=utf-8';
}

/** What comes after declarations and comments. One pass: a pattern would try every way to divide them. */
function withoutPrologue(text: string): string {
  let rest = text.trimStart();
  for (;;) {
    const end = rest.startsWith('<!--') ? '-->' : rest.startsWith('<?') ? '?>' : undefined;
    const at = end === undefined ? -1 : rest.indexOf(end);
    if (end === undefined || at === -1) return rest;
    rest = rest.slice(at + end.length).trimStart();
  }
}
