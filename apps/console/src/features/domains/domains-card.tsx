import { type AppResource, type AppValues, customDomainsOf } from '@longshore/contract';
import { type FormEvent, useState } from 'react';
import { useConfig } from '../../client/console-environment.tsx';
import { useMutations } from '../../client/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Field } from '../../ui/field.tsx';
import { Globe } from '../../ui/icons.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { LOADING, TRY_AGAIN } from '../../ui/texts.ts';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { DomainItem, GeneratedItem } from './domain-item.tsx';
import { MESSAGES } from './messages.ts';
import { certificateView, generatedCertificateView } from './model/certificate-view.ts';
import { byAttention, domainView, needsAttention } from './model/domain-view.ts';
import { newDomainProblem, refusalText, withDomain, withoutDomain } from './model/edit-domains.ts';
import type { DomainsOfApp } from './use-app-domains.ts';

type DomainsCardProps = {
  app: AppResource;
  domains: DomainsOfApp;
  /** Why domains cannot be changed now. */
  disabledReason: string | undefined;
  /** Called after a change was sent. */
  onSent(): void;
};

/** The custom domains of an app: what to create in DNS, what DNS answers, and adding and removing domains in place. */
export function DomainsCard({ app, domains, disabledReason, onSent }: DomainsCardProps) {
  const { ingress } = useConfig();
  const { state, reload, checking, check, retrying, retry } = domains;
  const [removing, setRemoving] = useState<string>();
  if (!app.values.publicAccess.enabled) return <NotPublic />;
  const installation = state.kind === 'ready' ? state.data : undefined;
  const domainsByNeed = installation ? byAttention(installation.domains) : [];
  const count = domainsByNeed.length;
  const attention = domainsByNeed.filter(needsAttention).length;
  return (
    <Card
      title={
        <span className="flex flex-wrap items-baseline gap-x-2.5">
          {MESSAGES.title}
          {count > 0 && <span className="font-normal text-muted tabular-nums">{count}</span>}
          {attention > 0 && (
            <span className="text-xs font-normal text-muted">{MESSAGES.attention(attention)}</span>
          )}
        </span>
      }
    >
      <AddDomainForm app={app} disabledReason={disabledReason} onSent={onSent} />
      {state.kind === 'loading' &&
        customDomainsOf(app.values).map((domain) => (
          <div key={domain} role="status" className="border-t border-line p-4">
            <span className="sr-only">{LOADING}</span>
            <Skeleton className="h-10" />
          </div>
        ))}
      {state.kind === 'failed' && (
        <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line p-4">
          <p role="alert" className="text-bad">
            {state.message || MESSAGES.loadFailed}
          </p>
          <Button onClick={reload}>{TRY_AGAIN}</Button>
        </div>
      )}
      {installation !== undefined && (
        <ul>
          {domainsByNeed.map((status) => (
            <DomainItem
              key={status.domain}
              view={domainView(status, { ...installation, publicIp: ingress.publicIp })}
              certificate={certificateView(status.domain, status.certificate)}
              isRetrying={retrying === status.domain}
              onRetry={() => retry(status.domain)}
              checkedAt={status.checkedAt}
              isChecking={checking === status.domain}
              disabledReason={disabledReason}
              onCheck={() => check(status.domain)}
              onRemove={() => setRemoving(status.domain)}
            />
          ))}
          <GeneratedItem
            domain={installation.generatedHost}
            certificate={generatedCertificateView(installation)}
            isRetrying={retrying === installation.generatedHost}
            onRetry={() => retry(installation.generatedHost)}
          />
        </ul>
      )}
      {removing !== undefined && (
        <RemoveDomainDialog
          app={app}
          domain={removing}
          onSent={onSent}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Card>
  );
}

function NotPublic() {
  const { title, text } = MESSAGES.notPublic;
  return (
    <EmptyState icon={<Globe size={20} aria-hidden="true" />} title={title}>
      {text}
    </EmptyState>
  );
}

function AddDomainForm({ app, disabledReason, onSent }: Omit<DomainsCardProps, 'domains'>) {
  const texts = MESSAGES.add;
  const { save, isSaving } = useSaveDomains(app, onSent);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isSaving || disabledReason !== undefined) return;
    const found = newDomainProblem(text, app.values);
    setProblem(found);
    if (found !== undefined) return;
    const refusal = await save(withDomain(app.values, text));
    setProblem(refusal && (refusal.text || texts.failed));
    if (refusal === undefined) setText('');
  }

  return (
    <form
      noValidate
      className="flex items-start gap-3 p-4"
      onSubmit={(event) => void submit(event)}
    >
      <div className="min-w-0 flex-1">
        <Field
          label={texts.label}
          placeholder={texts.placeholder}
          hint={texts.hint}
          problem={problem}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setProblem(undefined);
          }}
        />
      </div>
      <Tooltip text={disabledReason}>
        <Button
          type="submit"
          kind="primary"
          className="mt-6.5 shrink-0"
          isBusy={isSaving}
          isDisabled={disabledReason !== undefined}
        >
          {texts.submit}
        </Button>
      </Tooltip>
    </form>
  );
}

type RemoveDomainDialogProps = Pick<DomainsCardProps, 'app' | 'onSent'> & {
  domain: string;
  onClose(): void;
};

function RemoveDomainDialog({ app, domain, onSent, onClose }: RemoveDomainDialogProps) {
  const texts = MESSAGES.removal;
  const toast = useToast();
  const { save, isSaving } = useSaveDomains(app, onSent);

  async function remove() {
    const refusal = await save(withoutDomain(app.values, domain));
    if (refusal !== undefined) toast({ tone: 'bad', title: texts.failed, text: refusal.text });
    onClose();
  }

  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title={texts.title(domain)}
      confirmLabel={texts.confirm}
      isBusy={isSaving}
      onConfirm={() => void remove()}
    >
      <p>{texts.text}</p>
      <p>{texts.dns}</p>
    </ConfirmDialog>
  );
}

/** `save` returns why the server refused the change. */
function useSaveDomains(app: AppResource, onSent: () => void) {
  const { updateApp } = useMutations();
  const [isSaving, setSaving] = useState(false);
  async function save(values: AppValues): Promise<{ text: string } | undefined> {
    setSaving(true);
    const result = await updateApp(app.id, values, app.updatedAt);
    setSaving(false);
    if (result.ok) {
      onSent();
      return undefined;
    }
    const { error, message } = result.error;
    return { text: error === 'conflict' ? MESSAGES.conflict : refusalText(message) };
  }
  return { save, isSaving };
}
