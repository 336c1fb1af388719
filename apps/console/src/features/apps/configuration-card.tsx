import {
  type AppResource,
  type AppValues,
  type ConsoleConfig,
  DEFAULT_PORT,
  type Detected,
  isUploadUrl,
  mainPort,
  replicasOf,
  uploadDigest,
} from '@longshore/contract';
import { clsx } from 'clsx';
import { useConfig } from '../../client/console-environment.tsx';
import { tierText } from '../../lib/tier-text.ts';
import { BreakableUrl } from '../../ui/breakable-url.tsx';
import { Card } from '../../ui/card.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { MESSAGES } from './messages.ts';

const ROW = 'flex gap-4 py-1.5';
const NAME = 'w-24 shrink-0 text-faint';

type ConfigurationCardProps = {
  app: AppResource;
  /** About the release that serves, or the last one. */
  detected: Detected;
};

export function ConfigurationCard({ app, detected }: ConfigurationCardProps) {
  const { tiers } = useConfig();
  return (
    <Card title={MESSAGES.configuration.title}>
      <dl className="px-4 py-2.5">
        {settingsOf(app.values, detected, tiers).map(({ name, value, isCode }) => (
          <div key={name} className={ROW}>
            <dt className={NAME}>{name}</dt>
            <dd className={clsx('min-w-0', isCode && 'font-mono text-[0.8125rem]')}>
              <BreakableUrl>{value}</BreakableUrl>
            </dd>
          </div>
        ))}
        <div className={ROW}>
          <dt className={NAME}>{MESSAGES.configuration.created}</dt>
          <dd>
            <TimeAgo at={app.createdAt} />
          </dd>
        </div>
      </dl>
    </Card>
  );
}

type Setting = { name: string; value: string; isCode: boolean };

function settingsOf(
  values: AppValues,
  detected: Detected,
  tiers: ConsoleConfig['tiers'],
): Setting[] {
  const { source, container, ports, env, publicAccess, resourceTier } = values;
  const texts = MESSAGES.configuration;
  return [
    ...originOf(source, container),
    ...detectionOf(values, detected),
    code(texts.port, portText(ports, detected)),
    ...(tiers === undefined ? [] : [plain(texts.size, tierText(resourceTier, tiers))]),
    ...(replicasOf(values) === 1 ? [] : [plain(texts.instances, String(replicasOf(values)))]),
    plain(texts.publicAccess, publicAccess.enabled ? texts.on : texts.off),
    plain(texts.env, texts.variables(Object.keys(env).length)),
  ];
}

/** How the app is built and started: what is typed, else what was detected. */
function detectionOf({ build, run }: AppValues, detected: Detected): Setting[] {
  const texts = MESSAGES.configuration;
  const buildCommand = build?.buildCommand ?? detected.buildCommand;
  const folder = build?.outputDirectory ?? detected.outputDirectory;
  const start = run?.command ?? detected.startCommand;
  return [
    ...(detected.summary === undefined ? [] : [plain(texts.detected, detected.summary)]),
    ...(build?.rootDirectory === undefined ? [] : [code(texts.root, build.rootDirectory)]),
    ...(buildCommand === undefined ? [] : [code(texts.build, buildCommand)]),
    ...(start === undefined || folder !== undefined ? [] : [code(texts.start, start)]),
    ...(folder === undefined ? [] : [code(texts.serves, folder)]),
  ];
}

function portText(ports: AppValues['ports'], { port }: Detected): string {
  const configured = ports.map(({ number }) => String(number)).join(', ');
  // Otherwise the port was typed, and nothing else is used.
  const isOther = port !== undefined && mainPort(ports) === DEFAULT_PORT;
  return isOther ? MESSAGES.configuration.listensOn(configured, port) : configured;
}

function originOf(source: AppValues['source'], container: AppValues['container']): Setting[] {
  const texts = MESSAGES.configuration;
  if (!source.enabled) return [code(texts.image, container.image)];
  if (!isUploadUrl(source.url))
    return [code(texts.source, source.url), code(texts.ref, source.ref)];
  const digest = uploadDigest(source.url);
  const uploaded = plain(texts.source, digest === undefined ? texts.noUpload : texts.upload);
  return digest === undefined ? [uploaded] : [uploaded, code(texts.digest, digest)];
}

function code(name: string, value: string): Setting {
  return { name, value, isCode: true };
}

function plain(name: string, value: string): Setting {
  return { name, value, isCode: false };
}
