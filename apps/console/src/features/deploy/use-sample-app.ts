import { ROUTES } from '@longshore/contract';
import { useState } from 'react';
import { useConfig } from '../../client/console-environment.tsx';
import { useMutations, useServices } from '../../client/session-context.tsx';
import { useNavigateIfStillHere } from '../../lib/use-navigate-if-still-here.ts';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';
import { appValuesFromDraft } from './model/draft-conversion.ts';
import { startState } from './model/wizard.ts';

const TEXTS = MESSAGES.start;
const PORT = '3000';

/** Deploys the sample app, and goes to its page. Without a project, one is created for it. */
export function useSampleApp() {
  const { createApp, createProject } = useMutations();
  const { uploads } = useServices();
  const { ingress } = useConfig();
  const navigateIfStillHere = useNavigateIfStillHere();
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);

  async function deploy(existingProjectId?: string): Promise<void> {
    setBusy(true);
    const project =
      existingProjectId === undefined
        ? await createProject({ name: TEXTS.sampleProject })
        : ({ ok: true, id: existingProjectId } as const);
    if (!project.ok) return fail(project.error.message);
    const draft = { ...startState('upload').draft, appName: TEXTS.sampleName, port: PORT };
    const { baseDomain } = ingress;
    const app = await createApp(appValuesFromDraft(draft, { projectId: project.id, baseDomain }));
    if (!app.ok) return fail(app.error.message);
    const sent = await uploads?.sample(app.id);
    if (sent?.ok === false) fail(sent.error.message);
    navigateIfStillHere(ROUTES.app(project.id, app.id));
  }

  function fail(text: string): void {
    setBusy(false);
    toast({ tone: 'bad', title: TEXTS.sampleFailed, text });
  }

  return { isBusy, deploy: (projectId?: string) => void deploy(projectId) };
}
