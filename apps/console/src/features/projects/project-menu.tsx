import { type ProjectResource, ROUTES } from '@longshore/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CornerDownRight, Pencil, Trash2 } from '../../ui/icons.tsx';
import { Menu, type MenuChoice } from '../../ui/menu.tsx';
import { MESSAGES } from './messages.ts';
import type { AppLink } from './model/cards.ts';
import { ProjectDialog } from './project-dialog.tsx';
import { useProjectActions } from './use-project-actions.ts';

const { menu: TEXTS } = MESSAGES;

type Open = 'nothing' | 'rename' | 'delete';
type ProjectMenuProps = { project: ProjectResource; apps: AppLink[]; onDeleted?(): void };

export function ProjectMenu({ project, apps, onDeleted }: ProjectMenuProps) {
  const { rename, remove } = useProjectActions();
  const [open, setOpen] = useState<Open>('nothing');
  const { name } = project.values;
  const navigate = useNavigate();
  const close = () => setOpen('nothing');

  async function removeProject(): Promise<boolean> {
    const isDone = await remove(project, apps.length);
    if (isDone) onDeleted?.();
    return isDone;
  }

  const openApp: MenuChoice = {
    label: TEXTS.open,
    icon: <CornerDownRight size={15} aria-hidden="true" />,
    choices: apps.map((app) => ({
      label: app.name,
      onChoose: () => void navigate(ROUTES.app(project.id, app.id)),
    })),
  };

  return (
    <>
      <Menu
        label={TEXTS.label(name)}
        choices={[
          ...(apps.length > 0 ? [openApp] : []),
          {
            label: TEXTS.rename,
            icon: <Pencil size={15} aria-hidden="true" />,
            onChoose: () => setOpen('rename'),
          },
          {
            label: TEXTS.delete,
            icon: <Trash2 size={15} aria-hidden="true" />,
            isDanger: true,
            onChoose: () => (apps.length > 0 ? void removeProject() : setOpen('delete')),
          },
        ]}
      />
      {open === 'rename' && (
        <ProjectDialog
          title={MESSAGES.renaming}
          action={TEXTS.rename}
          initialName={name}
          onClose={close}
          onSubmit={(newName) => rename(project, newName)}
        />
      )}
      {open === 'delete' && (
        <DeleteProjectDialog name={name} onClose={close} onDelete={removeProject} />
      )}
    </>
  );
}

type DeleteProjectDialogProps = { name: string; onClose(): void; onDelete(): Promise<boolean> };

function DeleteProjectDialog({ name, onClose, onDelete }: DeleteProjectDialogProps) {
  const [isBusy, setBusy] = useState(false);
  async function confirm() {
    setBusy(true);
    await onDelete();
    setBusy(false);
    onClose();
  }
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title={MESSAGES.deletion.title(name)}
      confirmLabel={MESSAGES.menu.delete}
      isBusy={isBusy}
      onConfirm={() => void confirm()}
    >
      <p>{MESSAGES.deletion.text}</p>
    </ConfirmDialog>
  );
}
