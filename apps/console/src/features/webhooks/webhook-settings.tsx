import type { AppResource, Pin, Webhook } from '@longshore/contract';
import { useState } from 'react';
import { errorText } from '../../client/error-text.ts';
import { useServices } from '../../client/session-context.tsx';
import { useRequest } from '../../client/use-request.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SwitchField } from '../../ui/switch-field.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';
import { CopyableLine, SecretLine } from './secret-line.tsx';

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

type WebhookSettingsProps = {
  app: AppResource;
  pin: Pin | undefined;
  webhook: Webhook;
  onChanged(): void;
};

export function WebhookSettings({ app, pin, webhook, onChanged }: WebhookSettingsProps) {
  const { connect } = useServices();
  const { isBusy, send } = useRequest((isOn: boolean) => connect.switchWebhook(app.id, isOn));
  const toast = useToast();
  const [note, setNote] = useState<string>();
  const { ref } = app.values.source;

  async function switchWebhook(isOn: boolean) {
    if (isBusy) return;
    const result = await send(isOn);
    setNote(result.ok ? result.data.note : undefined);
    if (!result.ok) {
      toast({ tone: 'bad', title: MESSAGES.switchFailed, text: errorText(result.error) });
    }
    onChanged();
  }

  return (
    <div className="grid gap-3 px-4 py-3">
      <SwitchField
        label={MESSAGES.switch}
        hint={hintOf(webhook.state, ref, pin)}
        isOn={webhook.state !== 'off'}
        onChange={(isOn) => void switchWebhook(isOn)}
      />
      {webhook.state === 'manual' && note !== undefined && (
        <Notice tone="idle">
          {MESSAGES.notRegistered} {note}
        </Notice>
      )}
      {webhook.state === 'manual' && <ManualWebhook url={webhook.url} secret={webhook.secret} />}
    </div>
  );
}

function hintOf(state: Webhook['state'], ref: string, pin: Pin | undefined): string {
  if (state !== 'off' && pin !== undefined) return MESSAGES.paused(pin.follows);
  if (state !== 'off' && COMMIT.test(ref)) return MESSAGES.pinned;
  switch (state) {
    case 'off':
      return MESSAGES.off;
    case 'registered':
      return MESSAGES.registered(ref);
    case 'manual':
      return MESSAGES.manual(ref);
  }
}

/** URL and secret to enter at the provider. The secret is masked until revealed. */
function ManualWebhook({ url, secret }: { url: string; secret: string }) {
  return (
    <div className="grid gap-2">
      <dl className="grid gap-2 rounded-box border border-line bg-sunken py-2 pr-1 pl-3">
        <CopyableLine name={MESSAGES.url} value={url}>
          <CopyButton text={url} label={MESSAGES.copyUrl} />
        </CopyableLine>
        <SecretLine
          name={MESSAGES.secret}
          value={secret}
          masked={'•'.repeat(16)}
          labels={{ show: MESSAGES.show, hide: MESSAGES.hide, copy: MESSAGES.copySecret }}
        />
      </dl>
      <p className="text-xs text-faint">{MESSAGES.manualHint}</p>
    </div>
  );
}
