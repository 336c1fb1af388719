import type { BuildPlan } from './build-plan.ts';

const LANGUAGES: Record<string, string> = { node: 'Node.js', python: 'Python', go: 'Go' };
/** What follows the name of what was found. */
const DETAILS = /: (?:starting|serving|building|a site) .*$|, and nothing .*$/;

/** What a project is, in a few words: its framework, or its language and the file that shows it. */
export function summaryOf({ evidence, runtime }: Pick<BuildPlan, 'evidence' | 'runtime'>): string {
  const found = (evidence[0] ?? '').replace(/^Found (?:an? )?/, '').replace(DETAILS, '');
  const language = LANGUAGES[runtime];
  const isFile = /^(?:[\w./-]+\.\w+|Procfile)\b/.test(found) && !/^\w+\.js$/.test(found);
  return isFile && language !== undefined ? `${language} (${found})` : found;
}
