import { type AppValues, AUTO_DOMAIN } from '@longshore/contract';
import { shortRevision } from '../../../lib/short-revision.ts';
import { MESSAGES } from '../messages.ts';

const WORDS = MESSAGES.edit;

/** What the form can change, and how its state is told. An empty text: it does not apply. */
const SETTINGS: Record<string, (values: AppValues) => string> = {
  [WORDS.name]: ({ name }) => name,
  [WORDS.source]: ({ source }) => (source.enabled ? WORDS.repository : WORDS.image),
  [WORDS.ref]: ({ source }) => (source.enabled ? shortRevision(source.ref) : ''),
  [WORDS.image]: ({ source, container }) => (source.enabled ? '' : shortRevision(container.image)),
  [WORDS.port]: ({ ports }) => String(ports[0]?.number ?? ''),
  [WORDS.publicAccess]: ({ publicAccess }) => onOff(publicAccess.enabled),
  [WORDS.domain]: ({ publicAccess: { enabled, domain } }) =>
    enabled ? (domain === AUTO_DOMAIN ? WORDS.automatic : domain) : '',
  [WORDS.sleep]: ({ sleep }) => (sleep ? WORDS.minutes(sleep.afterMinutes) : onOff(false)),
};

/** Of these is told only that they change: an address is long, and an integration is an id. */
const NAMED: Record<string, (values: AppValues) => string> = {
  [WORDS.sourceUrl]: ({ source }) => (source.enabled ? source.url : ''),
  [WORDS.account]: ({ source, container }) =>
    source.enabled ? source.secretName : container.pullSecretName,
};

/** What an edit changes, a few words for each. Of variables only the number: their values may be secrets. */
export function editChanges(before: AppValues, after: AppValues): string[] {
  const isOtherKind = before.source.enabled !== after.source.enabled;
  const told = Object.entries(SETTINGS).flatMap(([name, of]) => {
    const [from, to] = [of(before), of(after)];
    return from === to || from === '' || to === '' ? [] : [WORDS.change(name, from, to)];
  });
  const named = Object.entries(NAMED)
    .filter(([, of]) => !isOtherKind && of(before) !== of(after))
    .map(([name]) => name);
  const variables = countChanged(before.env, after.env);
  return [...told, ...named, ...(variables === 0 ? [] : [WORDS.variables(variables)])];
}

function countChanged(before: AppValues['env'], after: AppValues['env']): number {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => before[key] !== after[key]).length;
}

function onOff(isOn: boolean): string {
  return isOn ? WORDS.on : WORDS.off;
}
