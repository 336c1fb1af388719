import { setTimeout as delay } from 'node:timers/promises';
import type { ReleaseSpec } from '../../../src/engines/engine.ts';
import { createProcessEngine } from '../../../src/engines/process/engine.ts';
import { createRandom } from '../../reconciler/simulation/random.ts';
import { engineDeps } from './engine-deps.ts';

/*
 * For the test of leaks: builds, starts, stops and removes apps in random order until it is killed.
 */
const { dataDir, specs, seed } = JSON.parse(process.argv[2] ?? '') as {
  dataDir: string;
  specs: ReleaseSpec[];
  seed: number;
};
const { signal } = new AbortController();
const random = createRandom(seed);
const deps = await engineDeps(dataDir);
const engine = await createProcessEngine({ ...deps, limits: { graceMs: 500 } });
process.stdout.write('ready\n');
await Promise.all(specs.map(keepBusy));

/** As the reconciler does, one action of an app at a time. */
async function keepBusy(spec: ReleaseSpec): Promise<void> {
  let number = Math.max(0, ...(await engine.observe(spec.appId, signal)).built);
  for (;;) {
    const { built, instances } = await engine.observe(spec.appId, signal);
    const [instance] = instances;
    const action = random.pick(['build', 'start', 'start', 'stop', 'remove']);
    if (action === 'build') {
      number += 1;
      await engine.build({ ...spec, number }, () => {}, signal);
    } else if (action === 'start' && built.length > 0 && instances.length < 2) {
      const release = { ...spec, number: Math.max(...built) };
      const started = await engine.startInstance(release, signal);
      await engine.waitUntilListening(started, release, signal);
    } else if (action === 'stop' && instance !== undefined) {
      await engine.stopInstance(spec.appId, instance, signal);
    } else if (action === 'remove' && random.chance(0.5)) {
      await engine.removeApp(spec.appId, signal);
    } else await delay(10);
  }
}
