import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type ForwardedRegistry, startRegistryForwarder } from './registry-forwarder.ts';

/** `port`: 0 for any free one. */
export type ForwarderThreadOptions = {
  host: string;
  forwarders: { registry: ForwardedRegistry; port: number }[];
};

// On Linux, this is the priority of the thread.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const { host, forwarders } = workerData as ForwarderThreadOptions;
const ports: number[] = [];
for (const { registry, port } of forwarders) {
  ports.push((await startRegistryForwarder(registry, { host, port })).port);
}
parentPort?.postMessage(ports);
