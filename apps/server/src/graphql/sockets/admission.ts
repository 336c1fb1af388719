import type { IncomingHttpHeaders } from 'node:http';
import { isRecord } from '@longshore/contract';
import { GraphqlProblem } from '../graphql-problem.ts';
import type { GraphqlCaller, ResolveGraphqlCaller } from '../resolve-caller.ts';
import type { SocketSession } from './open-sockets.ts';

/** `unavailable`: the session could not be checked; the client should retry later. */
export type Admission =
  | { kind: 'admitted' }
  | { kind: 'refused'; message: string }
  | { kind: 'too-many-connections' }
  | { kind: 'unavailable' };

export type AdmissionDeps = {
  resolveCaller: ResolveGraphqlCaller;
  /** Whether the session of a token still exists. */
  isSignedIn: (session: SocketSession) => Promise<boolean>;
  logError: (error: unknown) => void;
};

export type AdmissionRequest = {
  /** The payload of the first message. Its headers override those of the upgrade. */
  params: unknown;
  upgrade: IncomingHttpHeaders;
  /** Registers the socket, so that the end of its session closes it. Returns false if there are too many. */
  register: (caller: GraphqlCaller) => boolean;
};

export async function admit(
  { params, upgrade, register }: AdmissionRequest,
  { resolveCaller, isSignedIn, logError }: AdmissionDeps,
): Promise<Admission> {
  const sent = headersIn(params);
  try {
    const caller = await resolveCaller((name) => sent.get(name) ?? textOf(upgrade[name]));
    if (!register(caller)) return { kind: 'too-many-connections' };
    // A token is valid for minutes after its session ended, and that end is not announced again.
    if (caller.role === 'user' && !(await isSignedIn(caller))) {
      return { kind: 'refused', message: 'The session has ended' };
    }
    return { kind: 'admitted' };
  } catch (error) {
    if (error instanceof GraphqlProblem) return { kind: 'refused', message: error.message };
    logError(error);
    return { kind: 'unavailable' };
  }
}

/** Header names are case-insensitive. */
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
