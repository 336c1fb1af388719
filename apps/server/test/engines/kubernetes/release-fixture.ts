import type { ReleaseSpec } from '../../../src/engines/engine.ts';

export const OWNER = { installation: 'installation', prefix: 'longshore' };
export const SPEC: ReleaseSpec = {
  appId: 'app',
  ownerId: 'ada',
  projectId: 'project',
  name: 'shop',
  number: 3,
  origin: { kind: 'image', image: 'shop' },
  env: { COLOUR: 'red', PORT: '1' },
  ports: [{ number: 8080, expose: true }],
  size: { cpus: 0.5, memoryBytes: 536_870_912, processes: 256 },
};
