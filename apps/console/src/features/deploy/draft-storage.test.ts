import { createMemoryStorage } from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import { anIntegration, aRepository } from '../../../test/resources.ts';
import {
  clearDraft,
  clearDraftOf,
  type DraftScope,
  isDraftOf,
  loadDraft,
  removeStaleDraft,
  saveDraft,
} from './draft-storage.ts';
import { type DeployDraft, emptyDraft } from './model/deploy-draft.ts';
import { initialState, reduceWizard } from './model/wizard.ts';

const HOUR_MS = 60 * 60 * 1000;
const NOW = Date.parse('2025-06-01T12:00:00Z');
const p1: DraftScope = { userId: 'u1', projectId: 'p1' };
const p2: DraftScope = { userId: 'u1', projectId: 'p2' };

const typed = reduceWizard(reduceWizard(initialState(), { type: 'choose-manual' }), {
  type: 'change',
  change: { appName: 'shop' },
});

describe('a stored draft', () => {
  it('is restored unchanged', () => {
    const storage = createMemoryStorage();
    saveDraft(storage, p1, { state: typed, nowMs: NOW });
    expect(loadDraft(storage, p1, NOW)).toEqual(typed);
  });

  it('of a picked repository keeps every choice', () => {
    const storage = createMemoryStorage();
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
    saveDraft(storage, p1, { state: changed, nowMs: NOW });
    expect(loadDraft(storage, p1, NOW)).toEqual(changed);
  });

  it('of another project is not loaded', () => {
    const storage = createMemoryStorage();
    saveDraft(storage, p1, { state: typed, nowMs: NOW });
    expect(loadDraft(storage, p2, NOW)).toBeUndefined();
  });

  it('survives opening the dialog in another project', () => {
    const storage = createMemoryStorage();
    saveDraft(storage, p1, { state: typed, nowMs: NOW });
    saveDraft(storage, p2, { state: initialState(), nowMs: NOW });
    expect(loadDraft(storage, p1, NOW)).toEqual(typed);
  });

  it('is cleared by a reset', () => {
    const storage = createMemoryStorage();
    saveDraft(storage, p1, { state: typed, nowMs: NOW });
    saveDraft(storage, p1, { state: reduceWizard(typed, { type: 'reset' }), nowMs: NOW });
    expect(storage.getItem('deployDraft')).toBeNull();
  });

  it('is removed by clearDraft', () => {
    const storage = createMemoryStorage();
    saveDraft(storage, p1, { state: typed, nowMs: NOW });
    clearDraft(storage);
    expect(loadDraft(storage, p1, NOW)).toBeUndefined();
  });

  it('that exceeds the storage quota is not stored and throws nothing', () => {
    const storage = createMemoryStorage();
    saveDraft(storage, p1, { state: typed, nowMs: NOW });
    const full = {
      ...storage,
      setItem() {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      },
    };
    const longer = reduceWizard(typed, { type: 'change', change: { appName: 'shops' } });
    expect(() => saveDraft(full, p1, { state: longer, nowMs: NOW })).not.toThrow();
    expect(loadDraft(storage, p1, NOW)).toEqual(typed);
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
    const storage = createMemoryStorage();
    const draft = { ...typed.draft, sourceUrl: 'https://example.com/a.git', [field]: invalid };
    storage.setItem('deployDraft', JSON.stringify({ ...p1, savedAt: NOW, step: 2, draft }));
    expect(loadDraft(storage, p1, NOW)?.draft).toEqual({
      ...typed.draft,
      sourceUrl: 'https://example.com/a.git',
      [field]: emptyDraft()[field as keyof DeployDraft],
    });
  });

  it.each([
    ['of the same day', 'u1', 23 * HOUR_MS, true],
    ['of yesterday', 'u1', 24 * HOUR_MS, false],
    ['from a clock that is a day ahead', 'u1', -24 * HOUR_MS, false],
    ['of another user', 'u2', 0, false],
  ])('%s: kept: %#', (_, userId, ageMs, isKept) => {
    const storage = createMemoryStorage();
    saveDraft(storage, p1, { state: typed, nowMs: NOW - ageMs });
    expect(loadDraft(storage, { ...p1, userId }, NOW)).toEqual(isKept ? typed : undefined);
    expect(storage.getItem('deployDraft') !== null).toBe(isKept);
  });

  it('of another user or of an older version is removed without opening the wizard', () => {
    const storage = createMemoryStorage();
    saveDraft(storage, p1, { state: typed, nowMs: NOW });
    removeStaleDraft(storage, { userId: 'u1', nowMs: NOW });
    expect(isDraftOf(storage.getItem('deployDraft'), p1)).toBe(true);
    removeStaleDraft(storage, { userId: 'u2', nowMs: NOW });
    expect(storage.contents()).toEqual({});
    storage.setItem('deployDraft', JSON.stringify({ projectId: 'p1', ...typed }));
    removeStaleDraft(storage, { userId: 'u1', nowMs: NOW });
    expect(storage.contents()).toEqual({});
  });

  it('survives the deployment of another project', () => {
    const storage = createMemoryStorage();
    saveDraft(storage, p1, { state: typed, nowMs: NOW });
    clearDraftOf(storage, p2);
    expect(loadDraft(storage, p1, NOW)).toEqual(typed);
    clearDraftOf(storage, p1);
    expect(storage.contents()).toEqual({});
  });

  it.each(['nonsense', '{"projectId":"p1"}', '{"projectId":"p1","step":7,"draft":{}}', 'null'])(
    'that cannot be parsed (%j) is ignored',
    (text) => {
      const storage = createMemoryStorage();
      storage.setItem('deployDraft', text);
      expect(loadDraft(storage, p1, NOW)).toBeUndefined();
    },
  );
});
