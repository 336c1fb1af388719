import { text } from 'node:stream/consumers';
import { spawnGated } from '../../src/processes/spawn-gated.ts';

/** For the test of gated programs: prints what the descriptors of one are, from 3 on. */
const { child } = await spawnGated({
  argv: ['sh', '-c', 'cd /proc/$$/fd && for fd in *; do echo $fd $(readlink $fd); done'],
  output: 'pipe',
  descriptors: ['read', 'write'],
});
if (child.stdout !== null) process.stdout.write(await text(child.stdout));
process.exit();
