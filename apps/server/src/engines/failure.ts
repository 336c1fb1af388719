/** Why a release does not run: the code behind a status. Its message is in `failure-messages.ts`. */
export type Reason =
  | 'repository-not-found'
  | 'repository-refused'
  | 'repository-unreachable'
  | 'repository-too-large'
  | 'repository-invalid'
  | 'source-not-allowed'
  | 'ref-not-found'
  | 'integration-not-found'
  | 'integration-elsewhere'
  | 'integration-expired'
  | 'host-key-changed'
  | 'nothing-to-build'
  | 'start-needs-shell'
  | 'toolchain-missing'
  | 'build-failed'
  | 'build-timed-out'
  | 'build-out-of-memory'
  | 'image-unsupported'
  | 'image-not-found'
  | 'image-refused'
  | 'image-wrong-architecture'
  | 'registry-unreachable'
  | 'owner-not-allowed'
  | 'port-never-answered'
  | 'listens-elsewhere'
  | 'listens-on-loopback'
  | 'start-command-missing'
  | 'app-exited'
  | 'app-killed'
  | 'out-of-memory'
  | 'crash-loop'
  | 'disk-full'
  | 'app-disk-full'
  | 'disk-quota-reached'
  | 'engine-down'
  | 'engine-failed';

/** An expected failure. The evidence is shown to the user unchanged, so it must not contain secrets. */
export class EngineFailure extends Error {
  readonly reason: Reason;
  readonly evidence: string[];

  constructor(reason: Reason, evidence: string[] = [], options?: ErrorOptions) {
    super(`${reason}: ${evidence.join(' / ')}`, options);
    this.name = 'EngineFailure';
    this.reason = reason;
    this.evidence = evidence;
  }
}

const DISK_FULL = ['ENOSPC', 'EDQUOT'];

/** Converts an error of an engine. A full disk is an expected failure; every other unknown error is `engine-failed`. */
export function toEngineFailure(error: unknown): EngineFailure {
  const isDiskFull = causesOf(error).some(({ code = '' }) => DISK_FULL.includes(code));
  if (isDiskFull) return new EngineFailure('disk-full', [], { cause: error });
  return error instanceof EngineFailure
    ? error
    : new EngineFailure('engine-failed', [], { cause: error });
}

function causesOf(error: unknown): NodeJS.ErrnoException[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}
