import { type IntegrationResource, ROUTES } from '@longshore/contract';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { accountOf, providerName } from '../../lib/integration-names.ts';
import { ChevronRight, Container, GitBranch, PencilLine } from '../../ui/icons.tsx';
import { MESSAGES } from './messages.ts';

type ChooseStepProps = {
  integrations: IntegrationResource[];
  onManual(): void;
  onIntegration(integration: IntegrationResource): void;
};

/** Step 0: choose an integration or manual deployment. */
export function ChooseStep({ integrations, onManual, onIntegration }: ChooseStepProps) {
  return (
    <div className="grid gap-3 overflow-auto p-5">
      {integrations.map((integration) => (
        <Choice
          key={integration.id}
          icon={iconOf(integration)}
          title={accountOf(integration.values)}
          text={descriptionOf(integration)}
          onPress={() => onIntegration(integration)}
        />
      ))}
      <Choice
        icon={<PencilLine size={18} aria-hidden="true" />}
        title={MESSAGES.manual}
        text={MESSAGES.manualText}
        onPress={onManual}
      />
      {integrations.length === 0 && (
        <p className="px-1 text-xs text-faint">
          {MESSAGES.noIntegrations}
          <Link to={ROUTES.integrations} className="text-accent-ink underline underline-offset-4">
            {MESSAGES.connect}
          </Link>
        </p>
      )}
    </div>
  );
}

function iconOf({ values }: IntegrationResource): ReactNode {
  const Icon = values.type === 'docker' ? Container : GitBranch;
  return <Icon size={18} aria-hidden="true" />;
}

function descriptionOf({ values }: IntegrationResource): string {
  const host = values.host === undefined ? '' : ` · ${values.host}`;
  const note = values.state === 'reconnect' ? ` · ${MESSAGES.accessExpiredNote}` : '';
  return providerName(values.provider) + host + note;
}

type ChoiceProps = { icon: ReactNode; title: string; text: string; onPress(): void };

function Choice({ icon, title, text, onPress }: ChoiceProps) {
  return (
    <button
      type="button"
      onClick={onPress}
      className="flex items-center gap-4 rounded-box border border-line bg-surface p-4 text-left hover:border-line-strong hover:bg-hover hover:transition-colors hover:duration-100"
    >
      <span className="grid size-10 shrink-0 place-items-center rounded-box border border-line bg-sunken text-muted">
        {icon}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block font-semibold">{title}</span>
        <span className="block text-muted">{text}</span>
      </span>
      <ChevronRight size={16} aria-hidden="true" className="shrink-0 text-faint" />
    </button>
  );
}
