import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createEngineBench,
  type EngineBench,
  nodeApp,
} from '../../../test/engines/process/engine-bench.ts';
import type { ProcessEngine } from './engine.ts';

const WRITTEN_BYTES = 20_000_000;
const MB = 1_000_000;
const WRITES_FILE = `require('node:fs').writeFileSync(process.env.HOME + '/kept', Buffer.alloc(${WRITTEN_BYTES}, 1));
`;

describe.skipIf(process.getuid?.() !== 0)('what an instance uses', () => {
  const { signal } = new AbortController();
  let bench: EngineBench;
  let engine: ProcessEngine;
  beforeAll(async () => {
    bench = await createEngineBench();
    engine = await bench.engine();
  });
  afterAll(() => bench.clear());

  it('includes the disk of its app, and is still known after the server was restarted', async ({
    skip,
  }) => {
    if (engine.usedBytes === undefined) skip();
    const files = { ...nodeApp(), 'server.js': `${WRITES_FILE}${nodeApp()['server.js']}` };
    const spec = bench.spec(await bench.repository(files));
    await engine.build(spec, () => {}, signal);
    const instance = await engine.startInstance(spec, signal);
    await engine.waitUntilListening(instance, spec, signal);
    const owner = { ownerId: spec.ownerId, appIds: [spec.appId] };
    const [before] = await engine.usage(signal);
    expect(before).toMatchObject({ appId: spec.appId, instanceId: instance.id });
    const disk = before?.diskBytes ?? 0;
    expect(disk).toBeGreaterThan(WRITTEN_BYTES);
    expect(Math.abs(disk - ((await engine.usedBytes?.(owner, signal)) ?? 0))).toBeLessThan(MB);

    await engine.close();
    engine = await bench.engine();
    await engine.observe(spec.appId, signal);
    const [after] = await engine.usage(signal);
    expect(after).toMatchObject({ appId: spec.appId, instanceId: instance.id });
    expect(after?.cpuSeconds).toBeGreaterThanOrEqual(before?.cpuSeconds ?? 1);
    expect(after?.networkSentBytes).toBeGreaterThanOrEqual(before?.networkSentBytes ?? 1);
  });
});
