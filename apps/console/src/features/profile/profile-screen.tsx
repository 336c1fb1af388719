import { ROUTES } from '@longshore/contract';
import { Link, useSearchParams } from 'react-router';
import { useUser } from '../../client/session-context.tsx';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { ProofGate, ProofProvider } from '../../proof/proof-gate.tsx';
import { Button } from '../../ui/button.tsx';
import { buttonStyle } from '../../ui/button-style.ts';
import { Card } from '../../ui/card.tsx';
import { KeyRound, ShieldCheck } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { AppearanceCard } from './appearance-card.tsx';
import { ChangePasswordDialog } from './change-password-dialog.tsx';
import { IdentityCard } from './identity-card.tsx';
import { MESSAGES } from './messages.ts';
import { profileView } from './model/profile-view.ts';
import { UsageCard } from './usage-card.tsx';

export function ProfileScreen() {
  useDocumentTitle(MESSAGES.title);
  const view = profileView(useUser());
  const passwordDialog = usePasswordDialog();
  return (
    <ProofProvider>
      <PageHeader title={MESSAGES.title} description={MESSAGES.description} />
      <div className="grid items-start gap-4 lg:grid-cols-[2fr_1fr]">
        <div className="grid min-w-0 gap-4">
          <IdentityCard view={view} />
          <UsageCard />
        </div>
        <div className="grid gap-4">
          <Card title={MESSAGES.settings}>
            <div className="flex flex-wrap gap-2 p-4">
              <Button onClick={passwordDialog.open}>
                <KeyRound size={15} aria-hidden="true" />
                {MESSAGES.changePassword}
              </Button>
              <Link to={ROUTES.security} className={buttonStyle('secondary', 'normal')}>
                <ShieldCheck size={15} aria-hidden="true" />
                {MESSAGES.security}
              </Link>
            </div>
          </Card>
          <AppearanceCard />
        </div>
      </div>
      {passwordDialog.isOpen && (
        <ProofGate onCancel={passwordDialog.close}>
          <ChangePasswordDialog email={view.email} onClose={passwordDialog.close} />
        </ProofGate>
      )}
    </ProofProvider>
  );
}

const PASSWORD_DIALOG_PARAMETER = 'change-password';

/** Opened by a URL parameter: the link in a reset email sets it (`ROUTES.newPassword`), and Back closes the dialog. */
function usePasswordDialog() {
  const [search, setSearch] = useSearchParams();
  return {
    isOpen: search.has(PASSWORD_DIALOG_PARAMETER),
    open: () => setSearch({ [PASSWORD_DIALOG_PARAMETER]: '' }),
    close: () => setSearch({}, { replace: true }),
  };
}
