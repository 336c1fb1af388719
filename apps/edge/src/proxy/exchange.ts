import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';
import { drainRequest } from './drain-request.ts';
import type { ProxyErrorCode } from './error-responses.ts';
import { type BodyFraming, hasBody, trailerLines } from './request-head.ts';
import { headersOf, type ResponseHead } from './response-head.ts';
import { joinTunnel } from './tunnel.ts';
import type { Upload, UploadWatch } from './upload-watch.ts';
import type { Upstream } from './upstream.ts';
import type { UpstreamClient, UpstreamConnection } from './upstream-connection.ts';
import { VisitorResponse } from './visitor-response.ts';

/** A request on its way to an app, and what becomes of it. */
export type ForwardedVisit = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  readonly framing: BodyFraming;
  readonly isHttp2: boolean;
  /** A websocket handshake. */
  readonly tunnel: { socket: Socket; head: Buffer } | undefined;
  readonly expectsContinue: boolean;
  readonly maxBodyBytes: number;
  /** How long the app may take to accept the connection. */
  readonly connectMs: number;
  /** How long the app may be silent. Undefined: as usual. */
  readonly silenceMs: number | undefined;
  readonly responseHeaders: Readonly<Record<string, string>> | undefined;
  /** Set beside those of the app. */
  readonly cookie: string | undefined;
  readonly uploads: UploadWatch;
  bytesIn: number;
  bytesOut: number;
  status: number;
  /** The head for the app. */
  head(): string;
  /** `nothingSent`: the app got no byte of the request. */
  onUnanswered(reason: 'failed' | 'timed-out', nothingSent: boolean): void;
  /** The request is sent as a whole. */
  onSent(): void;
  fail(code: ProxyErrorCode): void;
  onTunnelEnd(): void;
};

/** Objects of Node, with what their shared listeners need: no function is created per request. */
type Owned<Kind> = Kind & { exchange?: Exchange };

const SMALL_BYTES = 16 * 1024;
const INTERNAL_ERROR = 2;

/** Sends a request to an app, once, and relays the response. */
export class Exchange implements UpstreamClient, Upload {
  private readonly visit: ForwardedVisit;
  private readonly upstream: Upstream;
  private connection: UpstreamConnection | undefined;
  /** Not written yet: it waits for the first bytes of the body. */
  private pendingHead = '';
  private isRequestSent = false;
  private isReadingRequest = false;
  private isResponseComplete = false;
  private hasBodyBytes = false;
  /** Small pieces of the response, until all that was read is passed on: each write takes memory until the visitor reads. */
  private pendingBody = '';
  private isWaitingForDrain = false;

  constructor(visit: ForwardedVisit, upstream: Upstream, mayReuse: boolean) {
    this.visit = visit;
    this.upstream = upstream;
    upstream.inFlight += 1;
    const isUpgrade = visit.tunnel !== undefined;
    const kept = mayReuse ? upstream.takeIdle() : undefined;
    const connection = kept ?? upstream.open(isUpgrade, visit.connectMs);
    this.connection = connection;
    connection.begin(this, { isHead: visit.method === 'HEAD', isUpgrade }, visit.silenceMs);
    if (connection.isConnected) this.onConnected();
  }

  /** The response has begun. */
  get isAnswered(): boolean {
    return this.visit.response.headersSent;
  }

  get receivedBytes(): number {
    return this.visit.bytesIn;
  }

  get isVisitorsTurn(): boolean {
    const { request, expectsContinue, bytesIn } = this.visit;
    const waitsForApp = request.isPaused() || (expectsContinue && bytesIn === 0);
    return !waitsForApp && !this.isAnswered;
  }

  onTooSlow(): void {
    this.abort();
    this.visit.fail('slow-upload');
  }

  /** Closes the connection to the app. */
  abort(): void {
    const { connection } = this;
    if (connection === undefined) return;
    this.finish();
    connection.destroy();
  }

  onConnected(): void {
    const { visit } = this;
    if (!hasBody(visit.framing)) {
      this.connection?.socket.write(visit.head(), 'latin1');
      this.onSent();
      return;
    }
    const request = visit.request as Owned<IncomingMessage>;
    this.pendingHead = visit.head();
    this.isReadingRequest = true;
    request.exchange = this;
    request.on('data', onRequestData);
    request.on('end', onRequestEnd);
    // The visitor disconnected. The response is closed, too.
    request.on('error', ignore);
    // After the bytes that arrived together with the head.
    process.nextTick(flushHead, this);
  }

  flushHead(): void {
    if (!this.isRequestSent && this.connection !== undefined) this.visit.uploads.add(this);
    this.writePendingHead();
  }

