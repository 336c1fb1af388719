import type { Checkout, Finding } from './build-plan.ts';

/** Folders with an index.html, in order of precedence. */
const SITE_FOLDERS = ['.', 'public', 'dist', 'site', 'www', 'html', 'docs', 'src'];

/** A static site without a build. */
export function detectSite({ files }: Checkout): Finding {
  const folder = SITE_FOLDERS.find((name) => files.includes(indexOf(name)));
  if (folder === undefined) {
    return { kind: 'lacks', sentence: `There is no index.html in ${SITE_FOLDERS.join(', ')}` };
  }
  return {
    kind: 'plan',
    plan: {
      runtime: 'static',
      evidence: [`Found ${indexOf(folder)}: serving the files beside it`],
      tools: [],
      env: {},
      path: [],
      steps: [],
      start: { kind: 'static', folders: [folder] },
    },
  };
}

/** The path of the index.html of a folder. */
function indexOf(folder: string): string {
  return folder === '.' ? 'index.html' : `${folder}/index.html`;
}
