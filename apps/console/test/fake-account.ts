import type { Account, AuthState, Flow, RequestResult, Store } from '@longshore/client';
import type {
  ActiveSession,
  PersonalAccessToken,
  ProofOption,
  SecurityEvent,
  SecurityKey,
} from '@longshore/contract';
import { failure } from './failure.ts';
import { aUser } from './resources.ts';

const AT = '2025-01-01T00:00:00Z';

export const FAKE_PASSWORD = 'correct horse';

/** The only code of the authenticator app that the fake accepts. */
export const FAKE_CODE = '123456';

type FakeAccountDeps = {
  auth: Store<AuthState>;
  /** The message that every request fails with, if there is one. */
  failureMessage(): string | undefined;
};

/** An account in memory. */
export function createFakeAccount({ auth, failureMessage }: FakeAccountDeps) {
  const keys: SecurityKey[] = [];
  const tokens: PersonalAccessToken[] = [];
  const sessions: ActiveSession[] = [];
  const events: SecurityEvent[] = [];
  const recoveryCodes: string[] = [];
  const mails: string[] = [];
  const newPasswords: string[] = [];

  async function unlessFailing<Data>(run: () => Data): Promise<RequestResult<Data>> {
    const message = failureMessage();
    return message === undefined ? { ok: true, data: run() } : failure(message);
  }
  function recordedFlow<Request>(list: string[], textOf: (request: Request) => string) {
    return {
      request: (request: Request) => unlessFailing(() => void list.push(textOf(request))),
    } as Flow<Request>;
  }
  async function withCode(code: string, activeMfaType: 'totp' | null) {
    if (code !== FAKE_CODE && !recoveryCodes.includes(code)) return wrongCode();
    recoveryCodes.length = 0;
    const user = aUser({ activeMfaType });
    auth.set({ kind: 'signed-in', user, accessToken: 'token' });
    return { ok: true as const, data: undefined };
  }

  function generateRecoveryCodes() {
    const codes = Array.from({ length: 10 }, (_, at) => `2345-6789-ABC${at + 2}`);
    recoveryCodes.splice(0, recoveryCodes.length, ...codes);
    return codes;
  }

  /** Set to options to make the proof of identity too old. */
  const proof: { options: ProofOption[] | undefined } = { options: undefined };
  const mailedCodes: string[] = [];

  /** Sensitive requests fail until the user has proved their identity. */
  async function ifProved<Data>(run: () => Data): Promise<RequestResult<Data>> {
    if (proof.options === undefined) return await unlessFailing(run);
    return failure('Confirm your identity', 'reauthentication-required');
  }
  async function proveIf(isRight: boolean): Promise<RequestResult<undefined>> {
    if (!isRight) return failure('Wrong proof', 'proof-not-accepted');
    proof.options = undefined;
    return { ok: true, data: undefined };
  }

  const service = {
    proofStatus: () =>
      unlessFailing(() => ({
        isFresh: proof.options === undefined,
        options: proof.options ?? [],
      })),
    proveByPassword: (password) => proveIf(password === FAKE_PASSWORD),
    proveByTotp: (code) => proveIf(code === FAKE_CODE),
    proveBySecurityKey: () => proveIf(true),
    sendProofCode: () => unlessFailing(() => void mailedCodes.push(FAKE_CODE)),
    proveByEmailCode: (code) => proveIf(mailedCodes.includes(code)),
    currentUser: () => unlessFailing(() => aUser()),
    listSecurityKeys: () => unlessFailing(() => [...keys]),
    addSecurityKey: (nickname = '') =>
      unlessFailing(() => {
        keys.push({ id: nickname, nickname, createdAt: AT });
        return { id: nickname, nickname };
      }),
    removeSecurityKey: (id) => unlessFailing(() => remove(keys, id)),
    generateTotp: () =>
      unlessFailing(() => ({ imageUrl: 'data:image/png;base64,AA==', totpSecret: 'ABCDEFGH' })),
    activateTotp: (code) => withCode(code, 'totp'),
    deactivateTotp: (code) => withCode(code, null),
    countRecoveryCodes: () => unlessFailing(() => recoveryCodes.length),
    generateRecoveryCodes: async (code) =>
      code === FAKE_CODE ? unlessFailing(generateRecoveryCodes) : wrongCode(),
    listPersonalAccessTokens: () => ifProved(() => [...tokens]),
    createPersonalAccessToken: ({ expiresAt, metadata }) =>
      ifProved(() => {
        const id = String(metadata?.name);
        const times = { createdAt: AT, lastUsedAt: null, expiresAt: expiresAt.toISOString() };
        tokens.push({ id, metadata, ...times });
        return { id, personalAccessToken: `token of ${id}` };
      }),
    revokePersonalAccessToken: (id) => unlessFailing(() => remove(tokens, id)),
    listSessions: () => unlessFailing(() => [...sessions]),
    revokeSession: (id) => unlessFailing(() => remove(sessions, id)),
    listSecurityEvents: () => unlessFailing(() => [...events]),
    sendVerificationEmail: recordedFlow(mails, ({ email }) => email),
    resetPassword: recordedFlow(mails, ({ email }) => email),
    changePassword: {
      request: ({ newPassword }) => ifProved(() => void newPasswords.push(newPassword)),
    } as Account['changePassword'],
  } satisfies Partial<Account> as Account;
  return { service, proof, keys, tokens, sessions, events, recoveryCodes, mails, newPasswords };
}

function wrongCode() {
  return failure('Wrong code', 'invalid-totp');
}

function remove(rows: { id: string }[], id: string): undefined {
  rows.splice(
    rows.findIndex((row) => row.id === id),
    1,
  );
}