  private writePendingHead(): void {
    if (this.pendingHead === '') return;
    this.connection?.socket.write(this.pendingHead, 'latin1');
    this.pendingHead = '';
  }

  onRequestData(chunk: Buffer): void {
    const { visit, connection } = this;
    visit.bytesIn += chunk.length;
    if (connection === undefined) return;
    if (visit.bytesIn > visit.maxBodyBytes) {
      this.abort();
      visit.fail('too-large');
      return;
    }
    const { framing } = visit;
    if (framing.kind === 'length' && visit.bytesIn > Number(framing.length)) {
      this.refuseBody();
      return;
    }
    if (!this.writeBody(connection.socket, chunk)) visit.request.pause();
  }

  onRequestEnd(): void {
    const { visit, connection } = this;
    if (connection === undefined) return;
    const { framing } = visit;
    if (framing.kind === 'length' && visit.bytesIn !== Number(framing.length)) {
      this.refuseBody();
      return;
    }
    this.writePendingHead();
    if (framing.kind === 'chunked') {
      connection.socket.write(`0\r\n${trailerLines(visit.request.rawTrailers)}\r\n`, 'latin1');
    }
    this.onSent();
  }

  onDrain(): void {
    if (this.isReadingRequest) this.visit.request.resume();
  }

  onInformation(head: ResponseHead): void {
    const { response, expectsContinue } = this.visit;
    if (response.headersSent || response.destroyed) return;
    if (head.status === 100 && expectsContinue) response.writeContinue();
    if (head.status === 103) writeEarlyHints(response, headersOf(head));
  }

  onHead(head: ResponseHead): void {
    const { visit } = this;
    const { response, responseHeaders, cookie, isHttp2, tunnel } = visit;
    visit.status = head.status;
    if (head.status === 101 && tunnel !== undefined) {
      this.startTunnel(tunnel, visitorHeaders(head, visit));
    } else if (isHttp2) {
      response.writeHead(head.status, visitorHeaders(head, visit));
    } else if (!responseHeaders && !cookie && response instanceof VisitorResponse) {
      const { contentLength } = head;
      const framing = contentLength === undefined ? [] : ['Content-Length', contentLength];
      response.writeCheckedHead(head, withTrailer(framing, head, visit.request));
    } else {
      const headers = visitorHeaders(head, visit);
      response.writeHead(head.status, head.reason, withTrailer(headers, head, visit.request));
    }
  }

  onBody(bytes: Buffer, start: number, end: number, isLast: boolean): void {
    const { visit, connection } = this;
    const { response } = visit;
    visit.bytesOut += end - start;
    this.hasBodyBytes = true;
    const buffer = connection?.buffer;
    let canWriteMore = true;
    if (buffer !== undefined && end - start > SMALL_BYTES) {
      this.flushBody();
      buffer.uses += 1;
      canWriteMore = response.write(bytes.subarray(start, end), buffer.release);
    } else {
      const text = bytes.toString('latin1', start, end);
      if (isLast) {
        response.end(this.pendingBody + text, 'latin1');
        this.pendingBody = '';
        return;
      }
      this.pendingBody += text;
      if (this.pendingBody.length >= SMALL_BYTES) canWriteMore = this.flushBody();
    }
    if (!canWriteMore && !isLast) this.waitForVisitor();
  }

  onTrailers(trailers: string[]): void {
    const { response, isHttp2 } = this.visit;
    const pairs: [string, string][] = [];
    for (let index = 0; index < trailers.length; index += 2) {
      pairs.push([trailers[index] as string, trailers[index + 1] as string]);
    }
    response.addTrailers(isHttp2 ? Object.fromEntries(pairs) : pairs);
  }

  onComplete(): void {
    this.isResponseComplete = true;
    const { visit, pendingBody } = this;
    this.pendingBody = '';
    if (visit.response.writableEnded) return;
    if (pendingBody === '') visit.response.end();
    else visit.response.end(pendingBody, 'latin1');
  }

  onReadDone(): void {
    const { connection, visit } = this;
    if (connection === undefined) return;
    if (this.isResponseComplete) {
      this.finish();
      connection.release(this.isRequestSent);
      if (!this.isRequestSent) drainRequest(visit.request);
      return;
    }
    if (!this.flushBody()) this.waitForVisitor();
    // Headers must not wait for the first byte of the body, for example in an event stream.
    if (!this.hasBodyBytes && visit.response.headersSent) visit.response.flushHeaders();
  }

  onConnectionFailed(reason: 'failed' | 'timed-out'): void {
    const { connection, visit } = this;
    if (connection === undefined) return;
    this.finish();
    if (visit.response.headersSent) abortResponse(visit);
    else if (connection.hasResponse) visit.fail('unreachable');
    else visit.onUnanswered(reason, !connection.isConnected);
  }

