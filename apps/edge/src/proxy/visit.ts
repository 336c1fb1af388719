import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { Socket } from 'node:net';
import type { Clock, Connection, EdgePolicy, IsTrustedProxy } from '@longshore/edge-contract';
import { AVOIDED_MS, chooseUpstream } from './choose-upstream.ts';
import { drainRequest } from './drain-request.ts';
import type { ProxyErrorCode } from './error-responses.ts';
import { abortResponse, Exchange, type ForwardedVisit } from './exchange.ts';
import type { HeldRequest, HeldRequests } from './held-requests.ts';
import { holdTimeoutMs } from './hold-timeout.ts';
import { readHttp2Headers } from './http2-head.ts';
import { LIMITS, type ProxyLimits } from './limits.ts';
import type { EndedRequest, RequestFacts, Verdict } from './request-facts.ts';
import { hasBody, type ReadHeaders, readHeaders, requestHead } from './request-head.ts';
import { hostName, requestTarget } from './request-target.ts';
import type { RoutedApp, RouteTable } from './route-table.ts';
import { sendErrorResponse } from './send-error-response.ts';
import { stickyCookie, stickyTarget } from './sticky-session.ts';
import type { UploadWatch } from './upload-watch.ts';
import type { Upstream } from './upstream.ts';
import { proxiedConnection, type VisitorConnection } from './visitor-connection.ts';
import type { WakeRequests } from './wake-requests.ts';

export type Decide = (
  policy: EdgePolicy,
  facts: RequestFacts,
) => Verdict | Promise<Verdict> | undefined;

/**
 * `isSchemeForwarded`: a trusted proxy named the scheme. `app`: the one that has the host. `isOwn` in a response: the request was
 * for the edge, and is none of the app.
 */
export type Intercept = (
  facts: Pick<RequestFacts, 'method' | 'host' | 'path' | 'scheme'> & { isSchemeForwarded: boolean },
  app: Pick<RoutedApp, 'id' | 'policy'> | undefined,
) => (Verdict & { kind: 'respond'; isOwn?: boolean }) | undefined;

export type VisitDeps = {
  clock: Clock;
  limits: ProxyLimits;
  routes: Pick<RouteTable, 'lookup'>;
  heldRequests: HeldRequests;
  wakeRequests: WakeRequests;
  uploads: UploadWatch;
  isTrustedProxy: IsTrustedProxy;
  intercept: Intercept | undefined;
  decide: Decide | undefined;
  onRequestEnd: ((ended: EndedRequest) => void) | undefined;
};

type Owned<Kind> = Kind & { visit?: Visit };

const NONE: Upstream[] = [];
/** Methods that change nothing: a request without response may be sent again. */
const REPEATABLE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
/** An app that accepts no connection got nothing: other targets are tried. */
const MAX_ATTEMPTS = 4;

