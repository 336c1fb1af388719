import type { Change, SessionEnd } from '../db/change.ts';
import type { TokenSession } from './is-signed-in.ts';
import type { RefreshTokens } from './refresh-tokens/refresh-tokens.ts';

export type LiveSessions = {
  /** Whether the session exists. Sessions that were looked up before are known until they end. */
  has(session: TokenSession): Promise<boolean>;
  /** Calls back when the session ends, also if it ended before. Returns how to stop that. */
  onEnd(session: TokenSession, callback: () => void): () => void;
  /** Looks the sessions up again before they are used. */
  forget(end: SessionEnd): void;
};

export type LiveSessionDeps = {
  /** Looks the session up in the database. */
  isSignedIn(session: TokenSession): Promise<boolean>;
  listen(listener: (change: Change) => void): () => void;
  logError(error: unknown): void;
};

const MAX_KNOWN = 10_000;

type Waiting = { session: TokenSession; callback: () => void };

/**
 * Sessions in use. The database announces the end of a session, so plain reads need no query to find out whether the
 * session of their access token still exists.
 */
export function createLiveSessions({
  isSignedIn,
  listen,
  logError,
}: LiveSessionDeps): LiveSessions {
  const userIds = new Map<string, string>();
  const waiting = new Set<Waiting>();
  /** Grows with each end, so that a lookup that was overtaken by one is not remembered. */
  let ends = 0;
  listen((change) => {
    if (change.kind === 'session-end') end(change.end);
    if (change.kind === 'missed') {
      forgetAll();
      recheck([...waiting]).catch(logError);
    }
  });
  return {
    async has(session) {
      const { userId, sessionId } = session;
      if (sessionId !== undefined && userIds.get(sessionId) === userId) return true;
      const endsBefore = ends;
      const isFound = await isSignedIn(session);
      if (isFound && sessionId !== undefined && endsBefore === ends) {
        if (userIds.size >= MAX_KNOWN) userIds.clear();
        userIds.set(sessionId, userId);
      }
      return isFound;
    },
    onEnd(session, callback) {
      const entry = { session, callback };
      waiting.add(entry);
      // It may have ended since the caller looked it up, and that end is not announced again.
      recheck([entry]).catch(logError);
      return () => void waiting.delete(entry);
    },
    forget,
  };

  function forget({ userId, sessionId }: SessionEnd): void {
    ends += 1;
    for (const [id, owner] of userIds) {
      if (owner === userId && (sessionId === undefined || id === sessionId)) userIds.delete(id);
    }
  }

  function forgetAll(): void {
    ends += 1;
    userIds.clear();
  }

  function end({ userId, sessionId }: SessionEnd): void {
    forget({ userId, ...(sessionId === undefined ? {} : { sessionId }) });
    for (const { session, callback } of waiting) {
      const isEnded =
        session.userId === userId && (sessionId === undefined || session.sessionId === sessionId);
      if (isEnded) callback();
    }
  }

  /** For when notifications may have been missed. A session that cannot be looked up counts as ended. */
  async function recheck(entries: readonly Waiting[]): Promise<void> {
    for (const entry of entries) {
      const isLive = await isSignedIn(entry.session).catch((error: unknown) => {
        if (waiting.has(entry)) logError(error);
        return false;
      });
      if (!isLive && waiting.has(entry)) entry.callback();
    }
  }
}

/** The notification of an end that this process causes may arrive after the response. */
export function forgettingRefreshTokens(
  refreshTokens: RefreshTokens,
  { forget }: Pick<LiveSessions, 'forget'>,
): RefreshTokens {
  return {
    ...refreshTokens,
    async rotate(token, client) {
      const rotation = await refreshTokens.rotate(token, client);
      if (rotation.kind === 'reused') forget({ userId: rotation.userId });
      return rotation;
    },
    async revoke(token) {
      const userId = await refreshTokens.revoke(token);
      if (userId !== undefined) forget({ userId });
      return userId;
    },
    async revokeAll(userId) {
      await refreshTokens.revokeAll(userId);
      forget({ userId });
    },
    async revokeOthers(userId, sessionId) {
      await refreshTokens.revokeOthers(userId, sessionId);
      forget({ userId });
    },
    async revokeOtherSignIns(userId, sessionId) {
      await refreshTokens.revokeOtherSignIns(userId, sessionId);
      forget({ userId });
    },
    async revokeSession(userId, sessionId) {
      const isRevoked = await refreshTokens.revokeSession(userId, sessionId);
      forget({ userId, sessionId });
      return isRevoked;
    },
  };
}
