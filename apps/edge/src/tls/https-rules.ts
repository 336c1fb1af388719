import { CONSOLE_ID, type StateChange } from '@longshore/edge-contract';
import type { Intercept } from '../proxy/visit.ts';
import type { CertificateStore } from './certificate-store.ts';

const CHALLENGE_PATH = '/.well-known/acme-challenge/';
const DEFAULT_PORT = 443;

/** Responses that come before all settings of an app: to certificate authorities, and redirects to HTTPS. */
export type HttpsRules = {
  apply(change: Pick<StateChange, 'settings' | 'challenges' | 'removedChallenges'>): void;
  respond: Intercept;
};

type Request = Parameters<Intercept>[0];
type App = Parameters<Intercept>[1];
type Response = ReturnType<Intercept>;

export function createHttpsRules(certificates: Pick<CertificateStore, 'has' | 'size'>): HttpsRules {
  const challenges = new Map<string, string>();
  let httpsPort: number | undefined;
  let consolePort: number | undefined;

  function challengeResponse({ method, path }: Request): Response {
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    const [token = ''] = path.slice(CHALLENGE_PATH.length).split('?');
    const body = challenges.get(token);
    if (body === undefined) return undefined;
    const headers = { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' };
    return { kind: 'respond', status: 200, headers, body, isOwn: true };
  }

  function redirect({ host, path }: Request, port: number): Response {
    const authority = port === DEFAULT_PORT ? host : `${host}:${port}`;
    const url = `https://${authority}${path.startsWith('/') ? path : '/'}`;
    const headers = { Location: url, 'Cache-Control': 'no-store' };
    return { kind: 'respond', status: 308, headers, body: '' };
  }

  /** Where the visitor has to use HTTPS. Undefined: HTTP is allowed. */
  function requiredPort(request: Request, app: App): number | undefined {
    if (request.scheme === 'https' || app === undefined) return undefined;
    // Passwords are never sent in plain text, not even before there is a certificate.
    if (app.id === CONSOLE_ID) return consolePort ?? DEFAULT_PORT;
    const forceHttps = app.policy?.forceHttps;
    if (forceHttps === false) return undefined;
    if (httpsPort !== undefined && certificates.size > 0 && certificates.has(request.host)) {
      return httpsPort;
    }
    return forceHttps && request.isSchemeForwarded ? DEFAULT_PORT : undefined;
  }

  return {
    apply({ settings, challenges: added = {}, removedChallenges = [] }) {
      if (settings !== undefined) ({ publicHttpsPort: httpsPort, consolePort } = settings);
      for (const token of removedChallenges) challenges.delete(token);
      for (const [token, response] of Object.entries(added)) challenges.set(token, response);
    },
    respond(request, app) {
      const isChallenge = challenges.size > 0 && request.path.startsWith(CHALLENGE_PATH);
      const response = isChallenge ? challengeResponse(request) : undefined;
      if (response !== undefined) return response;
      const port = requiredPort(request, app);
      return port === undefined ? undefined : redirect(request, port);
    },
  };
}
