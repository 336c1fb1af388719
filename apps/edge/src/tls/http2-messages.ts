import { Http2ServerRequest, Http2ServerResponse, type ServerHttp2Stream } from 'node:http2';
import type { ReadableOptions } from 'node:stream';

/** A request over HTTP/2. A body that was cut never ends, it fails, as over HTTP/1.1. */
export class Http2VisitorRequest extends Http2ServerRequest {
  constructor(
    stream: ServerHttp2Stream,
    headers: Http2ServerRequest['headers'],
    options: ReadableOptions,
    rawHeaders: readonly string[],
  ) {
    super(stream, headers, options, rawHeaders);
    this.on('error', ignore);
    // Node ends the body of a stream that was reset, as if it were complete.
    stream.on('aborted', () => this.destroy(new Error('The visitor cut the request')));
  }
}

/** A response over HTTP/2. One that was cut looks cut, as over HTTP/1.1. */
export class Http2VisitorResponse extends Http2ServerResponse<Http2VisitorRequest> {
  /** Without an error, the visitor would take the response for complete. */
  override destroy(error = new Error('The response was cut')): this {
    super.destroy(error);
    return this;
  }
}

// Properties in Node's types, which cannot be overridden by getters in a class.
Object.defineProperties(Http2VisitorResponse.prototype, {
  destroyed: {
    get(this: Http2VisitorResponse) {
      return this.stream.destroyed;
    },
  },
  // Node ends a stream that was reset, as if all had been sent.
  writableFinished: {
    get(this: Http2VisitorResponse) {
      return this.stream.writableFinished && !this.stream.aborted;
    },
  },
});

function ignore(): void {}
