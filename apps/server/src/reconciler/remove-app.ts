import type { DesiredApp } from './desired.ts';
import type { PassDeps } from './pass-deps.ts';

type Removed = Pick<DesiredApp, 'id' | 'generation'>;

/** Leaves nothing of an app. The report comes last: until then, a removal that was cut off is made again. */
export async function removeApp({ id, generation }: Removed, signal: AbortSignal, deps: PassDeps) {
  deps.traffic.remove(id);
  await deps.engine.removeApp(id, signal);
  await deps.forgetLogs(id);
  deps.retries.forget(id);
  await deps.store.report({ appId: id, generation, status: 'synced', message: '' });
}
