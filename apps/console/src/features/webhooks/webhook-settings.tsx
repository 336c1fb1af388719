import type { AppResource, Webhook } from '@longshore/contract';
import { useState } from 'react';
import { errorText } from '../../client/error-text.ts';
import { useServices } from '../../client/session-context.tsx';
import { useRequest } from '../../client/use-request.ts';
import { Notice } from '../../ui/notice.tsx';
import { SwitchField } from '../../ui/switch-field.tsx';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { ManualWebhook } from './manual-webhook.tsx';
import { MESSAGES } from './messages.ts';

type WebhookSettingsProps = { app: AppResource; webhook: Webhook; onChanged(): void };

export function WebhookSettings({ app, webhook, onChanged }: WebhookSettingsProps) {
  const { connect } = useServices();
  const { isBusy, send } = useRequest((isOn: boolean) => connect.switchWebhook(app.id, isOn));
  const toast = useToast();
  const [note, setNote] = useState<string>();
  const { ref } = app.values.source;

  async function change(isOn: boolean) {
    if (isBusy) return;
    const answer = await send(isOn);
    setNote(answer.ok ? answer.data.note : undefined);
    if (!answer.ok) {
      toast({ tone: 'bad', title: MESSAGES.switchFailed, text: errorText(answer.error) });
    }
    onChanged();
  }

  return (
    <div className="grid gap-3 px-4 py-3">
      <SwitchField
        label={MESSAGES.switch}
        hint={hintOf(webhook.state, ref)}
        isOn={webhook.state !== 'off'}
        onChange={(isOn) => void change(isOn)}
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

function hintOf(state: Webhook['state'], ref: string): string {
  switch (state) {
    case 'off':
      return MESSAGES.off;
    case 'registered':
      return MESSAGES.registered(ref);
    case 'manual':
      return MESSAGES.manual(ref);
  }
}
