import type { ReleaseSpec } from '../engine.ts';
import { EngineFailure, type Reason } from '../failure.ts';
import { DockerError } from './docker-error.ts';

const PULL_REASONS: [RegExp, Reason][] = [
  [/no matching manifest|does not match the specified platform/i, 'image-wrong-architecture'],
  [
    /manifest unknown|manifest for .* not found|not found: manifest|name unknown|repository .* not found/i,
    'image-not-found',
  ],
  [/unauthorized|denied|authentication required|no basic auth/i, 'image-refused'],
  [/no space left/i, 'disk-full'],
];

/** Matches the error message, because Docker has no codes for registry errors. */
export function pullFailureReason({ status, message }: DockerError): Reason {
  const found = PULL_REASONS.find(([pattern]) => pattern.test(message));
  if (found !== undefined) return found[1];
  return status === 404 ? 'image-not-found' : 'registry-unreachable';
}

const KILLED = 137;
const BUILD_REASONS: [RegExp, Reason][] = [
  [/(?:exit )?code: 137\b/i, 'build-out-of-memory'],
  [/no space left/i, 'disk-full'],
  [/no matching manifest/i, 'image-wrong-architecture'],
  [/dial tcp|i\/o timeout|TLS handshake|connection refused|no such host/i, 'registry-unreachable'],
];

/** Errors about the user's own Dockerfile and files. Other messages may contain names of other users' resources. */
const OWN = /dockerfile parse error[^\n]*|(?:COPY|ADD) failed: [^\n]*/i;

/** Matches the error message where Docker has no code. Exit code 137 means that the kernel killed the build. */
export function buildFailureReason({ status, message }: DockerError): Reason {
  if (status === KILLED) return 'build-out-of-memory';
  return BUILD_REASONS.find(([pattern]) => pattern.test(message))?.[1] ?? 'build-failed';
}

/** Details from Docker that are not in the output of the build. */
export function buildFailureEvidence({ message }: DockerError): string[] {
  const code = /\bcode: (\d+)/.exec(message)?.[1];
  if (code !== undefined) return [`Exit code ${code}`];
  return OWN.exec(message)?.slice(0, 1) ?? [];
}

/** The port or the empty network was taken or removed by another client at the same time. */
const TRANSIENT = /port is already allocated|address already in use|network \S+ not found/i;

const NO_COMMAND = /no command specified/i;

const START_REASONS: [RegExp, Reason][] = [
  [/exec format error/i, 'image-wrong-architecture'],
  [/no space left/i, 'disk-full'],
  [
    /no command specified|executable file not found|no such file or directory/i,
    'start-command-missing',
  ],
];

/** Whether an immediate retry can succeed. */
export function isTransient(error: unknown): boolean {
  return error instanceof DockerError && TRANSIENT.test(error.message);
}

/** Matches the error message where Docker has no code. */
export function toStartFailure(error: unknown, { number }: Pick<ReleaseSpec, 'number'>): unknown {
  if (!(error instanceof DockerError)) return error;
  const reason = START_REASONS.find(([pattern]) => pattern.test(error.message))?.[1];
  if (reason !== undefined) {
    const evidence = NO_COMMAND.test(error.message) ? ['The image has no start command'] : [];
    return new EngineFailure(reason, evidence, { cause: error });
  }
  if (!/no such image/i.test(error.message)) return error;
  return new EngineFailure('engine-failed', [`Release ${number} is not built`], { cause: error });
}
