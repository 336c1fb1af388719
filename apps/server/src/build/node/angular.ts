import { isRecord } from '@longshore/contract';
import { type FrameworkPlan, type FrameworkRule, innerFolder } from './framework.ts';
import { parseJson } from './package-json.ts';
import { OUTPUT_FOLDERS } from './site-generators.ts';

export const angular: FrameworkRule = ({ manifest, checkout }) => {
  if (manifest.dependencies['@angular/core'] === undefined) return undefined;
  const application = applicationOf(checkout.texts['angular.json'] ?? '');
  const { name, options } = application;
  const { outputPath } = options;
  const given = isRecord(outputPath) ? outputPath.base : outputPath;
  const folder = innerFolder(typeof given === 'string' ? given : `dist/${name}`) ?? 'dist';
  const ofBuild = {
    build: ['ng', 'build'] as const,
    env: { NG_CLI_ANALYTICS: 'false' },
    ...productionOption(application),
  };
  if (options.ssr !== undefined && options.ssr !== false && options.outputMode !== 'static') {
    const argv = ['node', `${folder}/server/server.mjs`] as const;
    return { name: 'Angular with a server', ...ofBuild, start: { kind: 'command', argv } };
  }
  const usual = [`${folder}/browser`, folder, 'dist/browser', 'dist'];
  // Without this file, another tool builds the project.
  const others = checkout.files.includes('angular.json') ? [] : OUTPUT_FOLDERS;
  const folders = [...new Set([...usual, ...others])];
  return { name: 'Angular', ...ofBuild, start: { kind: 'static', folders, isSinglePage: true } };
};

type Application = {
  name: string;
  options: Record<string, unknown>;
  /** Whether its build is one for development unless the command asks for production. */
  needsProductionOption: boolean;
};

/** Without it, `ng build` takes the configuration for development where the workspace names no default. */
function productionOption({
  needsProductionOption,
}: Application): Pick<
  FrameworkPlan,
  'buildOptions' | 'ownBuildOptions' | 'areBuildOptionsOptional'
> {
  if (!needsProductionOption) return {};
  return {
    buildOptions: ['--configuration=production'],
    ownBuildOptions: /\s(?:--prod\b|--configuration\b|-c\b)/,
    // The configuration may have limits of size that the author never met.
    areBuildOptionsOptional: true,
  };
}

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
  if (!isRecord(build)) return { name, options: {}, needsProductionOption: false };
  const { options, configurations, defaultConfiguration } = build;
  const hasProduction = isRecord(configurations) && isRecord(configurations.production);
  return {
    name,
    options: isRecord(options) ? options : {},
    needsProductionOption: hasProduction && defaultConfiguration === undefined,
  };
}
