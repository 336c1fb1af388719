import type { UserQuotas } from '@longshore/contract';

export type QuotaName = keyof UserQuotas;
export type QuotaFields = Record<QuotaName, string>;

/** How many bytes, or whatever is stored, one unit of the field is. */
const UNITS: Record<QuotaName, number> = {
  apps: 1,
  memoryBytes: 1024 ** 2,
  cpus: 1,
  builds: 1,
  diskBytes: 1024 ** 3,
};

export const QUOTA_NAMES = Object.keys(UNITS) as QuotaName[];

const WHOLE = /^\d{1,7}$/;
const DECIMAL = /^\d{1,7}(?:[.,]\d{1,3})?$/;

export function fieldsOf(quotas: UserQuotas): QuotaFields {
  const text = (name: QuotaName) => {
    const value = quotas[name];
    return value === null ? '' : String(Math.round((value / UNITS[name]) * 1_000) / 1_000);
  };
  return Object.fromEntries(QUOTA_NAMES.map((name) => [name, text(name)])) as QuotaFields;
}

export type ParsedQuotas = { ok: true; quotas: UserQuotas } | { ok: false; invalid: QuotaName[] };

/** An empty field is the default of the installation. Apps and builds are whole numbers. */
export function parseQuotas(fields: QuotaFields): ParsedQuotas {
  const isValid = (name: QuotaName) => {
    const text = fields[name].trim();
    const pattern = name === 'apps' || name === 'builds' ? WHOLE : DECIMAL;
    return text === '' || pattern.test(text);
  };
  const invalid = QUOTA_NAMES.filter((name) => !isValid(name));
  if (invalid.length > 0) return { ok: false, invalid };
  const value = (name: QuotaName) => {
    const text = fields[name].trim().replace(',', '.');
    if (text === '') return null;
    return name === 'cpus' ? Number(text) : Math.round(Number(text) * UNITS[name]);
  };
  const entries = QUOTA_NAMES.map((name) => [name, value(name)]);
  return { ok: true, quotas: Object.fromEntries(entries) as UserQuotas };
}
