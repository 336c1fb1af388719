import {
  mayBeTrailer,
  namesInConnection,
  OF_CONNECTION_LENGTHS,
  responseHeaderKind,
} from './header-kinds.ts';

/** How the body of a response is delimited. `close`: by the end of the connection. */
export type ResponseFraming = 'none' | 'length' | 'chunked' | 'close';

/** The head of a response, checked. */
export type ResponseHead = {
  status: number;
  reason: string;
  /** The headers, one per line with its CRLF. Without the length and those that are for one connection only. */
  lines: string;
  /** The value of Content-Length, if the visitor gets it. */
  contentLength: string | undefined;
  hasDate: boolean;
  framing: ResponseFraming;
  /** The length of the body, with the framing `length`. */
  length: number;
  /** The names of the announced trailers. */
  trailer: string | undefined;
  /** The app keeps the connection open for the next request. */
  keepsAlive: boolean;
  /** The app closes an idle connection after this time, if it says so. */
  keepAliveMs: number | undefined;
};

/** What the request says about the response. */
export type Expected = { isHead: boolean; isUpgrade: boolean };

/** The app sent something that is not a valid response. */
export class InvalidResponse extends Error {}

const CLOSE = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i;
const LENGTH = /^\d{1,15}$/;
const CR = 13;
const LF = 10;
const COLON = 58;
const SPACE = 32;
const TAB = 9;
const IS_DIGIT = characterTable(/\d/);
const IS_TOKEN = characterTable(/[\w!#$%&'*+.^`|~-]/);
/** Tab, space, visible characters and obs-text (RFC 9110 §5.5). */
const IS_VALUE = characterTable(/[\t\x20-\x7e\x80-\xff]/);

/**
 * Reads the head that ends before `end`, with the CRLF of its last line. Whatever two parsers could read differently is
 * refused: a length beside chunks, differing lengths, other codings, folded lines, spaces before a colon, bare CR or LF,
 * control characters. Lines that are passed on unchanged are not taken apart, because every response comes through here.
 */
export function readResponseHead(text: string, end: number, expected: Expected): ResponseHead {
  const minorVersion = readVersion(text);
  const status = readStatus(text);
  let at = endOfLine(text, STATUS_END);
  const reason = text.slice(STATUS_END + 1, at - 2);
  let lines = '';
  /** Where the lines begin that are passed on as they are. */
  let unchangedFrom = at;
  let length: string | undefined;
  let coding: string | undefined;
  let trailer: string | undefined;
  let upgrade: string | undefined;
  let keepAliveMs: number | undefined;
  let hasDate = false;
  let keepsAlive = minorVersion === 1;
  let connectionNames: string[] = [];
  while (at < end) {
    const start = at;
    const colon = endOfName(text, start);
    const valueStart = endOfBlanks(text, colon + 1);
    at = endOfLine(text, valueStart);
    const valueEnd = startOfBlanks(text, valueStart, at - 2);
    const nameLength = colon - start;
    const kind =
      OF_CONNECTION_LENGTHS[nameLength] === 1
        ? responseHeaderKind(text.slice(start, colon))
        : 'pass';
    if (kind === 'pass') {
      if (nameLength === 4 && text.slice(start, colon).toLowerCase() === 'date') hasDate = true;
      const isTidy = text.charCodeAt(colon + 1) === SPACE && valueStart === colon + 2;
      if (isTidy && valueEnd === at - 2) continue;
    }
    lines += text.slice(unchangedFrom, start);
    unchangedFrom = at;
    const value = text.slice(valueStart, valueEnd);
    switch (kind) {
      case 'pass':
        lines += `${text.slice(start, colon)}: ${value}\r\n`;
        break;
      case 'content-length':
        if (!LENGTH.test(value) || (length !== undefined && length !== value)) {
          throw new InvalidResponse('Invalid length');
        }
        length = value;
        break;
      case 'transfer-encoding':
        coding = coding === undefined ? value : `${coding}, ${value}`;
        break;
      case 'connection':
        if (value === 'keep-alive') break;
        if (CLOSE.test(value)) keepsAlive = false;
        connectionNames = connectionNames.concat(namesInConnection(value));
        break;
      case 'keep-alive':
        keepAliveMs = timeoutOf(value);
        break;
      case 'upgrade':
        upgrade = value;
        break;
      case 'trailer':
        trailer = value;
        break;
      default:
    }
  }
  lines += text.slice(unchangedFrom, end);
  if (status === 101 && !(expected.isUpgrade && upgrade?.toLowerCase() === 'websocket')) {
    throw new InvalidResponse('Unexpected switch of protocols');
  }
  if (coding !== undefined) {
    const isChunked =
      minorVersion === 1 && length === undefined && coding.toLowerCase() === 'chunked';
    if (!isChunked) throw new InvalidResponse('Invalid transfer coding');
  }
  if (connectionNames.length > 0) {
    lines = linesWithout(lines, connectionNames);
    if (connectionNames.includes('date')) hasDate = false;
  }
  const isBodiless = expected.isHead || status < 200 || status === 204 || status === 304;
  return {
    status,
    reason,
    lines,
    // A 204 has no length (RFC 9110 §8.6); that of a HEAD or a 304 describes the body of another response.
    contentLength: status >= 200 && status !== 204 ? length : undefined,
    hasDate,
    framing: isBodiless ? 'none' : framingOf(length, coding),
    length: Number(length ?? 0),
    trailer,
    keepsAlive,
    keepAliveMs,
  };
}

/** The headers that a visitor gets, as a flat list of names and values. */
export function headersOf({ lines, contentLength }: ResponseHead): string[] {
  const headers = readFields(lines);
  if (contentLength !== undefined) headers.push('Content-Length', contentLength);
  return headers;
}

/** The trailers that a visitor gets, as a flat list. Each line has its CRLF. */
export function readTrailers(text: string): string[] {
  const fields = readFields(text);
  const trailers: string[] = [];
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] as string;
    if (mayBeTrailer(responseHeaderKind(name), name))
      trailers.push(name, fields[index + 1] as string);
  }
  return trailers;
}

