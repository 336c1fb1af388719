import { fileTypeFromBuffer } from 'file-type';

/** Enough bytes for binary signatures and for the beginning of a text. */
export const HEAD_BYTES = 4_096;

const HTML =
  /^<(?:!doctype\s+html|html|head|body|script|style|title|iframe|h1|div|p|a|br|table|img|meta)\b/i;
const SVG = /^(?:<!doctype\s+svg[^>]*>\s*)?<svg[\s>]/i;
const JSON_TEXT = /^(?:\{\s*(?:\}|"(?:[^"\\]|\\.)*"\s*:)|\[\s*[[{"\]])/;

const CONTROL_CHARACTER = /[^\P{Cc}\t\n\v\f\r]/u;

/** Detects the MIME type from the first bytes of a file. The type that a client sends is never trusted. */
export async function detectType(head: Uint8Array): Promise<string> {
  const binaryType = (await fileTypeFromBuffer(head))?.mime;
  const text = decodeText(head);
  // Short signatures match texts too ("BM" is a bitmap). Only PDF is a binary format that can consist of text alone.
  if (text !== undefined && binaryType !== 'application/pdf') return textType(text);
  return binaryType ?? 'application/octet-stream';
}

/** Undefined if the bytes are not UTF-8 text. The head may end within a character. */
function decodeText(head: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return text === '' || CONTROL_CHARACTER.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function textType(text: string): string {
  const markup = withoutPrologue(text);
  if (SVG.test(markup)) return 'image/svg+xml';
  if (HTML.test(markup)) return 'text/html; charset=utf-8';
  if (text.trimStart().startsWith('<?xml')) return 'text/xml; charset=utf-8';
  if (JSON_TEXT.test(markup)) return 'application/json';
  return 'text/plain; charset=utf-8';
}

/** Skips declarations and comments in a single pass; a regular expression would backtrack. */
function withoutPrologue(text: string): string {
  let rest = text.trimStart();
  for (;;) {
    const end = rest.startsWith('<!--') ? '-->' : rest.startsWith('<?') ? '?>' : undefined;
    const at = end === undefined ? -1 : rest.indexOf(end);
    if (end === undefined || at === -1) return rest;
    rest = rest.slice(at + end.length).trimStart();
  }
}