  onVisitorDrain(): void {
    this.connection?.resume();
  }

  private writeBody(socket: Socket, chunk: Buffer): boolean {
    const isChunked = this.visit.framing.kind === 'chunked';
    const before = isChunked
      ? `${this.pendingHead}${chunk.length.toString(16)}\r\n`
      : this.pendingHead;
    this.pendingHead = '';
    if (before === '') return socket.write(chunk);
    const after = isChunked ? '\r\n' : '';
    if (chunk.length <= SMALL_BYTES) {
      return socket.write(`${before}${chunk.toString('latin1')}${after}`, 'latin1');
    }
    socket.cork();
    socket.write(before, 'latin1');
    socket.write(chunk);
    if (isChunked) socket.write(after, 'latin1');
    socket.uncork();
    return !socket.writableNeedDrain;
  }

  private onSent(): void {
    this.isRequestSent = true;
    if (this.isReadingRequest) this.visit.uploads.remove(this);
    this.visit.onSent();
  }

  /** The visitor sent another number of bytes than it announced. */
  private refuseBody(): void {
    this.abort();
    this.visit.fail('bad-request');
  }

  /** Returns whether the visitor takes more. */
  private flushBody(): boolean {
    const { pendingBody } = this;
    if (pendingBody === '') return true;
    this.pendingBody = '';
    return this.visit.response.write(pendingBody, 'latin1');
  }

  private waitForVisitor(): void {
    this.connection?.pause();
    if (this.isWaitingForDrain) return;
    this.isWaitingForDrain = true;
    const response = this.visit.response as Owned<ServerResponse>;
    response.exchange = this;
    response.on('drain', onResponseDrain);
  }

  private startTunnel(tunnel: { socket: Socket; head: Buffer }, headers: string[]): void {
    const { visit, connection, upstream } = this;
    if (connection === undefined) return;
    this.connection = undefined;
    visit.response.detachSocket(tunnel.socket);
    upstream.websockets += 1;
    joinTunnel({ visit, tunnel, connection, headers }, () => {
      upstream.websockets -= 1;
      upstream.end();
      visit.onTunnelEnd();
    });
  }

  /** The connection is not used any more. */
  private finish(): void {
    this.connection = undefined;
    if (this.isReadingRequest) this.visit.uploads.remove(this);
    this.upstream.end();
  }
}

function flushHead(exchange: Exchange): void {
  exchange.flushHead();
}

function onRequestData(this: Owned<IncomingMessage>, chunk: Buffer): void {
  this.exchange?.onRequestData(chunk);
}

function onRequestEnd(this: Owned<IncomingMessage>): void {
  this.exchange?.onRequestEnd();
}

function ignore(): void {}

function onResponseDrain(this: Owned<ServerResponse>): void {
  this.exchange?.onVisitorDrain();
}

/** A visitor must not take half a response for a whole one. */
export function abortResponse({ response, isHttp2 }: ForwardedVisit): void {
  if (isHttp2) (response as unknown as Http2ServerResponse).stream.close(INTERNAL_ERROR);
  else response.destroy();
}

/** Announces the trailers, if the visitor can get them. */
function withTrailer(
  headers: string[],
  { trailer, framing }: ResponseHead,
  { httpVersionMinor, method }: IncomingMessage,
): string[] {
  const mayBeChunked = httpVersionMinor === 1 && method !== 'HEAD';
  if (trailer !== undefined && framing === 'chunked' && mayBeChunked) {
    headers.push('Trailer', trailer);
  }
  return headers;
}

function writeEarlyHints(response: ServerResponse, headers: string[]): void {
  const link: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    if (headers[index]?.toLowerCase() === 'link') link.push(headers[index + 1] as string);
  }
  if (link.length === 0) return;
  try {
    response.writeEarlyHints({ link });
  } catch {
    // Node checks links more strictly than apps write them. Hints are optional.
  }
}

function visitorHeaders(head: ResponseHead, visit: ForwardedVisit): string[] {
  const headers = replaced(headersOf(head), visit.responseHeaders);
  return visit.cookie === undefined ? headers : [...headers, 'Set-Cookie', visit.cookie];
}

function replaced(headers: string[], by: Readonly<Record<string, string>> | undefined): string[] {
  if (by === undefined) return headers;
  const names = new Set(Object.keys(by).map((name) => name.toLowerCase()));
  const kept = headers.filter((_text, index) => {
    return !names.has((headers[index - (index % 2)] as string).toLowerCase());
  });
  return [...kept, ...Object.entries(by).flat()];
}
