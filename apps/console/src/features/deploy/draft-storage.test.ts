import { describe, expect, it } from 'vitest';
import { anIntegration, aRepository } from '../../../test/resources.ts';
import { clearDraft, loadDraft, saveDraft } from './draft-storage.ts';
import { type DeployDraft, emptyDraft } from './model/deploy-draft.ts';
import { initialState, reduceWizard } from './model/wizard.ts';

function memoryStorage() {
  const entries = new Map<string, string>();
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  };
}

const typed = reduceWizard(reduceWizard(initialState(), { type: 'choose-manual' }), {
  type: 'change',
  change: { appName: 'shop' },
});

describe('a stored draft', () => {
  it('is restored unchanged', () => {
    const storage = memoryStorage();
    saveDraft(storage, 'p1', typed);
    expect(loadDraft(storage, 'p1')).toEqual(typed);
  });

  it('of a picked repository keeps every choice', () => {
    const storage = memoryStorage();
    const integration = anIntegration();
    const chosen = reduceWizard(initialState(), { type: 'choose-integration', integration });
    const picked = reduceWizard(chosen, {
      type: 'choose-repository',
      repository: aRepository(),
      integration,
    });
    const changed = reduceWizard(picked, {
      type: 'change',
      change: { containerPullSecretName: 'r1', containerTag: '8', sourceRef: 'v1' },
    });
    saveDraft(storage, 'p1', changed);
    expect(loadDraft(storage, 'p1')).toEqual(changed);
  });

  it('of another project is not loaded', () => {
    const storage = memoryStorage();
    saveDraft(storage, 'p1', typed);
    expect(loadDraft(storage, 'p2')).toBeUndefined();
  });

  it('survives opening the dialog in another project', () => {
    const storage = memoryStorage();
    saveDraft(storage, 'p1', typed);
    saveDraft(storage, 'p2', initialState());
    expect(loadDraft(storage, 'p1')).toEqual(typed);
  });

  it('is cleared by a reset', () => {
    const storage = memoryStorage();
    saveDraft(storage, 'p1', typed);
    saveDraft(storage, 'p1', reduceWizard(typed, { type: 'reset' }));
    expect(storage.getItem('deployDraft')).toBeNull();
  });

  it('is removed by clearDraft', () => {
    const storage = memoryStorage();
    saveDraft(storage, 'p1', typed);
    clearDraft(storage);
    expect(loadDraft(storage, 'p1')).toBeUndefined();
  });

  it('that exceeds the storage quota is not stored and throws nothing', () => {
    const storage = memoryStorage();
    saveDraft(storage, 'p1', typed);
    const full = {
      ...storage,
      setItem() {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      },
    };
    const longer = reduceWizard(typed, { type: 'change', change: { appName: 'shops' } });
    expect(() => saveDraft(full, 'p1', longer)).not.toThrow();
    expect(loadDraft(storage, 'p1')).toEqual(typed);
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
  ])('whose %s is %j has the default there', (field, invalid) => {
    const storage = memoryStorage();
    const draft = { ...typed.draft, sourceUrl: 'https://example.com/a.git', [field]: invalid };
    storage.setItem('deployDraft', JSON.stringify({ projectId: 'p1', step: 2, draft }));
    expect(loadDraft(storage, 'p1')?.draft).toEqual({
      ...typed.draft,
      sourceUrl: 'https://example.com/a.git',
      [field]: emptyDraft()[field as keyof DeployDraft],
    });
  });

  it.each(['nonsense', '{"projectId":"p1"}', '{"projectId":"p1","step":7,"draft":{}}', 'null'])(
    'that cannot be parsed (%j) is ignored',
    (text) => {
      const storage = memoryStorage();
      storage.setItem('deployDraft', text);
      expect(loadDraft(storage, 'p1')).toBeUndefined();
    },
  );
});