/** A request or websocket of a visitor, from its head to its end. */
export class Visit implements HeldRequest, ForwardedVisit, EndedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly tunnel: { socket: Socket; head: Buffer } | undefined;
  readonly method: string;
  readonly isHttp2: boolean;
  readonly startedAt: number;
  readonly expectsContinue: boolean;
  readonly path: string;
  readonly authority: string;
  readonly host: string;
  deadline = 0;
  maxBodyBytes = Number.POSITIVE_INFINITY;
  responseHeaders: Readonly<Record<string, string>> | undefined;
  cookie: string | undefined;
  bytesIn = 0;
  bytesOut = 0;
  status = 0;
  private readonly deps: VisitDeps;
  private readonly from: VisitorConnection;
  private readonly connection: Pick<Connection, 'address' | 'protocol'>;
  private headers: ReadHeaders;
  private app: RoutedApp | undefined;
  /** The one that was applied to the request. */
  private policy: EdgePolicy | undefined;
  private exchange: Exchange | undefined;
  private attempts = 0;
  /** The targets that did not answer. */
  private tried: Upstream[] = NONE;
  private upstream: Upstream | undefined;
  private timeoutMs: number | undefined;
  private timer: unknown;
  /** Counted as an open request of the app. */
  private isOpen = false;
  private isEnded = false;

  constructor(
    deps: VisitDeps,
    request: IncomingMessage,
    response: ServerResponse,
    from: VisitorConnection,
    tunnel?: { socket: Socket; head: Buffer },
  ) {
    this.deps = deps;
    this.request = request;
    this.response = response;
    this.tunnel = tunnel;
    this.startedAt = deps.clock.now();
    this.isHttp2 = request.httpVersionMajor === 2;
    this.method = request.method ?? 'GET';
    this.headers = this.isHttp2
      ? readHttp2Headers(request as unknown as Http2ServerRequest, from.isProxied)
      : readHeaders(request.rawHeaders, from.isProxied);
    this.expectsContinue = this.headers.expectsContinue;
    const target = requestTarget(request.url ?? '/', this.headers.host);
    this.authority = target.authority;
    this.path = target.path;
    this.host = hostName(target.authority);
    this.from = from;
    this.connection = from.isProxied
      ? proxiedConnection(request, from, deps.isTrustedProxy)
      : { address: from.address, protocol: from.scheme };
  }

  get scheme(): Connection['protocol'] {
    return this.connection.protocol;
  }

  get isSchemeForwarded(): boolean {
    return this.from.isProxied && this.request.headers['x-forwarded-proto'] !== undefined;
  }

  get appId(): string {
    return this.app?.id ?? '';
  }

  get connectMs(): number {
    return this.hasOtherTarget() ? LIMITS.connectMsBesideOthers : LIMITS.connectMs;
  }

  get silenceMs(): number | undefined {
    const { timeoutMs, deps } = this;
    return timeoutMs === undefined ? undefined : Math.max(timeoutMs, deps.limits.idleMs) + 1_000;
  }

  get uploads(): UploadWatch {
    return this.deps.uploads;
  }

  get framing() {
    return this.headers.framing;
  }

  /** Forwards the request to its app, holds it until the app is ready, or responds with an error. */
  start(): void {
    const { response, deps, tunnel } = this;
    const emitter: Owned<Socket> | Owned<ServerResponse> = tunnel?.socket ?? response;
    emitter.visit = this;
    this.from.openRequests += 1;
    emitter.on('close', onClose);
    // A visitor may disconnect during a write. A close follows.
    response.on('error', ignore);
    if (this.framing.kind === 'unsupported') this.fail('unsupported');
    else if (this.headers.hosts !== 1) this.fail('bad-request');
    else this.enter(deps.routes.lookup(this.host));
  }

  /** Sends or holds the request, as the route says now. */
  retry(): void {
    if (this.isEnded) return;
    const app = this.deps.routes.lookup(this.host);
    if (app === undefined) {
      this.fail('unknown');
      return;
    }
    // A held request must not slip past settings, or into an app, that came later.
    if (app !== this.app || app.policy !== this.policy) {
      this.admit(app);
      return;
    }
    const { state } = app;
    switch (state.kind) {
      case 'live':
        if (app.upstreams.length === 0) this.hold(app, false);
        else this.forward(app);
        break;
      case 'starting':
        this.hold(app, false);
        break;
      case 'hibernated':
        if (state.wakesOnRequest) this.hold(app, true);
        else this.fail('hibernated');
        break;
      case 'failed':
        this.fail('failed');
    }
  }

  head(): string {
    const { method, path, authority, headers, connection } = this;
    const isUpgrade = this.tunnel !== undefined;
    return requestHead({ method, path, authority, headers, connection, isUpgrade });
  }

  onUnanswered(reason: 'failed' | 'timed-out', nothingSent: boolean): void {
    if (this.isEnded) return;
    if (reason === 'failed') this.avoidUpstream();
    const mayRepeat = nothingSent || (this.isRepeatable() && this.attempts < 2);
    if (reason === 'timed-out') this.fail('timed-out');
    else if (mayRepeat && this.attempts < this.maxAttempts()) this.retry();
    else this.fail('unreachable');
  }

  onSent(): void {
    const { timeoutMs, request } = this;
    if (timeoutMs === undefined) return;
    // The visitor's connection may be silent for as long as the app.
    if (!this.isHttp2 && this.silenceMs) request.socket.setTimeout(this.silenceMs + 1_000);
    this.timer ??= this.deps.clock.setTimeout(() => this.onTimeout(), timeoutMs);
  }

  fail(code: ProxyErrorCode): void {
    const { request, response } = this;
    this.exchange?.abort();
    if (!response.headersSent) {
      this.bytesOut = sendErrorResponse(request, response, code, this.authority);
    } else if (!response.writableEnded) {
      abortResponse(this);
    }
    if (hasBody(this.framing)) drainRequest(request);
  }

  onTunnelEnd(): void {
    this.end();
  }

  /** The visitor's connection is closed, or the response is sent. */
  onClose(): void {
    if (this.tunnel !== undefined && this.status === 101) return;
    this.end();
  }

  private end(): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.from.openRequests -= 1;
    const { app, deps, response } = this;
    this.exchange?.abort();
    if (this.deadline > 0) deps.heldRequests.drop(this);
    if (this.timer !== undefined) deps.clock.clearTimeout(this.timer);
    if (app === undefined) return;
    this.leave();
    if (this.status === 0 && response.headersSent) this.status = response.statusCode;
    deps.onRequestEnd?.(this);
  }

  /** A request that the edge answers itself neither wakes the app nor keeps it awake. */
  private enter(app: RoutedApp | undefined): void {
    const { intercept } = this.deps;
    const response = intercept?.(this, app);
    if (!response?.isOwn) this.app = app;
    if (response !== undefined) this.follow(response);
    else if (app === undefined) this.fail('unknown');
    else this.admit(app);
  }

  /** Applies the settings of the app. */
  private admit(app: RoutedApp): void {
    const { decide } = this.deps;
    if (app !== this.app) this.leave();
    this.app = app;
    this.policy = app.policy;
    if (app.policy !== undefined && decide !== undefined) this.decide(app.policy, decide);
    else this.follow(undefined);
  }

  private open(app: RoutedApp): void {
    if (!this.isOpen) app.openRequests += 1;
    this.isOpen = true;
    this.retry();
  }

  private leave(): void {
    if (!this.isOpen || this.app === undefined) return;
    this.isOpen = false;
    this.app.openRequests -= 1;
    this.app.lastActiveAt = this.deps.clock.now();
  }

  private decide(policy: EdgePolicy, decide: Decide): void {
    const { method, host, path, connection, request } = this;
    const { address, protocol: scheme } = connection;
    const { headers } = request;
    const verdict = decide(policy, { method, host, path, scheme, address, headers });
    if (!(verdict instanceof Promise)) {
      this.follow(verdict);
      return;
    }
    verdict.then(
      (decided) => this.follow(decided),
      () => this.fail('unreachable'),
    );
  }

  private follow(verdict: Verdict | undefined): void {
    if (this.isEnded) return;
    if (verdict?.kind === 'respond') {
      const length = Buffer.byteLength(verdict.body);
      this.response.writeHead(verdict.status, { 'Content-Length': length, ...verdict.headers });
      this.response.end(verdict.body);
      this.bytesOut = this.method === 'HEAD' ? 0 : length;
      if (hasBody(this.framing)) drainRequest(this.request);
      return;
    }
    this.timeoutMs = verdict?.timeoutMs;
    this.responseHeaders = verdict?.responseHeaders;
    this.maxBodyBytes = verdict?.maxBodyBytes ?? Number.POSITIVE_INFINITY;
    if (verdict?.dropsAuthorization) {
      const { rawHeaders } = this.request;
      const { lines } = readHeaders(rawHeaders, this.from.isProxied, new Set(['authorization']));
      this.headers = { ...this.headers, lines };
    }
    const { framing, app } = this;
    if (framing.kind === 'length' && Number(framing.length) > this.maxBodyBytes) {
      this.fail('too-large');
    } else if (app !== undefined) {
      this.open(app);
    }
  }

  private hold(app: RoutedApp, isHibernated: boolean): void {
    const { clock, limits, heldRequests, wakeRequests } = this.deps;
    if (this.deadline === 0) this.deadline = clock.now() + holdTimeoutMs(this.request, limits);
    if (!heldRequests.hold(this)) this.fail('busy');
    else if (isHibernated) wakeRequests.request(app.id);
  }

  private forward(app: RoutedApp): void {
    const { clock, limits } = this.deps;
    const now = clock.now();
    const maxRequests = limits.inFlightPerTarget;
    const isSticky = this.policy?.stickySessions === true;
    const visitor = { cookies: this.request.headers.cookie, scheme: this.scheme };
    const isNamed = isSticky && this.attempts === 0;
    const named = isNamed ? stickyTarget(app, visitor, { now, maxRequests }) : undefined;
    const { upstreams, turn } = app;
    const index = named ?? chooseUpstream({ upstreams, turn, tried: this.tried, now, maxRequests });
    const upstream = app.upstreams[index];
    if (upstream === undefined) {
      this.fail('busy');
      return;
    }
    this.attempts += 1;
    this.upstream = upstream;
    app.turn = index;
    if (isSticky) this.cookie = stickyCookie(app, index, visitor);
    // A request that cannot be repeated never uses a kept connection: the app may be closing it at that moment, and
    // then it is unknown whether the app received the request.
    const mayReuse = this.attempts === 1 && this.tunnel === undefined && this.isRepeatable();
    this.exchange = new Exchange(this, upstream, mayReuse);
  }

  /** Other requests avoid the target for a moment, and this one until there is no other. */
  private avoidUpstream(): void {
    const { upstream } = this;
    if (upstream === undefined) return;
    this.tried = [...this.tried, upstream];
    upstream.avoid(AVOIDED_MS);
  }

  /** Another attempt may follow, with a target that has not failed. */
  private hasOtherTarget(): boolean {
    const { app, upstream, tried, deps } = this;
    if (app === undefined || this.attempts >= this.maxAttempts()) return false;
    const now = deps.clock.now();
    return app.upstreams.some(
      (it) => it !== upstream && !tried.includes(it) && it.avoidedUntil <= now,
    );
  }

  private isRepeatable(): boolean {
    return REPEATABLE.has(this.method) && !hasBody(this.framing);
  }

  private maxAttempts(): number {
    return Math.min(MAX_ATTEMPTS, Math.max(2, this.app?.upstreams.length ?? 0));
  }

  private onTimeout(): void {
    if (!this.response.headersSent) this.fail('timed-out');
  }
}

function onClose(this: Owned<ServerResponse> | Owned<Socket>): void {
  this.visit?.onClose();
}

function ignore(): void {}
