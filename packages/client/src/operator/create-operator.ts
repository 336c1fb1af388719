import {
  type AuditPage,
  type CertificateWarning,
  type Invitation,
  isAuditPage,
  isCertificateWarnings,
  isInvitation,
  isNewInvitation,
  isRecord,
  isSignUpState,
  isSystemHealth,
  isUserPage,
  type NewInvitation,
  OPERATOR_PATHS,
  type SignUpMode,
  type SignUpState,
  type SystemHealth,
  type UserPage,
  type UserQuotas,
} from '@longshore/contract';
import { fillPath } from '../account/fill-path.ts';
import { type CallDeps, call } from '../http/call.ts';
import { failure, type RequestResult } from '../http/request-result.ts';

type Options = { signal?: AbortSignal };

/** The API of the operator page. For other users, every call fails with status 404. */
export type OperatorService = {
  signUp(options?: Options): Promise<RequestResult<SignUpState>>;
  changeSignUp(rule: { mode: SignUpMode; domains: string[] }): Promise<RequestResult<SignUpState>>;
  invitations(options?: Options): Promise<RequestResult<Invitation[]>>;
  invite(email: string): Promise<RequestResult<NewInvitation>>;
  sendInvitation(id: string): Promise<RequestResult<NewInvitation>>;
  revokeInvitation(id: string): Promise<RequestResult<unknown>>;
  users(query: { search: string; page: number } & Options): Promise<RequestResult<UserPage>>;
  changeQuotas(change: { userId: string; quotas: UserQuotas }): Promise<RequestResult<unknown>>;
  disableUser(userId: string): Promise<RequestResult<unknown>>;
  enableUser(userId: string): Promise<RequestResult<unknown>>;
  health(options?: Options): Promise<RequestResult<SystemHealth>>;
  /** Certificates that failed or expire soon. */
  certificates(options?: Options): Promise<RequestResult<CertificateWarning[]>>;
  events(
    query: { kind: string; user: string; before: string } & Options,
  ): Promise<RequestResult<AuditPage>>;
};

type Guard<Data> = (value: unknown) => value is Data;

export function createOperator(deps: CallDeps): OperatorService {
  const { signUp, invitations, invitation, sendInvitation, users, health, events } = OPERATOR_PATHS;
  const get = <Data>(path: string, guard: Guard<Data>, signal: AbortSignal | undefined) =>
    call(deps, { path, init: {}, signal, read: (response) => read(response, guard) });
  const send = <Data>(method: string, path: string, guard: Guard<Data>, body?: unknown) =>
    call(deps, {
      path,
      init: { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) },
      read: (response) => read(response, guard),
    });
  return {
    signUp: ({ signal } = {}) => get(signUp, isSignUpState, signal),
    changeSignUp: (rule) => send('PUT', signUp, isSignUpState, rule),
    async invitations({ signal } = {}) {
      const result = await get(invitations, isInvitationList, signal);
      return result.ok ? { ok: true, data: result.data.invitations } : result;
    },
    invite: (email) => send('POST', invitations, isNewInvitation, { email }),
    sendInvitation: (id) => send('POST', fillPath(sendInvitation, id), isNewInvitation),
    revokeInvitation: (id) => send('DELETE', fillPath(invitation, id), isAnything),
    users({ search, page, signal }) {
      const query = new URLSearchParams({ search, page: String(page) });
      return get(`${users}?${query}`, isUserPage, signal);
    },
    changeQuotas: ({ userId, quotas }) =>
      send('PUT', fillPath(OPERATOR_PATHS.userQuotas, userId), isAnything, quotas),
    disableUser: (id) => send('POST', fillPath(OPERATOR_PATHS.disableUser, id), isAnything),
    enableUser: (id) => send('POST', fillPath(OPERATOR_PATHS.enableUser, id), isAnything),
    health: ({ signal } = {}) => get(health, isSystemHealth, signal),
    certificates: ({ signal } = {}) =>
      get(OPERATOR_PATHS.certificates, isCertificateWarnings, signal),
    events({ signal, ...query }) {
      return get(`${events}?${new URLSearchParams(query)}`, isAuditPage, signal);
    },
  };
}

function isAnything(value: unknown): value is unknown {
  return value !== undefined;
}

function isInvitationList(value: unknown): value is { invitations: Invitation[] } {
  return (
    isRecord(value) && Array.isArray(value.invitations) && value.invitations.every(isInvitation)
  );
}

async function read<Data>(response: Response, guard: Guard<Data>): Promise<RequestResult<Data>> {
  const body: unknown = await response.json().catch(() => undefined);
  const { status } = response;
  if (response.ok && guard(body)) return { ok: true, data: body };
  if (!response.ok && isRecord(body) && typeof body.message === 'string') {
    const error = typeof body.error === 'string' ? body.error : 'unknown';
    return failure({ status, error, message: body.message });
  }
  return failure({ status: 502, error: 'unknown', message: 'Unexpected response from the server' });
}
