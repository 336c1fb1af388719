import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Trash2 } from '../../ui/icons.tsx';
import { MESSAGES } from './messages.ts';
import { deletionText } from './model/deletion.ts';
import type { AppPageState } from './use-app-page.ts';

/** What cannot be undone. */
export function DangerZone({ page: { app, setDeleting } }: { page: AppPageState }) {
  const { danger } = MESSAGES;
  return (
    <Card
      title={<span className="text-bad">{danger.title}</span>}
      className="border-bad-line! [&>header]:border-bad-line"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-4">
        <div className="min-w-0 flex-1 basis-64">
          <p className="font-medium wrap-anywhere">{danger.headline(app.values.name)}</p>
          <p className="text-muted">{deletionText(app.values)}</p>
        </div>
        <Button kind="danger" onClick={() => setDeleting(true)}>
          <Trash2 size={15} aria-hidden="true" />
          {danger.delete}
        </Button>
      </div>
    </Card>
  );
}
