/** `note` says what kind of thing it is. */
export type Choice = { value: string; note: string };

const SHOWN_AT_MOST = 100;

/** A value that is one of the choices was chosen, not searched for: then all of them are shown. */
export function matchingChoices(choices: Choice[], typed: string): Choice[] {
  const search = typed.trim().toLowerCase();
  const isChosen = choices.some(({ value }) => value === typed.trim());
  const matching = isChosen
    ? choices
    : choices.filter(({ value }) => value.toLowerCase().includes(search));
  return matching.slice(0, SHOWN_AT_MOST);
}
