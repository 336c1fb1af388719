import type { Argv, Checkout, Finding, WebCommand } from '../build-plan.ts';
import { HOST, PORT } from '../command-line.ts';

const OUTPUT = '.longshore/dotnet';
const NAME = /([\w.-]+)\.csproj$/;

/** The only project of a web app: a .csproj with the SDK for the web. */
export function detectDotnet({ texts }: Checkout, web: WebCommand | undefined): Finding {
  const projects = Object.keys(texts).filter((file) => NAME.test(file));
  if (projects.length === 0) return { kind: 'lacks', sentence: 'There is no .csproj' };
  const sites = projects.filter((file) => texts[file]?.includes('Microsoft.NET.Sdk.Web'));
  const [project] = sites;
  if (project === undefined || sites.length > 1) {
    const sentence = `There are ${sites.length} web projects (.csproj): enter the root directory of one`;
    return { kind: 'lacks', sentence };
  }
  const [, name = ''] = NAME.exec(project) ?? [];
  const publish: Argv = ['dotnet', 'publish', project, '-c', 'Release', '-o', OUTPUT];
  const argv: Argv = ['dotnet', `${OUTPUT}/${name}.dll`, '--urls', `http://${HOST}:${PORT}`];
  return {
    kind: 'plan',
    plan: {
      runtime: 'dotnet',
      evidence: [`Found ${project}: publishing it`],
      tools: ['dotnet'],
      env: { DOTNET_CLI_TELEMETRY_OPTOUT: '1', DOTNET_NOLOGO: '1' },
      path: [],
      steps: [{ kind: 'build', label: 'dotnet publish', argv: publish }],
      start: web?.command ?? { kind: 'command', argv, env: {} },
    },
  };
}
