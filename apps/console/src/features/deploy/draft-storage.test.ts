import { describe, expect, it } from 'vitest';
import { anIntegration, aRepository } from '../../../test/resources.ts';
import { forgetDraft, recallDraft, rememberDraft } from './draft-storage.ts';
import { type DeployDraft, emptyDraft } from './model/deploy-draft.ts';
import { firstState, reduceWizard } from './model/wizard.ts';

function memory() {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

const typed = reduceWizard(reduceWizard(firstState(), { type: 'choose-manual' }), {
  type: 'change',
  change: { appName: 'shop' },
});

describe('a stored draft', () => {
  it('comes back as it was', () => {
    const storage = memory();
    rememberDraft(storage, 'p1', typed);
    expect(recallDraft(storage, 'p1')).toEqual(typed);
  });

  it('of a picked repository keeps every choice', () => {
    const storage = memory();
    const integration = anIntegration();
    const chosen = reduceWizard(firstState(), { type: 'choose-integration', integration });
    const picked = reduceWizard(chosen, {
      type: 'choose-repository',
      repository: aRepository(),
      integration,
    });
    const changed = reduceWizard(picked, {
      type: 'change',
      change: { containerPullSecretName: 'r1', containerTag: '8', sourceRef: 'v1' },
    });
    rememberDraft(storage, 'p1', changed);
    expect(recallDraft(storage, 'p1')).toEqual(changed);
  });

  it('of another project stays away', () => {
    const storage = memory();
    rememberDraft(storage, 'p1', typed);
    expect(recallDraft(storage, 'p2')).toBeUndefined();
  });

  it('is not lost by opening the dialog in another project', () => {
    const storage = memory();
    rememberDraft(storage, 'p1', typed);
    rememberDraft(storage, 'p2', firstState());
    expect(recallDraft(storage, 'p1')).toEqual(typed);
  });

  it('is cleared by a reset', () => {
    const storage = memory();
    rememberDraft(storage, 'p1', typed);
    rememberDraft(storage, 'p1', reduceWizard(typed, { type: 'reset' }));
    expect(storage.getItem('deployDraft')).toBeNull();
  });

  it('is gone once forgotten', () => {
    const storage = memory();
    rememberDraft(storage, 'p1', typed);
    forgetDraft(storage);
    expect(recallDraft(storage, 'p1')).toBeUndefined();
  });

  it('that is too long for the storage is not kept, and stops nobody', () => {
    const storage = memory();
    rememberDraft(storage, 'p1', typed);
    const full = {
      ...storage,
      setItem() {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      },
    };
    const longer = reduceWizard(typed, { type: 'change', change: { appName: 'shops' } });
    expect(() => rememberDraft(full, 'p1', longer)).not.toThrow();
    expect(recallDraft(storage, 'p1')).toEqual(typed);
  });

  it.each([
    ['appName', 7],
    ['port', 80],
    ['exposePort', 'yes'],
    ['deploymentType', 'ftp'],
    ['selectedRepository', {}],
    ['cloneUrls', { ssh: 1 }],
    ['envVars', []],
    ['envVars', [null]],
    ['envVars', [{ id: 'x', key: 'A', value: 'b' }]],
  ])('whose %s is %j has an empty one there', (field, odd) => {
    const storage = memory();
    const draft = { ...typed.draft, sourceUrl: 'https://example.com/a.git', [field]: odd };
    storage.setItem('deployDraft', JSON.stringify({ projectId: 'p1', step: 2, draft }));
    expect(recallDraft(storage, 'p1')?.draft).toEqual({
      ...typed.draft,
      sourceUrl: 'https://example.com/a.git',
      [field]: emptyDraft()[field as keyof DeployDraft],
    });
  });

  it.each(['nonsense', '{"projectId":"p1"}', '{"projectId":"p1","step":7,"draft":{}}', 'null'])(
    'that cannot be read (%j) counts as none',
    (text) => {
      const storage = memory();
      storage.setItem('deployDraft', text);
      expect(recallDraft(storage, 'p1')).toBeUndefined();
    },
  );
});
