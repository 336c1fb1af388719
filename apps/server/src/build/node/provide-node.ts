import type { Argv, BuildPlan, BuildStep } from '../build-plan.ts';
import { highestMajor, isInRange } from '../version-range.ts';

/** The Node that is there without an install, and the machine. */
export type IncludedNode = {
  version: string;
  /** What contains it, if the version is not exact. */
  image?: string;
  arch: string;
  /** A file with certificates that the system trusts. Versions before 22.15 do not read it by themselves. */
  certificates?: string;
  /** There is only the program, so packages cannot be compiled for it. */
  lacksHeaders?: boolean;
};

export const NODE_FOLDER = '.longshore/node';
const NEWEST_MAJOR = 40;
/** The npm for versions of Node that the included npm does not support, by the lowest major version. */
const NPM_OF_NODE: { major: number; npm: string }[] = [
  { major: 18, npm: '10.9.4' },
  { major: 14, npm: '9.9.4' },
  { major: 0, npm: '6.14.18' },
];
const SUPPORTED_BY_INCLUDED_NPM = 20;

/**
 * Adds the installation of Node in the version that the plan names, if the included one does not fit. npm's own packages
 * contain it, so its cache keeps it for the next build.
 */
export function provideNode(plan: BuildPlan, included: IncludedNode): BuildPlan {
  const { version, image, arch, certificates, lacksHeaders = false } = included;
  const range = plan.versions?.node;
  const usesNode = plan.runtime === 'node' || plan.runtime === 'static';
  if (!usesNode || (plan.steps.length === 0 && plan.start.kind === 'static')) return plan;
  const fits = range === undefined || isInRange(version, range) !== false;
  if (fits && !(plan.isCompiled && lacksHeaders)) return plan;
  const wanted = fits ? version : range;
  const name = `node-linux-${arch}`;
  // Both at once: an install into a folder removes what an earlier one put there.
  const specs = [`${name}@${wanted}`, ...npmFor(plan, wanted)];
  const argv: Argv = ['npm', 'install', '--prefix', NODE_FOLDER, '--no-save', ...specs];
  const install: BuildStep = {
    kind: 'install',
    label: `npm install ${specs.join(' ')}`,
    argv,
    inputs: [],
    // Without headers, packages that need no compiler still install.
    ...(fits
      ? { orElse: [['true'] as const] }
      : { advice: `If there is no Node ${wanted}, change the version that the project asks for` }),
  };
  // The tools are installed with the included npm, which the other Node may not be able to run.
  const firstOther = plan.steps.findIndex(({ inputs }) => inputs?.length !== 0);
  const at = firstOther === -1 ? plan.steps.length : firstOther;
  return {
    ...plan,
    evidence: [
      ...plan.evidence,
      fits
        ? `Node ${wanted} is installed with its headers, because packages may be compiled`
        : `Node ${wanted} is installed, because ${image ?? version} does not fit`,
    ],
    env: {
      ...(certificates === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificates }),
      ...plan.env,
    },
    path: [
      ...plan.path,
      ...(specs.length > 1 ? [`${NODE_FOLDER}/node_modules/.bin`] : []),
      `${NODE_FOLDER}/node_modules/${name}/bin`,
    ],
    steps: [...plan.steps.slice(0, at), install, ...plan.steps.slice(at)],
  };
}

/** An npm that the wanted Node can run, unless the project names one. */
function npmFor({ steps }: BuildPlan, wanted: string): string[] {
  const major = highestMajor(wanted, NEWEST_MAJOR) ?? NEWEST_MAJOR;
  const hasOwnNpm = steps.some(({ argv }) => argv.some((word) => /^npm@/.test(word)));
  if (major >= SUPPORTED_BY_INCLUDED_NPM || hasOwnNpm) return [];
  return [`npm@${NPM_OF_NODE.find((it) => major >= it.major)?.npm}`];
}
