import type { ProjectResource } from '@longshore/contract';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Menu } from '../../ui/menu.tsx';
import { DeleteProjectDialog } from './delete-project-dialog.tsx';
import { ProjectDialog } from './project-dialog.tsx';
import { useProjectActions } from './use-project-actions.ts';

type Open = 'nothing' | 'rename' | 'delete';
type ProjectMenuProps = { project: ProjectResource; appCount: number; onDeleted?(): void };

export function ProjectMenu({ project, appCount, onDeleted }: ProjectMenuProps) {
  const { rename, remove } = useProjectActions();
  const [open, setOpen] = useState<Open>('nothing');
  const { name } = project.values;
  const close = () => setOpen('nothing');

  async function removeAndTell(): Promise<boolean> {
    const isDone = await remove(project, appCount);
    if (isDone) onDeleted?.();
    return isDone;
  }

  return (
    <>
      <Menu
        label={`Actions for ${name}`}
        choices={[
          {
            label: 'Rename',
            icon: <Pencil size={15} aria-hidden="true" />,
            onChoose: () => setOpen('rename'),
          },
          {
            label: 'Delete',
            icon: <Trash2 size={15} aria-hidden="true" />,
            isDanger: true,
            onChoose: () => (appCount > 0 ? void removeAndTell() : setOpen('delete')),
          },
        ]}
      />
      {open === 'rename' && (
        <ProjectDialog
          title="Rename project"
          action="Rename"
          initialName={name}
          onClose={close}
          onSubmit={(newName) => rename(project, newName)}
        />
      )}
      {open === 'delete' && (
        <DeleteProjectDialog name={name} onClose={close} onDelete={removeAndTell} />
      )}
    </>
  );
}
