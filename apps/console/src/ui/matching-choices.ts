/** `note` is the kind of the value, for example branch or tag. */
export type Choice = { value: string; note: string };

const MAX_SHOWN = 100;

/** If the text equals a choice, it was selected rather than searched for, and all choices are shown. */
export function matchingChoices(choices: Choice[], typed: string): Choice[] {
  const search = typed.trim().toLowerCase();
  const isChosen = choices.some(({ value }) => value === typed.trim());
  const matching = isChosen
    ? choices
    : choices.filter(({ value }) => value.toLowerCase().includes(search));
  return matching.slice(0, MAX_SHOWN);
}
