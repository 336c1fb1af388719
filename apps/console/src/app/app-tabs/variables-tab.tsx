import { VariablesForm } from '../../features/deploy/variables-form.tsx';
import type { AppTabProps } from './app-tab-props.ts';

export function VariablesTab({ page: { app, history, view, markUpdating } }: AppTabProps) {
  return (
    <VariablesForm
      app={app}
      history={history}
      disabledReason={view.edit.reason}
      onSent={markUpdating}
    />
  );
}
