import type { Argv, BuildPlan, Tool } from '../../build/build-plan.ts';
import { run } from '../../processes/run.ts';
import { EngineFailure } from '../failure.ts';
import { type BuildContext, stepCommand } from './build-steps.ts';

const PROBE_TIMEOUT_MS = 30_000;

/** How to see that a tool is there and whole, and what brings it. */
const TOOLS: Record<Tool, { probe: Argv; name: string; packages: string }> = {
  python3: {
    probe: ['python3', '-c', 'import ensurepip, venv'],
    name: 'Python 3 with its venv module',
    packages: 'python3 python3-venv',
  },
  go: { probe: ['go', 'version'], name: 'Go', packages: 'golang-go' },
};

/** Sees that the machine has what the plan needs, where the app's own user can run it. */
export async function ensureTools(plan: BuildPlan, context: BuildContext): Promise<void> {
  for (const tool of plan.tools) {
    const { probe, name, packages } = TOOLS[tool];
    const command = stepCommand({ kind: 'build', argv: probe }, plan, context);
    const end = await run(command, { signal: context.signal, timeoutMs: PROBE_TIMEOUT_MS });
    if (end.kind === 'exited' && end.code === 0) continue;
    throw new EngineFailure('toolchain-missing', [
      `${name} is not installed, or apps cannot run it`,
      `Install it (Debian and Ubuntu: apt-get install ${packages}), or start Longshore with LONGSHORE_ENGINE=docker`,
    ]);
  }
}
