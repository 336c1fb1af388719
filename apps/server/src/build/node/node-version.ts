import { isRecord } from '@longshore/contract';
import type { Checkout } from '../build-plan.ts';
import { dayAfterCommit } from '../day-after-commit.ts';
import { isInRange } from '../version-range.ts';
import type { NodeProject } from './framework.ts';
import { majorOf, parseJson } from './package-json.ts';

export type WantedNode = {
  /** As npm writes versions. */
  range: string;
  /** What asks for it. */
  source: string;
};

/** The names of the versions with long-term support. */
const LTS_NAMES: Record<string, string> = {
  argon: '4',
  boron: '6',
  carbon: '8',
  dubnium: '10',
  erbium: '12',
  fermium: '14',
  gallium: '16',
  hydrogen: '18',
  iron: '20',
  jod: '22',
  krypton: '24',
};
/** The same characters as in the settings of an app. */
const RANGE = /^[\w.*^~<>=| +-]{1,50}$/;

type OldTool = {
  name: string;
  below: number;
  node: '10' | '14' | '16' | '18';
  /** Many projects list it and no longer use it. */
  isOnlyInScripts?: boolean;
};

/** Tools that fail with newer versions of Node, below the version that supports them. */
const OLD_TOOLS: OldTool[] = [
  { name: 'gulp', below: 4, node: '10', isOnlyInScripts: true },
  { name: 'node-sass', below: 6, node: '14' },
  { name: 'node-sass', below: 8, node: '16' },
  { name: 'react-scripts', below: 5, node: '16' },
  { name: 'webpack', below: 5, node: '16' },
  { name: '@vue/cli-service', below: 5, node: '16' },
  { name: '@angular/core', below: 9, node: '10' },
  { name: '@angular/core', below: 13, node: '16' },
  { name: 'gatsby', below: 4, node: '16' },
  { name: 'next', below: 12, node: '16' },
  { name: 'nuxt', below: 3, node: '16' },
  // Newer versions load its configuration, which it makes a CommonJS module, as an ES module.
  { name: 'vite', below: 3, node: '18' },
];

/** The last versions, to compare with a range. */
const LAST_VERSIONS = {
  '10': '10.24.1',
  '14': '14.21.3',
  '16': '16.20.2',
  '18': '18.20.8',
  '18.18': '18.18.2',
  '20': '20.20.0',
};

/** The versions that authors of old commits used, newest first: from the day on which they got long-term support. */
const OF_DAY: { node: '16' | '18.18' | '20'; from: string }[] = [
  { node: '20', from: '2023-10-24' },
  // From 18.19 on, loaders of modules run in a thread of their own, as in Node 20: CommonJS modules pass them by.
  { node: '18.18', from: '2022-10-25' },
  { node: '16', from: '' },
];
/** When Node 22 got long-term support. Later commits run with the included version. */
const RECENT = '2024-10-29';

/** A version that an old tool needs. */
export type OldNode = WantedNode & { range: keyof typeof LAST_VERSIONS };

/** What a package manager says about Node. */
export type ManagerNode = {
  /** What it needs. */
  node?: OldNode;
  /** The oldest version for old commits that runs it; undefined if the packages are not of that time. */
  oldestNode?: '16' | '18';
};

/** The version of Node that a project asks for; undefined when any will do. */
export function wantedNode(project: NodeProject, manager: ManagerNode): WantedNode | undefined {
  const { texts, workspace } = project.checkout;
  const named = [...versionsIn(texts), ...versionsIn(workspace?.texts ?? {})];
  const old = versionOfOldTools(project) ?? manager.node ?? nodeOfDay(project, manager);
  for (const { source, text } of named) {
    const range = text === undefined ? undefined : rangeOf(text);
    if (range === undefined) continue;
    // A range such as `>=8` was written when newer versions did not exist.
    const allowsOld = old !== undefined && isInRange(LAST_VERSIONS[old.range], range) === true;
    return allowsOld ? old : { range, source };
  }
  return old;
}

/**
 * The version of the day of an old commit (decision 124); undefined for recent ones, and if the day is not known, as of
 * uploads.
 */
function nodeOfDay(
  { manifest, checkout }: NodeProject,
  { oldestNode }: ManagerNode,
): OldNode | undefined {
  const { committedOn = '' } = checkout;
  if (!manifest.hasDependencies || oldestNode === undefined) return;
  if (dayAfterCommit(checkout) === undefined || committedOn >= RECENT) return;
  const ofDay = OF_DAY.find(({ from }) => committedOn >= from)?.node ?? oldestNode;
  const range = Number(ofDay) < Number(oldestNode) ? oldestNode : ofDay;
  return { range, source: `packages of ${committedOn} and no other version` };
}

function versionsIn(texts: Checkout['texts']): { source: string; text: string | undefined }[] {
  const manifest = parseJson(texts['package.json'] ?? '');
  const fieldOf = (name: string) => {
    const field = isRecord(manifest) ? manifest[name] : undefined;
    return isRecord(field) && typeof field.node === 'string' ? field.node : undefined;
  };
  const [, ofTools] = /^node(?:js)?\s+(\S+)/m.exec(texts['.tool-versions'] ?? '') ?? [];
  return [
    { source: '.nvmrc', text: texts['.nvmrc'] },
    { source: '.node-version', text: texts['.node-version'] },
    { source: '.tool-versions', text: ofTools },
    { source: 'volta in package.json', text: fieldOf('volta') },
    { source: 'engines in package.json', text: fieldOf('engines') },
  ];
}

/** Undefined for names like `lts/*` and `latest`, which the included version satisfies. */
function rangeOf(text: string): string | undefined {
  const [line = ''] = text.trim().split('\n', 1);
  const name = line
    .replace(/#.*/, '')
    .trim()
    .replace(/^v(?=\d)/, '');
  const [, lts] = /^lts[/-](\w+)$/.exec(name) ?? [];
  if (lts !== undefined) return LTS_NAMES[lts.toLowerCase()];
  return /\d/.test(name) && RANGE.test(name) ? name : undefined;
}

function versionOfOldTools({ manifest }: NodeProject): OldNode | undefined {
  const words = Object.values(manifest.scripts).flatMap((script) => script.split(/\s+/));
  const old = OLD_TOOLS.find(({ name, below, isOnlyInScripts = false }) => {
    const major = majorOf(manifest, name);
    return major !== undefined && major < below && (!isOnlyInScripts || words.includes(name));
  });
  return old && { range: old.node, source: `${old.name} ${manifest.dependencies[old.name]}` };
}