/** Reads lines `name: value` into a flat list. */
function readFields(text: string): string[] {
  const fields: string[] = [];
  let at = 0;
  while (at < text.length) {
    const colon = endOfName(text, at);
    const valueStart = endOfBlanks(text, colon + 1);
    const name = text.slice(at, colon);
    at = endOfLine(text, valueStart);
    fields.push(name, text.slice(valueStart, startOfBlanks(text, valueStart, at - 2)));
  }
  return fields;
}

const VERSION = 'HTTP/1.';
const STATUS_START = VERSION.length + 2;
const STATUS_END = STATUS_START + 3;
const DIGIT_0 = 48;

function readVersion(text: string): number {
  const minor = text.charCodeAt(VERSION.length) - DIGIT_0;
  const isKnown = text.startsWith(VERSION) && (minor === 0 || minor === 1);
  if (!isKnown || text.charCodeAt(STATUS_START - 1) !== SPACE) {
    throw new InvalidResponse('Invalid status line');
  }
  return minor;
}

/** Three digits, and then a space or the end of the line. */
function readStatus(text: string): number {
  let status = 0;
  for (let at = STATUS_START; at < STATUS_END; at += 1) {
    const code = text.charCodeAt(at);
    if (IS_DIGIT[code] !== 1) throw new InvalidResponse('Invalid status line');
    status = status * 10 + code - DIGIT_0;
  }
  const next = text.charCodeAt(STATUS_END);
  if (status < 100 || (next !== SPACE && next !== CR)) {
    throw new InvalidResponse('Invalid status line');
  }
  return status;
}

// The functions below never read past the CRLF that ends the text: an index out of range would make them slow.

/** The index of the colon after a name. */
function endOfName(text: string, start: number): number {
  let at = start;
  while (IS_TOKEN[text.charCodeAt(at)] === 1) at += 1;
  if (at === start || text.charCodeAt(at) !== COLON) {
    throw new InvalidResponse('Invalid header name');
  }
  return at;
}

/** The index after the CRLF. */
function endOfLine(text: string, start: number): number {
  let at = start;
  while (IS_VALUE[text.charCodeAt(at)] === 1) at += 1;
  if (text.charCodeAt(at) !== CR || text.charCodeAt(at + 1) !== LF) {
    throw new InvalidResponse('Invalid header value');
  }
  return at + 2;
}

function endOfBlanks(text: string, start: number): number {
  let at = start;
  while (isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

function startOfBlanks(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isBlank(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

function framingOf(length: string | undefined, coding: string | undefined): ResponseFraming {
  if (coding !== undefined) return 'chunked';
  return length === undefined ? 'close' : 'length';
}

function timeoutOf(keepAlive: string): number | undefined {
  const seconds = /(?:^|[,;\s])timeout=(\d{1,6})/i.exec(keepAlive)?.[1];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

function linesWithout(lines: string, lowerNames: string[]): string {
  const fields = readFields(lines);
  let kept = '';
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] as string;
    if (!lowerNames.includes(name.toLowerCase())) kept += `${name}: ${fields[index + 1]}\r\n`;
  }
  return kept;
}

function characterTable(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) =>
    pattern.test(String.fromCharCode(code)) ? 1 : 0,
  );
}
