import {
  type AppResource,
  type EdgeSettings,
  foreignRedirectProblem,
  ownHosts,
  parseEdgeSettings,
} from '@longshore/contract';
import { MESSAGES } from '../messages.ts';

export type PairRow = { id: number; first: string; second: string };

/** The setting `forceHttps`: absent, true or false. */
export type HttpsRedirect = 'automatic' | 'always' | 'never';

/** The fields of the form. */
export type TrafficDraft = {
  maintenance: boolean;
  hasPassword: boolean;
  username: string;
  /** Empty: the stored one stays. */
  password: string;
  /** One address or network per line. */
  allowedIps: string;
  redirects: PairRow[];
  headers: PairRow[];
  maxBodyMb: string;
  timeoutSeconds: string;
  stickySessions: boolean;
  httpsRedirect: HttpsRedirect;
  hsts: boolean;
};

export type TrafficProblems = Partial<
  Record<
    | 'username'
    | 'password'
    | 'allowedIps'
    | 'redirects'
    | 'headers'
    | 'maxBodyMb'
    | 'timeoutSeconds'
    | 'form',
    string
  >
>;

export function draftFromEdge(edge: EdgeSettings = {}): TrafficDraft {
  const { basicAuth, allowedIps = [], redirects = [], headers = {} } = edge;
  return {
    maintenance: edge.maintenance === true,
    hasPassword: basicAuth !== undefined,
    username: basicAuth?.username ?? '',
    password: '',
    allowedIps: allowedIps.join('\n'),
    redirects: rowsOf(redirects.map(({ from, to }) => [from, to])),
    headers: rowsOf(Object.entries(headers)),
    maxBodyMb: String(edge.maxBodyMb ?? ''),
    timeoutSeconds: String(edge.timeoutSeconds ?? ''),
    stickySessions: edge.stickySessions === true,
    httpsRedirect: httpsRedirectOf(edge),
    hsts: edge.hsts === true,
  };
}

export function httpsRedirectOf({ forceHttps }: EdgeSettings): HttpsRedirect {
  if (forceHttps === undefined) return 'automatic';
  return forceHttps ? 'always' : 'never';
}

/** Undefined: every setting has its default. */
export function edgeFromDraft(draft: TrafficDraft): EdgeSettings | undefined {
  const { username, password, hasPassword, maintenance, stickySessions, hsts } = draft;
  const allowedIps = draft.allowedIps.split(/[\s,]+/).filter((entry) => entry !== '');
  const redirects = filled(draft.redirects).map(({ first, second }) => ({
    from: first,
    to: second.trim(),
  }));
  const headers = filled(draft.headers).map(({ first, second }) => [first.trim(), second.trim()]);
  const edge: EdgeSettings = {
    ...(maintenance && { maintenance }),
    ...(hasPassword && { basicAuth: { username, ...(password !== '' && { password }) } }),
    ...(allowedIps.length > 0 && { allowedIps }),
    ...(redirects.length > 0 && { redirects }),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(draft.maxBodyMb.trim() !== '' && { maxBodyMb: Number(draft.maxBodyMb) }),
    ...(draft.timeoutSeconds.trim() !== '' && { timeoutSeconds: Number(draft.timeoutSeconds) }),
    ...(stickySessions && { stickySessions }),
    ...(draft.httpsRedirect !== 'automatic' && { forceHttps: draft.httpsRedirect === 'always' }),
    ...(hsts && { hsts }),
  };
  return Object.keys(edge).length === 0 ? undefined : edge;
}

/** The problems that the server would find, each at its field. */
export function trafficProblems(
  draft: TrafficDraft,
  app: AppResource,
  baseDomain: string,
): TrafficProblems {
  const edge = edgeFromDraft(draft) ?? {};
  const problems: TrafficProblems = {};
  for (const [key, value] of Object.entries(edge)) {
    const parsed = parseEdgeSettings({ [key]: value }, app.values.edge);
    if (!parsed.ok) Object.assign(problems, problemAt(parsed.field, parsed.message));
  }
  const names = filled(draft.headers).map(({ first }) => first.trim().toLowerCase());
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) problems.headers ??= MESSAGES.listedTwice(repeated);
  const stored = (app.values.edge?.redirects ?? []).map(({ from }) => from);
  const foreign = foreignRedirectProblem(edge.redirects ?? [], hostsOf(app, baseDomain), stored);
  if (foreign !== undefined) problems.redirects ??= foreign;
  return problems;
}

/** The server's refusal, at its field if the form has it. */
export function refusalProblem(message: string): TrafficProblems {
  const [, field, text] = /^values\.(edge[^:]*): (.*)$/s.exec(message) ?? [];
  return field === undefined || text === undefined ? { form: message } : problemAt(field, text);
}

/** The hosts that the app can redirect. */
export function hostsOf({ id, values }: AppResource, baseDomain: string): string[] {
  return ownHosts({ ...values, id }, baseDomain);
}

function problemAt(field: string, message: string): TrafficProblems {
  const [, key = '', ...rest] = field.split('.');
  if (key === 'headers' && rest.length > 0) return { headers: `${rest.join('.')}: ${message}` };
  if (key === 'basicAuth')
    return rest[0] === 'password' ? { password: message } : { username: message };
  const isField = ['allowedIps', 'redirects', 'headers', 'maxBodyMb', 'timeoutSeconds'].includes(
    key,
  );
  return isField ? { [key]: message } : { form: message };
}

function rowsOf(pairs: [string, string][]): PairRow[] {
  return pairs.map(([first, second], id) => ({ id, first, second }));
}

/** Rows that were added and left empty do not count. */
function filled(rows: PairRow[]): PairRow[] {
  return rows.filter(({ first, second }) => first.trim() !== '' || second.trim() !== '');
}
