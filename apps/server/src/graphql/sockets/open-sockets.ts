import type { SessionEnd } from '../../db/change.ts';

/** The session that a signed-in caller's socket depends on. */
export type SocketSession = { userId: string; sessionId: string | undefined };

export type OpenSocket = {
  /** The id of the user, or the address of an unauthenticated client. */
  owner: string;
  session: SocketSession | undefined;
  close: (why: 'session-ended' | 'unknown') => void;
};

export type OpenSockets = {
  /** Returns how to remove it, or undefined if its owner has too many. */
  add(socket: OpenSocket): (() => void) | undefined;
  /** Closes the sockets of a session, or all sockets of the user. */
  closeSession(session: SessionEnd): void;
  /** Closes the sockets of ended sessions, for when notifications may have been missed. */
  recheck(isSignedIn: (session: SocketSession) => Promise<boolean>): Promise<void>;
};

/** More than the tabs of a person, fewer than a client opens that reconnects in a loop. */
const MAX_PER_OWNER = 50;

export function createOpenSockets(): OpenSockets {
  const byOwner = new Map<string, Set<OpenSocket>>();
  return {
    add(socket) {
      const { owner } = socket;
      const sockets = byOwner.get(owner) ?? new Set();
      if (sockets.size >= MAX_PER_OWNER) return undefined;
      byOwner.set(owner, sockets.add(socket));
      return () => {
        sockets.delete(socket);
        if (sockets.size === 0 && byOwner.get(owner) === sockets) byOwner.delete(owner);
      };
    },
    closeSession({ userId, sessionId }) {
      for (const { session, close } of byOwner.get(userId) ?? []) {
        if (sessionId === undefined || session?.sessionId === sessionId) close('session-ended');
      }
    },
    async recheck(isSignedIn) {
      for (const { session, close } of [...byOwner.values()].flatMap((sockets) => [...sockets])) {
        if (session === undefined) continue;
        try {
          if (!(await isSignedIn(session))) close('session-ended');
        } catch {
          close('unknown');
        }
      }
    },
  };
}
