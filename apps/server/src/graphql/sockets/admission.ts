import type { IncomingHttpHeaders } from 'node:http';
import { isRecord } from '@longshore/contract';
import { GraphqlProblem } from '../graphql-problem.ts';
import type { GraphqlCaller, ResolveGraphqlCaller } from '../resolve-caller.ts';
import type { SocketSession } from './open-sockets.ts';

/** `unavailable`: nobody can tell at the moment, so it should be tried again later. */
export type Admission =
  | { kind: 'admitted' }
  | { kind: 'refused'; message: string }
  | { kind: 'crowded' }
  | { kind: 'unavailable' };

export type AdmissionDeps = {
  resolveCaller: ResolveGraphqlCaller;
  /** Whether the session that a token was issued for goes on. */
  isSignedIn: (session: SocketSession) => Promise<boolean>;
  logError: (error: unknown) => void;
};

export type Newcomer = {
  /** What the first message says, and the headers of the upgrade, which count where it says nothing. */
  params: unknown;
  upgrade: IncomingHttpHeaders;
  /** Says whether there is room. From then on the end of the session reaches the socket. */
  enter: (caller: GraphqlCaller) => boolean;
};

export async function admit(
  { params, upgrade, enter }: Newcomer,
  { resolveCaller, isSignedIn, logError }: AdmissionDeps,
): Promise<Admission> {
  const given = headersIn(params);
  try {
    const caller = await resolveCaller((name) => given.get(name) ?? textOf(upgrade[name]));
    if (!enter(caller)) return { kind: 'crowded' };
    // A token outlives its session by minutes; a socket opened with it would never hear of the end.
    if (caller.role === 'user' && !(await isSignedIn(caller))) {
      return { kind: 'refused', message: 'The session is over' };
    }
    return { kind: 'admitted' };
  } catch (error) {
    if (error instanceof GraphqlProblem) return { kind: 'refused', message: error.message };
    logError(error);
    return { kind: 'unavailable' };
  }
}

/** Clients spell the names of headers either way. */
function headersIn(params: unknown): Map<string, string> {
  const headers = isRecord(params) && isRecord(params.headers) ? params.headers : {};
  const texts = Object.entries(headers).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return new Map(texts.map(([name, value]) => [name.toLowerCase(), value]));
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
