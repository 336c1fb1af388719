import type { Clock } from '@longshore/edge-contract';
import type { ProxyErrorCode } from './error-responses.ts';

/** A request that waits for its app. `retry` routes it again; `fail` ends it. */
export type HeldRequest = {
  appId: string;
  deadline: number;
  retry(): void;
  fail(code: ProxyErrorCode): void;
};

/** Requests for apps that are not ready yet. Their bodies are not read while they are held. */
export type HeldRequests = {
  /** Returns false when too many requests are held already. */
  hold(request: HeldRequest): boolean;
  /** For a request whose client disconnected. */
  drop(request: HeldRequest): void;
  /** Routes the held requests of an app again, after its route changed. */
  retryAll(appId: string): void;
  /** Ends the held requests of an app with this error. */
  failAll(appId: string, code: ProxyErrorCode): void;
  /** Ends all held requests. */
  stop(): void;
};

type HeldRequestsDeps = { clock: Clock; heldPerApp: number; heldTotal: number };

export function createHeldRequests(deps: HeldRequestsDeps): HeldRequests {
  const { clock, heldPerApp, heldTotal } = deps;
  const timers = new Map<HeldRequest, unknown>();
  const requestsByApp = new Map<string, Set<HeldRequest>>();

  function drop(request: HeldRequest): void {
    if (!timers.has(request)) return;
    clock.clearTimeout(timers.get(request));
    timers.delete(request);
    const ofApp = requestsByApp.get(request.appId);
    ofApp?.delete(request);
    if (ofApp?.size === 0) requestsByApp.delete(request.appId);
  }

  function expire(request: HeldRequest): void {
    drop(request);
    request.fail('starting');
  }

  /** Removed from the list first: a request may be held again. */
  function dropAll(appId: string): HeldRequest[] {
    const requests = [...(requestsByApp.get(appId) ?? [])];
    for (const request of requests) drop(request);
    return requests;
  }

  return {
    hold(request) {
      const ofApp = requestsByApp.get(request.appId) ?? new Set();
      if (ofApp.size >= heldPerApp || timers.size >= heldTotal) return false;
      requestsByApp.set(request.appId, ofApp.add(request));
      const remainingMs = Math.max(0, request.deadline - clock.now());
      timers.set(
        request,
        clock.setTimeout(() => expire(request), remainingMs),
      );
      return true;
    },
    drop,
    retryAll(appId) {
      for (const request of dropAll(appId)) request.retry();
    },
    failAll(appId, code) {
      for (const request of dropAll(appId)) request.fail(code);
    },
    stop() {
      for (const request of [...timers.keys()]) expire(request);
    },
  };
}
