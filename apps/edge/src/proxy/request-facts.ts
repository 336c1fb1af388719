import type { IncomingHttpHeaders } from 'node:http';

/** What is known about a request before it is forwarded, for decisions about it. */
export type RequestFacts = {
  method: string;
  /** The host name: lower case, without port. */
  host: string;
  /** With the query. */
  path: string;
  scheme: 'http' | 'https';
  /** The address of the visitor. */
  address: string;
  headers: IncomingHttpHeaders;
};

/** What the settings of an app say about a request. Undefined parts: the defaults of the edge. */
export type Verdict =
  | { kind: 'respond'; status: number; headers: Record<string, string>; body: string }
  | {
      kind: 'forward';
      /** A longer body is refused with 413, a chunked one as soon as it exceeds the limit. */
      maxBodyBytes?: number | undefined;
      /** How long the app may take from the end of the request to the begin of its response. */
      timeoutMs?: number | undefined;
      /** Replace headers of the response that have the same name. */
      responseHeaders?: Readonly<Record<string, string>> | undefined;
      /** The Authorization header is for the edge, and not passed on to the app. */
      dropsAuthorization?: boolean | undefined;
    };

/** A request or websocket of an app that has ended. */
export type EndedRequest = {
  /** Undefined: no app has this host. */
  readonly appId: string | undefined;
  readonly method: string;
  readonly host: string;
  /** With the query. */
  readonly path: string;
  /** 0: the visitor disconnected before there was a response. */
  readonly status: number;
  /** When the request arrived, by the clock of the proxy. */
  readonly startedAt: number;
  /** Of bodies and websockets. */
  readonly bytesIn: number;
  readonly bytesOut: number;
};
