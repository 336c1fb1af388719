import {
  type Expected,
  InvalidResponse,
  type ResponseHead,
  readResponseHead,
  readTrailers,
} from './response-head.ts';

/** Gets the parts of a response in order. Bytes are valid during the call only, unless the receiver owns the buffer. */
export type ResponseSink = {
  /** A 1xx other than 101. */
  onInformation(head: ResponseHead): void;
  onHead(head: ResponseHead): void;
  /** `isLast`: nothing follows but `onComplete`. */
  onBody(bytes: Buffer, start: number, end: number, isLast: boolean): void;
  onTrailers(trailers: string[]): void;
  onComplete(): void;
};

type Phase =
  | 'head'
  | 'length'
  | 'chunk-size'
  | 'chunk-bytes'
  | 'chunk-end'
  | 'trailers'
  | 'close'
  | 'complete';

const MAX_HEAD_BYTES = 64 * 1024;
/** Enough for most heads: the body that follows is not decoded with it. */
const HEAD_PIECE_BYTES = 2 * 1024;
const MAX_TRAILER_BYTES = 16 * 1024;
const MAX_CHUNK_LINE_BYTES = 256;
const MAX_INFORMATION = 32;

/** A size of at most 2^52, and extensions, which are dropped (RFC 9112 §7.1.1). */
const CHUNK_LINE = /^([0-9a-f]{1,13})[ \t]*(?:;[\t\x20-\x7e\x80-\xff]*)?$/i;

/** Reads the response to one request after the other. Any split of the bytes has the same result. */
export class ResponseParser {
  /** The last head. */
  head: ResponseHead | undefined;
  private phase: Phase = 'complete';
  private expected: Expected = { isHead: false, isUpgrade: false };
  /** An incomplete head, chunk line or trailer section. */
  private text = '';
  /** The bytes that are missing in the body or chunk. */
  private missing = 0;
  private informationCount = 0;

  begin(expected: Expected): void {
    this.expected = expected;
    this.phase = 'head';
    this.head = undefined;
    this.text = '';
    this.informationCount = 0;
  }

  get isComplete(): boolean {
    return this.phase === 'complete';
  }

  /** The bytes of the body that are known to follow. */
  get missingBytes(): number {
    return this.phase === 'length' ? this.missing : 0;
  }

  /** Returns how many bytes belong to the response. Throws `InvalidResponse`. */
  read(bytes: Buffer, length: number, sink: ResponseSink): number {
    let at = 0;
    while (at < length && this.phase !== 'complete') {
      switch (this.phase) {
        case 'head':
          at = this.readHead(bytes, at, length, sink);
          break;
        case 'length':
          at = this.readBody(bytes, at, length, sink);
          break;
        case 'chunk-bytes':
          at = this.readChunk(bytes, at, length, sink);
          break;
        case 'close':
          sink.onBody(bytes, at, length, false);
          at = length;
          break;
        default:
          at = this.readLine(bytes, at, length, sink);
      }
    }
    return at;
  }

  /** The app closed its side. Throws if the response is incomplete. */
  readEnd(sink: ResponseSink): void {
    if (this.phase === 'complete') return;
    if (this.phase !== 'close') throw new InvalidResponse('The response ended early');
    this.complete(sink);
  }

  private readHead(bytes: Buffer, at: number, length: number, sink: ResponseSink): number {
    const before = this.text.length;
    const until = Math.min(length, at + HEAD_PIECE_BYTES);
    this.text += bytes.toString('latin1', at, until);
    const end = this.text.indexOf('\r\n\r\n', Math.max(0, before - 3));
    if ((end < 0 ? this.text.length : end + 3) >= MAX_HEAD_BYTES) {
      throw new InvalidResponse('The head is too long');
    }
    if (end < 0) return until;
    const head = readResponseHead(this.text, end + 2, this.expected);
    this.text = '';
    if (head.status < 200 && head.status !== 101) {
      this.informationCount += 1;
      if (this.informationCount > MAX_INFORMATION) throw new InvalidResponse('Too many 1xx');
      sink.onInformation(head);
      return at + end + 4 - before;
    }
    this.head = head;
    this.missing = head.length;
    if (head.framing === 'chunked') this.phase = 'chunk-size';
    else if (head.framing === 'close') this.phase = 'close';
    else this.phase = 'length';
    if (head.framing === 'none') this.missing = 0;
    sink.onHead(head);
    if (this.phase === 'length' && this.missing === 0) this.complete(sink);
    return at + end + 4 - before;
  }

  private readBody(bytes: Buffer, at: number, length: number, sink: ResponseSink): number {
    const end = Math.min(length, at + this.missing);
    this.missing -= end - at;
    sink.onBody(bytes, at, end, this.missing === 0);
    if (this.missing === 0) this.complete(sink);
    return end;
  }

  private readChunk(bytes: Buffer, at: number, length: number, sink: ResponseSink): number {
    const end = Math.min(length, at + this.missing);
    this.missing -= end - at;
    if (this.missing === 0) this.phase = 'chunk-end';
    sink.onBody(bytes, at, end, false);
    return end;
  }

  /** Reads up to the end of a line between chunks, or of the trailers. */
  private readLine(bytes: Buffer, at: number, length: number, sink: ResponseSink): number {
    const isTrailers = this.phase === 'trailers';
    const max = isTrailers ? MAX_TRAILER_BYTES : MAX_CHUNK_LINE_BYTES;
    const before = this.text.length;
    this.text += bytes.toString('latin1', at, Math.min(length, at + max - before + 2));
    // Trailers end with an empty line, which is their first line if there are none.
    const isEmpty = isTrailers && this.text.startsWith('\r\n');
    const mark = isTrailers && !isEmpty ? '\r\n\r\n' : '\r\n';
    const end = this.text.indexOf(mark, isEmpty ? 0 : Math.max(0, before - mark.length + 1));
    if (end < 0) {
      if (this.text.length > max) throw new InvalidResponse('A line is too long');
      return length;
    }
    const line = this.text.slice(0, end);
    this.text = '';
    if (this.phase === 'chunk-size') this.beginChunk(line);
    else if (this.phase === 'chunk-end') this.endChunk(line);
    else {
      const trailers = isEmpty ? [] : readTrailers(`${line}\r\n`);
      if (trailers.length > 0) sink.onTrailers(trailers);
      this.complete(sink);
    }
    return at + end + mark.length - before;
  }

  private beginChunk(line: string): void {
    const size = CHUNK_LINE.exec(line)?.[1];
    if (size === undefined) throw new InvalidResponse('Invalid chunk size');
    this.missing = Number.parseInt(size, 16);
    this.phase = this.missing === 0 ? 'trailers' : 'chunk-bytes';
  }

  private endChunk(line: string): void {
    if (line !== '') throw new InvalidResponse('Invalid end of chunk');
    this.phase = 'chunk-size';
  }

  /** Ignores what follows. */
  cancel(): void {
    this.phase = 'complete';
  }

  private complete(sink: ResponseSink): void {
    // The sink may have cancelled.
    if (this.phase === 'complete') return;
    this.phase = 'complete';
    sink.onComplete();
  }
}
