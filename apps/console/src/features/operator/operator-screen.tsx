import { useServices } from '../../client/session-context.tsx';
import { useIsolation } from '../../client/use-isolation.ts';
import { useDocumentTitle } from '../../lib/use-document-title.ts';
import { ProofProvider } from '../../proof/proof-gate.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { AuditCard } from './audit-card.tsx';
import { CertificatesCard } from './certificates-card.tsx';
import { HealthCard } from './health-card.tsx';
import { InvitationsCard } from './invitations-card.tsx';
import { MESSAGES } from './messages.ts';
import { SignUpCard } from './sign-up-card.tsx';
import { UsersCard } from './users-card.tsx';

/** Sign-up, users and the state of the installation. The server answers operators only. */
export function OperatorScreen() {
  useDocumentTitle(MESSAGES.title);
  const { operator } = useServices();
  const isolation = useIsolation();
  if (operator === undefined) return null;
  if (isolation !== undefined && !isolation.isOperator) return <NotOperator />;
  return (
    <ProofProvider>
      <PageHeader title={MESSAGES.title} description={MESSAGES.description} />
      <div className="grid grid-cols-1 gap-4">
        <HealthCard operator={operator} />
        <CertificatesCard operator={operator} />
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
          <SignUpCard operator={operator} />
          <InvitationsCard operator={operator} />
        </div>
        <UsersCard operator={operator} />
        <AuditCard operator={operator} />
      </div>
    </ProofProvider>
  );
}

function NotOperator() {
  return <PageHeader title={MESSAGES.notOperator.title} description={MESSAGES.notOperator.text} />;
}
