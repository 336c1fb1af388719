import type { Checkout, Detection, StartPlan } from './build-plan.ts';
import { detectNode } from './detect-node.ts';

/** Where an index.html may lie, in the order we look. */
const SITE_FOLDERS = ['.', 'public', 'dist'];

/** How to build and start a checkout, by the files in it. */
export function detect(checkout: Checkout): Detection {
  const node = detectNode(checkout);
  if (node !== undefined) return { kind: 'plan', plan: node };
  const folder = SITE_FOLDERS.find((name) => checkout.files.includes(indexOf(name)));
  if (folder === undefined) return { kind: 'nothing', evidence: lookedFor(checkout) };
  const evidence = [`Found ${indexOf(folder)}: serving the files beside it`];
  const start: StartPlan = { kind: 'static', folders: [folder] };
  return { kind: 'plan', plan: { runtime: 'static', evidence, steps: [], start } };
}

/** The path of the page that makes a folder a site. */
export function indexOf(folder: string): string {
  return folder === '.' ? 'index.html' : `${folder}/index.html`;
}

function lookedFor({ packageJson }: Checkout): string[] {
  return [
    packageJson === undefined
      ? 'There is no package.json'
      : 'package.json has no start script, no build script and no server.js beside it',
    `There is no index.html in ${SITE_FOLDERS.join(', ')}`,
    'Add a start script to package.json, or an index.html',
  ];
}
