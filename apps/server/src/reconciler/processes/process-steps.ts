import { type ProcessType, sizeOf, sizeText } from '@longshore/contract';
import type { Release } from '../../apps/releases.ts';
import type { ReleaseSpec } from '../../engines/engine.ts';
import { EngineFailure, toEngineFailure } from '../../engines/failure.ts';
import { outputExcerpt } from '../../processes/output-excerpt.ts';
import { crashEvidence } from '../crash-report.ts';
import { MACHINE_REASONS } from '../failure-delay.ts';
import { lastLines } from '../last-lines.ts';
import type { PassContext } from '../pass-context.ts';
import { runOf } from '../plan-input.ts';
import { specOf } from '../release-spec.ts';
import { reportFailure } from '../report-status.ts';
import type { StepOf } from '../step.ts';

/** One after the other, as engines require. A failure delays this process only. */
export async function startProcess(
  { release, role, type, count }: StepOf<'process-start'>,
  pass: PassContext,
): Promise<void> {
  const { desired, signal, deps } = pass;
  try {
    const problem = await deps.ownerLimits.processProblemOf({
      appId: desired.id,
      ownerId: desired.spec.ownerId,
      values: desired.values,
      detected: release.detected,
    });
    if (problem !== undefined) throw new EngineFailure('process-over-quota', [problem]);
    for (let started = 0; started < count; started += 1) {
      await deps.engine.startInstance(processSpecOf(release, type, pass), signal);
    }
  } catch (error) {
    signal.throwIfAborted();
    const { reason, evidence } = toEngineFailure(error);
    if (reason === 'engine-failed') deps.logError(error, desired.id);
    const failure = { release: release.number, run: undefined, ranMs: 0 };
    const { pauseMs } = pass.processRetries.recordFailure(type.name, failure);
    if (role === 'fallback') return;
    const named = [processText(type), ...evidence];
    await reportFailure({ reason, evidence: named, retry: { kind: 'retry', inMs: pauseMs } }, pass);
  }
}

/** From now on, the engine may restart them. */
export async function confirmProcess(
  { instances, release, type }: StepOf<'process-confirm'>,
  pass: PassContext,
): Promise<void> {
  const { desired, signal, deps } = pass;
  const spec = processSpecOf(release, type, pass);
  for (const instance of instances) {
    try {
      await deps.engine.waitUntilListening(instance, spec, signal);
    } catch (error) {
      signal.throwIfAborted();
      // If it exited, the next observation finds that. After a failure of the engine, the step is repeated.
      if (MACHINE_REASONS.includes(toEngineFailure(error).reason)) throw error;
    }
    deps.routing.confirm(desired.id, runOf(instance));
  }
  deps.ownerLimits.recordProcesses({ appId: desired.id, detected: release.detected });
}

/** A process that exits is a failure of the app, although its `web` keeps serving. */
export async function recordProcessCrash(
  { instance, role, type }: StepOf<'process-crashed'>,
  pass: PassContext,
): Promise<void> {
  if (instance.state.kind !== 'exited') return;
  const { exit } = instance.state;
  const ranMs = exit.at.getTime() - instance.startedAt.getTime();
  const failure = { release: instance.release, run: runOf(instance), ranMs };
  const crashes = pass.processRetries.recordFailure(type.name, failure);
  if (role === 'fallback') return;
  const size = sizeText(sizeOf(type.resourceTier, pass.deps.tiers));
  const memory = exit.isOutOfMemory ? [`It ran out of memory. Its size is ${size}.`] : [];
  const lines = outputExcerpt(await lastLines(instance, pass));
  const evidence = [processText(type), ...crashEvidence(exit, crashes), ...memory, ...lines];
  const retry = { kind: 'restart', inMs: crashes.pauseMs } as const;
  await reportFailure({ reason: 'process-crashed', evidence, retry }, pass);
}

function processText({ name }: ProcessType): string {
  return `Process: ${name}.`;
}

/** The release with the command of another process than `web`. */
function processSpecOf(release: Release, type: ProcessType, pass: PassContext): ReleaseSpec {
  const { name, command, resourceTier } = type;
  const spec = specOf(release, pass);
  const size = sizeOf(resourceTier, pass.deps.tiers);
  return { ...spec, process: name, ports: [], size, run: { ...spec.run, command } };
}
