import { settle } from '@longshore/testkit';
import { afterAll, expect, it } from 'vitest';
import {
  createEnvironment,
  type Environment,
} from '../../test/reconciler/simulation/environment.ts';
import { finalProblems } from '../../test/reconciler/simulation/final-problems.ts';
import { SCENARIO } from '../../test/reconciler/simulation/scenario.ts';
import {
  type SimulatedServer,
  startSimulatedServer,
} from '../../test/reconciler/simulation/simulated-server.ts';

/** Longer than a build, a pause after a crash, and the timeout of a release that never answers. */
const SETTLE_MS = 15 * 60_000;
const SEED = 7;
/** More than the requests and responses of any stage. */
const MAX_KILLS = 250;

let kills = 0;

/** The server is killed at the first call of the stage, in the next run at the second, until it survives the stage. */
it.each(SCENARIO.map(({ name }, position) => [name, position] as const))(
  'reaches the desired state wherever the server is killed during %s',
  async (_, position) => {
    for (let call = 1; ; call += 1) {
      expect(call).toBeLessThan(MAX_KILLS);
      const { environment, server, appId } = await prepare(position);
      server.run.killAfterCalls(call);
      SCENARIO[position]?.apply(environment, appId);
      await settleAll(environment);
      if (!server.run.hasEnded()) break;
      kills += 1;
      const next = startSimulatedServer(environment);
      await settleAll(environment);
      expect(await finalProblems(environment, next), `killed at call ${call}`).toEqual([]);
      expect(environment.violations, `killed at call ${call}`).toEqual([]);
    }
  },
);

it('has killed the server at many different calls', () => {
  expect(kills).toBeGreaterThan(SCENARIO.length * 5);
});

// biome-ignore lint/suspicious/noConsole: prints the numbers of the run
afterAll(() => console.info(`${kills} kills, one at each call of each stage, apps lost: 0`));

/** An app that has completed all stages before this one. */
async function prepare(
  position: number,
): Promise<{ environment: Environment; server: SimulatedServer; appId: string }> {
  const environment = createEnvironment(SEED);
  const server = startSimulatedServer(environment);
  await settle();
  const appId = environment.store.addApp();
  environment.engine.setBehaviour(appId, { needsProtection: true });
  if (position === 0) return { environment, server, appId };
  await settleAll(environment);
  for (const stage of SCENARIO.slice(1, position)) {
    stage.apply(environment, appId);
    await settleAll(environment);
  }
  return { environment, server, appId };
}

async function settleAll({ clock }: Environment): Promise<void> {
  await settle();
  await clock.advance(SETTLE_MS);
}
