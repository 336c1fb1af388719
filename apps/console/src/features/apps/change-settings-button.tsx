import { Button } from '../../ui/button.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { MESSAGES } from './messages.ts';
import type { ButtonView } from './model/app-view.ts';

/** Opens the form of an app from a notice. A tooltip explains why it is disabled. */
export function ChangeSettingsButton({ edit, onEdit }: { edit: ButtonView; onEdit(): void }) {
  return (
    <Tooltip text={edit.reason}>
      <Button size="small" isDisabled={edit.isDisabled} onClick={onEdit}>
        {MESSAGES.changeSettings}
      </Button>
    </Tooltip>
  );
}
