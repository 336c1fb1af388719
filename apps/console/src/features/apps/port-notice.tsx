import { type AppValues, mainPort, PORT_VARIABLE } from '@longshore/contract';
import { Notice } from '../../ui/notice.tsx';
import { ChangeSettingsButton } from './change-settings-button.tsx';
import { MESSAGES } from './messages.ts';
import type { ButtonView } from './model/app-view.ts';

type PortNoticeProps = { values: AppValues; edit: ButtonView; onEdit(): void };

/** For apps of older versions, which could have a PORT variable. */
export function PortNotice({ values: { env, ports }, edit, onEdit }: PortNoticeProps) {
  const port = mainPort(ports);
  if (env[PORT_VARIABLE] === undefined || port === undefined) return null;
  return (
    <Notice tone="idle">
      <p className="font-medium text-text">{MESSAGES.ignoredPort.headline}</p>
      <p className="mt-0.5">{MESSAGES.ignoredPort.details(port)}</p>
      <div className="mt-3">
        <ChangeSettingsButton edit={edit} onEdit={onEdit} />
      </div>
    </Notice>
  );
}
