import type { AppResource, AppValues } from '@longshore/contract';
import { clsx } from 'clsx';
import { BreakableUrl } from '../../ui/breakable-url.tsx';
import { Card } from '../../ui/card.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { MESSAGES } from './messages.ts';

const ROW = 'flex gap-4 py-1.5';
const NAME = 'w-24 shrink-0 text-faint';

export function ConfigurationCard({ app }: { app: AppResource }) {
  return (
    <Card title={MESSAGES.configuration.title}>
      <dl className="px-4 py-2.5">
        {settingsOf(app.values).map(({ name, value, isCode }) => (
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

function settingsOf({ source, container, ports, env, publicAccess }: AppValues): Setting[] {
  const texts = MESSAGES.configuration;
  const origin = source.enabled
    ? [code(texts.source, source.url), code(texts.ref, source.ref)]
    : [code(texts.image, container.image)];
  return [
    ...origin,
    code(texts.port, ports.map((port) => String(port.number)).join(', ')),
    plain(texts.publicAccess, publicAccess.enabled ? texts.on : texts.off),
    plain(texts.env, texts.variables(Object.keys(env).length)),
  ];
}

function code(name: string, value: string): Setting {
  return { name, value, isCode: true };
}

function plain(name: string, value: string): Setting {
  return { name, value, isCode: false };
}
