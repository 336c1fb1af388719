import { type AppResource, ROUTES, UPLOAD_PATHS, uploadDigest } from '@longshore/contract';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { useConfig } from '../../client/console-environment.tsx';
import { useServices } from '../../client/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Upload } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { MESSAGES } from './messages.ts';

const TEXTS = MESSAGES.upload;

type UploadCardProps = { app: AppResource; onSent(): void };

/** How to upload the source code of an app, for apps whose source is an upload. */
export function UploadCard({ app, onSent }: UploadCardProps) {
  const { services } = useConfig();
  const { uploads } = useServices();
  const picker = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  if (services.apps === undefined || uploads === undefined) return null;
  const command = uploadCommand(new URL(services.apps, location.origin).href, app.id);
  const digest = uploadDigest(app.values.source.url);

  async function send(archive: File): Promise<void> {
    setBusy(true);
    setFailure(undefined);
    const result = await uploads?.source(app.id, archive);
    setBusy(false);
    if (result?.ok) onSent();
    else setFailure(result?.error.message);
  }

  return (
    <Card title={TEXTS.title}>
      <div className="grid grid-cols-1 gap-3 p-4">
        <p className="wrap-anywhere text-muted">
          {digest === undefined ? `${TEXTS.none} ${TEXTS.waiting}` : TEXTS.current(digest)}
        </p>
        <p>
          {TEXTS.command}{' '}
          <Link
            to={ROUTES.security}
            className="rounded text-accent-ink underline-offset-4 hover:underline"
          >
            {TEXTS.tokens}
          </Link>
        </p>
        <div className="flex items-start gap-1 rounded-box border border-line bg-sunken p-1 pl-3">
          <code className="min-w-0 flex-1 py-2 font-mono text-[0.8125rem] wrap-anywhere">
            {command}
          </code>
          <CopyButton text={command} label={TEXTS.copy} />
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <p>{TEXTS.file}</p>
          <Button isBusy={isBusy} onClick={() => picker.current?.click()}>
            {!isBusy && <Upload size={16} aria-hidden="true" />}
            {isBusy ? TEXTS.sending : TEXTS.choose}
          </Button>
          <input
            ref={picker}
            type="file"
            accept=".tar.gz,.tgz,application/gzip"
            className="hidden"
            aria-label={TEXTS.choose}
            onChange={({ target }) => {
              const [archive] = target.files ?? [];
              target.value = '';
              if (archive !== undefined) void send(archive);
            }}
          />
        </div>
        {failure !== undefined && (
          <Notice tone="bad">
            {TEXTS.failed}: {failure}
          </Notice>
        )}
      </div>
    </Card>
  );
}

/** For a shell on the computer of the user. */
function uploadCommand(url: string, appId: string): string {
  const path = UPLOAD_PATHS.source.replace(':id', appId);
  return `tar -cz . | curl -X POST -T - -H "Authorization: Bearer $LONGSHORE_TOKEN" ${url}${path}`;
}
