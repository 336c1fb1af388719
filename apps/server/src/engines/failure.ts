/** Why a release does not run: the machine code behind a status. Its sentence is in the reconciler's table. */
export type Reason =
  | 'repository-not-found'
  | 'repository-refused'
  | 'repository-unreachable'
  | 'repository-too-large'
  | 'source-not-allowed'
  | 'ref-not-found'
  | 'nothing-to-build'
  | 'build-failed'
  | 'build-timed-out'
  | 'image-unsupported'
  | 'owner-not-allowed'
  | 'port-never-answered'
  | 'app-exited'
  | 'engine-failed';

/** A foreseen failure. The evidence lines are shown to the user as they are: never a secret among them. */
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
