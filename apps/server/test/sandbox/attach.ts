import { type HostCommands, hostCommands } from '../../src/sandbox/network/host-commands.ts';
import { openNetwork } from '../../src/sandbox/network/network.ts';

/** A server that attaches the process with the given pid and reports the start of each command, until the test kills it. */
let isAttaching = false;
const host: HostCommands = {
  ...hostCommands,
  run(argv, options) {
    if (isAttaching) process.send?.(argv.join(' '));
    return hostCommands.run(argv, options);
  },
};
const network = await openNetwork({
  installation: 'abc123',
  network: '10.213.0.0/16',
  allowedNetworks: [],
  edge: { host: '127.0.0.1', ports: [8080] },
  builders: { reachesPrivateNetworks: false, forwardedPorts: [], registries: [] },
  host,
});
isAttaching = true;
await network.attach(Number(process.argv[2]), { projectId: 'one' }, new AbortController().signal);
