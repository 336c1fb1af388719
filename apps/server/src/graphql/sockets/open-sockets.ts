import type { SessionEnd } from '../../db/change.ts';

/** What a signed-in caller's socket depends on. */
export type SocketSession = { userId: string; sessionId: string | undefined };

/** An open socket. Whose it is: a user's, or somebody's at an address. */
export type Present = {
  whose: string;
  session: SocketSession | undefined;
  leave: (why: 'session-over' | 'unknown') => void;
};

export type Roster = {
  /** Answers how to strike it off, or nothing when there are too many of the same already. */
  enter(present: Present): (() => void) | undefined;
  /** Sends the sockets of a session away, or all of the user's. */
  end(session: SessionEnd): void;
  /** Sends those away whose session is over, after ends may have gone by untold. */
  recheck(isSignedIn: (session: SocketSession) => Promise<boolean>): Promise<void>;
};

/** More than any person's tabs, fewer than a broken loop opens. */
const MAX_EACH = 50;

/** Who is connected. */
export function createRoster(): Roster {
  const sockets = new Map<string, Set<Present>>();
  return {
    enter(present) {
      const own = sockets.get(present.whose) ?? new Set();
      if (own.size >= MAX_EACH) return undefined;
      sockets.set(present.whose, own.add(present));
      return () => {
        own.delete(present);
        if (own.size === 0 && sockets.get(present.whose) === own) sockets.delete(present.whose);
      };
    },
    end({ userId, sessionId }) {
      for (const { session, leave } of sockets.get(userId) ?? []) {
        if (sessionId === undefined || session?.sessionId === sessionId) leave('session-over');
      }
    },
    async recheck(isSignedIn) {
      for (const { session, leave } of [...sockets.values()].flatMap((own) => [...own])) {
        if (session === undefined) continue;
        try {
          if (!(await isSignedIn(session))) leave('session-over');
        } catch {
          leave('unknown');
        }
      }
    },
  };
}
