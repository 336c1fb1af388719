import type { ProcessType } from '@longshore/contract';
import type { Release, ReusedBuild } from '../apps/releases.ts';
import type { Instance } from '../engines/engine.ts';

/** Which release a step is about: the newest one, or the fallback that serves until the newest does. */
export type Role = 'newest' | 'fallback';

/** The next step towards the desired state, or the conclusion that there is none now. */
export type Step =
  | { kind: 'remove' }
  /** `progress`: live, if the newest release serves already. Undefined: not reported. */
  | { kind: 'stop'; instances: Instance[]; progress: 'stopping' | 'live' | undefined }
  /** `from`: a stored release with the same build. `commandDone`: the release command that has succeeded with it. */
  | { kind: 'release'; from: ReusedBuild | undefined; commandDone?: string | undefined }
  | { kind: 'build'; release: Release; role: Role }
  | { kind: 'reuse'; release: Release; from: number }
  /** Runs the release command. */
  | { kind: 'command'; release: Release }
  /** `count`: of instances. `othersServe`: the release serves already. */
  | { kind: 'start'; release: Release; role: Role; count: number; othersServe: boolean }
  /**
   * `traffic`: what happens to instances that answer. `switch`: when all have answered, they replace what serves. `adopt`: those
   * that answer replace what serves. `join`: each one is added when it answers, beside other steps.
   */
  | {
      kind: 'check';
      instances: Instance[];
      release: Release;
      role: Role;
      traffic: 'switch' | 'adopt' | 'join';
    }
  /** They serve beside others, and the engine does not know that yet. */
  | { kind: 'protect'; instances: Instance[] }
  /** Nothing is left to do until a check has ended. */
  | { kind: 'checking' }
  /** `othersServe`: the release keeps serving without this instance. */
  | { kind: 'crashed'; instance: Instance; release: Release; role: Role; othersServe: boolean }
  /** Starts instances of another process than `web`. */
  | { kind: 'process-start'; release: Release; role: Role; type: ProcessType; count: number }
  /** They run. */
  | {
      kind: 'process-confirm';
      instances: Instance[];
      release: Release;
      role: Role;
      type: ProcessType;
    }
  | { kind: 'process-crashed'; instance: Instance; role: Role; type: ProcessType }
  /** The release became unhealthy soon after it got the traffic. `to`: the one that served before. */
  | { kind: 'roll-back'; release: Release; to: number; problem: string }
  | { kind: 'prune'; keep: number[] }
  | { kind: 'settled' }
  /** `until`: when the fallback may be retried. */
  | { kind: 'failed'; release: Release; until: number | undefined }
  /** Nothing runs, because the only release that could was cancelled. */
  | { kind: 'cancelled' }
  | { kind: 'wait'; until: number };

export type StepOf<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>;
