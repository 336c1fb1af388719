import type { Fix } from '@longshore/contract';

/** Why a release does not run: the code behind a status. Its message is in `failure-messages.ts`. */
export type Reason =
  | 'repository-not-found'
  | 'repository-refused'
  | 'repository-unreachable'
  | 'repository-too-large'
  | 'repository-invalid'
  | 'repository-damaged'
  | 'source-not-allowed'
  | 'ref-not-found'
  | 'upload-missing'
  | 'integration-not-found'
  | 'integration-elsewhere'
  | 'integration-expired'
  | 'host-key-changed'
  | 'root-directory-missing'
  | 'nothing-to-build'
  | 'no-app-at-root'
  /** Only of releases that older versions stored. */
  | 'start-needs-shell'
  | 'toolchain-missing'
  | 'build-failed'
  | 'google-fonts-unreachable'
  | 'output-missing'
  | 'build-timed-out'
  | 'build-out-of-memory'
  | 'build-disk-full'
  | 'builder-image-missing'
  | 'image-too-large'
  | 'image-unsupported'
  | 'image-not-found'
  | 'image-refused'
  | 'image-wrong-architecture'
  | 'registry-unreachable'
  | 'owner-not-allowed'
  | 'reference-not-found'
  | 'release-command-failed'
  | 'release-command-timed-out'
  | 'port-never-answered'
  | 'listens-elsewhere'
  | 'listens-on-loopback'
  | 'health-check-failed'
  | 'release-unhealthy'
  | 'start-command-missing'
  | 'app-exited'
  | 'app-killed'
  | 'out-of-memory'
  | 'crash-loop'
  | 'process-crashed'
  | 'process-over-quota'
  | 'disk-full'
  | 'app-disk-full'
  | 'disk-quota-reached'
  | 'no-room'
  | 'cluster-quota-reached'
  | 'not-offered'
  | 'cluster-down'
  | 'engine-down'
  | 'engine-failed';

/** An expected failure. The evidence is shown to the user unchanged, so it must not contain secrets. */
export class EngineFailure extends Error {
  readonly reason: Reason;
  readonly evidence: string[];
  /** Changes of the settings that probably solve it. */
  readonly fixes: Fix[];

  constructor(
    reason: Reason,
    evidence: string[] = [],
    options: ErrorOptions & { fixes?: Fix[] } = {},
  ) {
    super(`${reason}: ${evidence.join(' / ')}`, options);
    this.name = 'EngineFailure';
    this.reason = reason;
    this.evidence = evidence;
    this.fixes = options.fixes ?? [];
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
