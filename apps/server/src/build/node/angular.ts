import { isRecord } from '@longshore/contract';
import { type FrameworkRule, innerFolder } from './framework.ts';
import { parseJson } from './package-json.ts';
import { OUTPUT_FOLDERS } from './site-generators.ts';

export const angular: FrameworkRule = ({ manifest, checkout }) => {
  if (manifest.dependencies['@angular/core'] === undefined) return undefined;
  const { name, options } = applicationOf(checkout.texts['angular.json'] ?? '');
  const { outputPath } = options;
  const given = isRecord(outputPath) ? outputPath.base : outputPath;
  const folder = innerFolder(typeof given === 'string' ? given : `dist/${name}`) ?? 'dist';
  const build = ['ng', 'build'] as const;
  const env = { NG_CLI_ANALYTICS: 'false' };
  if (options.ssr !== undefined && options.ssr !== false && options.outputMode !== 'static') {
    const argv = ['node', `${folder}/server/server.mjs`] as const;
    return { name: 'Angular with a server', build, env, start: { kind: 'command', argv } };
  }
  const usual = [`${folder}/browser`, folder, 'dist/browser', 'dist'];
  // Without this file, another tool builds the project.
  const others = checkout.files.includes('angular.json') ? [] : OUTPUT_FOLDERS;
  const folders = [...new Set([...usual, ...others])];
  return { name: 'Angular', build, env, start: { kind: 'static', folders, isSinglePage: true } };
};

type Application = { name: string; options: Record<string, unknown> };

/** The first application of the workspace, and the options of its build. */
function applicationOf(text: string): Application {
  const workspace = parseJson(text);
  const projects = isRecord(workspace) && isRecord(workspace.projects) ? workspace.projects : {};
  const applications = Object.entries(projects).filter(
    ([, project]) => isRecord(project) && project.projectType !== 'library',
  );
  const [name = 'app', project] = applications[0] ?? [];
  const targets = isRecord(project) ? (project.architect ?? project.targets) : undefined;
  const build = isRecord(targets) ? targets.build : undefined;
  const options = isRecord(build) && isRecord(build.options) ? build.options : {};
  return { name, options };
}
