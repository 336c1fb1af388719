import { HEALTH_CHECK_DEFAULTS } from '@longshore/contract';
import type { Release } from '../../apps/releases.ts';
import type { Instance } from '../../engines/engine.ts';
import { EngineFailure } from '../../engines/failure.ts';
import { outputExcerpt } from '../../processes/output-excerpt.ts';
import { failureMessage } from '../messages.ts';
import type { PassContext } from '../pass-context.ts';
import { reportFailure } from '../report-status.ts';
import type { Step } from '../step.ts';
import { probeTarget } from './watched-instances.ts';

/** `startedAt`: the grace period counts from then. `lines`: the last ones of the instance. */
type StartedCheck = { pass: PassContext; startedAt: number; lines(): Promise<string[]> };

/**
 * No traffic before the instance passes the health check of its release. One that served before this server started continues;
 * it is checked while it serves.
 */
export async function requireHealthy(
  instance: Instance,
  release: Release,
  { pass, startedAt, lines }: StartedCheck,
): Promise<void> {
  const { desired, signal, deps } = pass;
  const { health } = deps;
  const target = probeTarget(instance, release, desired.hosts);
  const isAdopted = release.outcome === 'live' && !health.isStartedHere(instance.logName);
  if (target === undefined || isAdopted) return;
  const { graceSeconds = HEALTH_CHECK_DEFAULTS.graceSeconds } = target.check;
  try {
    await health.waitUntilHealthy(target, {
      until: startedAt + graceSeconds * 1_000,
      requireRunning: () => requireRunning(instance, pass),
      signal,
    });
  } catch (error) {
    if (!(error instanceof EngineFailure) || error.reason !== 'health-check-failed') throw error;
    throw new EngineFailure(error.reason, [...error.evidence, ...outputExcerpt(await lines())]);
  }
}

async function requireRunning({ id }: Instance, { desired, signal, deps }: PassContext) {
  const { instances } = await deps.engine.observe(desired.id, signal);
  const isRunning = instances.some((each) => each.id === id && each.state.kind === 'running');
  if (!isRunning) throw new EngineFailure('app-exited');
}

/** The release before it serves again by the next steps. */
export async function rollBack(
  { release, to, problem }: Extract<Step, { kind: 'roll-back' }>,
  pass: PassContext,
): Promise<void> {
  const { desired, deps } = pass;
  const reason = 'release-unhealthy';
  const evidence = [problem, `Release ${to} serves again.`];
  const end = { appId: desired.id, number: release.number, reason, evidence } as const;
  await deps.store.revokeRelease({ ...end, message: failureMessage(reason, []) });
  await reportFailure({ reason, evidence }, pass);
}
