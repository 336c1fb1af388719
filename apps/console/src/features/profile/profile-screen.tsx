import { useUser } from '../../backend/live-context.tsx';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Pill } from '../../ui/pill.tsx';
import { Avatar } from './avatar.tsx';
import { ChangePasswordDialog } from './change-password-dialog.tsx';
import { MESSAGES } from './messages.ts';
import { profileView } from './model/profile-view.ts';
import { usePasswordDialog } from './use-password-dialog.ts';

export function ProfileScreen() {
  useDocumentTitle(MESSAGES.title);
  const view = profileView(useUser());
  const passwordDialog = usePasswordDialog();
  const facts = [
    { name: 'Email', value: view.email },
    { name: 'Account', value: view.account },
    { name: 'Locale', value: view.locale },
  ];
  return (
    <>
      <PageHeader title={MESSAGES.title} description={MESSAGES.description} />
      <div className="grid items-start gap-4 lg:grid-cols-[2fr_1fr]">
        <Card title={view.name}>
          <div className="flex items-center gap-4 px-4 pt-4">
            <Avatar initials={view.initials} colour={view.avatarColour} />
            <p className="text-muted">Joined {view.joined}</p>
          </div>
          <dl className="px-4 py-3">
            {facts.map(({ name, value }) => (
              <div key={name} className="flex gap-4 py-1.5">
                <dt className="w-20 shrink-0 text-faint">{name}</dt>
                <dd className="min-w-0">{value}</dd>
              </div>
            ))}
            <div className="flex items-center gap-4 py-1.5">
              <dt className="w-20 shrink-0 text-faint">Roles</dt>
              <dd className="flex flex-wrap gap-1.5">
                {view.roles.map((role) => (
                  <Pill key={role}>{role}</Pill>
                ))}
              </dd>
            </div>
          </dl>
        </Card>
        <Card title={MESSAGES.settings}>
          <div className="p-4">
            <Button onClick={passwordDialog.open}>{MESSAGES.changePassword}</Button>
          </div>
        </Card>
      </div>
      {passwordDialog.isOpen && (
        <ChangePasswordDialog email={view.email} onClose={passwordDialog.close} />
      )}
    </>
  );
}
