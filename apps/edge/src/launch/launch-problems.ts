import { dirname } from 'node:path';
import type { LaunchResult } from '@longshore/edge-contract';
import type { BindFailed } from './bind-listeners.ts';
import { edgeOf, type PortHolder } from './port-holder.ts';

type Failure = Extract<LaunchResult, { kind: 'failed' }>;

/** What happened, then what to do. */
export function bindProblem(
  { listener, code, cause }: BindFailed,
  holders: PortHolder[],
  folder: string,
): Failure {
  const { host, port } = listener;
  return { kind: 'failed', text: textOf(), listener, code };

  function textOf(): string {
    if (code === 'EADDRINUSE')
      return `Port ${port} is already in use${holderText(holders, folder)}.`;
    if (code === 'EACCES') return lowPortText(port);
    if (code === 'EADDRNOTAVAIL') return `This machine has no address ${host}.`;
    return `Cannot listen on ${host}, port ${port}: ${String((cause as Error).message)}`;
  }
}

function holderText(holders: PortHolder[], folder: string): string {
  const keeper = holders.find((holder) => edgeOf(holder)?.isKeeper) ?? holders[0];
  if (keeper === undefined) return '';
  const edge = edgeOf(keeper);
  if (edge === undefined) return ` by process ${keeper.pid} (${keeper.argv[0] ?? 'unknown'})`;
  return edge.folder === folder
    ? ` by the edge of this installation, process ${keeper.pid}`
    : ` by the Longshore installation with the data directory ${dirname(edge.folder)}`;
}

function lowPortText(port: number): string {
  return [
    `This user may not listen on port ${port}. Do one of these:`,
    '- start Longshore as root, which gives up its rights after binding',
    `- sysctl net.ipv4.ip_unprivileged_port_start=${port}`,
    `- setcap cap_net_bind_service=+ep ${process.execPath}`,
  ].join('\n');
}

/** Those who hold a port, if all are processes of this installation: workers whose keeper was killed. */
export function ownWorkers(folder: string, holders: PortHolder[]): PortHolder[] {
  const isOwn = (holder: PortHolder) => {
    const edge = edgeOf(holder);
    return edge?.folder === folder && !edge.isKeeper;
  };
  return holders.every(isOwn) ? holders : [];
}
