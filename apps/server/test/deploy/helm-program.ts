import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openCachedFolder } from '../cached-folder.ts';

const HELM = 'v3.22.0';
// biome-ignore lint/style/noProcessEnv: Go and its proxy are set up by the machine.
const ENV = process.env;

/** The path of Helm, compiled from Go's module proxy once per machine: takes 2 minutes. */
export async function openHelm(): Promise<string> {
  const folder = await openCachedFolder({
    name: 'helm',
    key: `${HELM}-${process.arch}`,
    async fill(target) {
      const PATH = `${ENV.PATH}:/usr/local/go/bin`;
      const env = { ...ENV, PATH, GOBIN: target, CGO_ENABLED: '0', GOFLAGS: '' };
      const flags = ['-p', '2', '-trimpath', '-ldflags', '-s -w'];
      const argv = ['-n', '19', 'go', 'install', ...flags, `helm.sh/helm/v3/cmd/helm@${HELM}`];
      await promisify(execFile)('nice', argv, { env });
    },
  });
  return join(folder, 'helm');
}
