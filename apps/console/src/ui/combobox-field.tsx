import { type KeyboardEvent, useState } from 'react';
import { OPEN_LIST } from './close-on-escape.ts';
import { Field } from './field.tsx';
import { ChevronDown } from './icons.tsx';
import { ListOption } from './list-option.tsx';
import { type Choice, matchingChoices } from './matching-choices.ts';
import { useListKeys } from './use-list-keys.ts';

type ComboboxFieldProps = {
  label: string;
  placeholder: string;
  hint?: string | undefined;
  problem: string | undefined;
  value: string;
  choices: Choice[];
  onChange(value: string): void;
};

/** A text field with a list of suggestions. Other values can be typed too. */
export function ComboboxField({ value, choices, onChange, ...field }: ComboboxFieldProps) {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? matchingChoices(choices, value) : [];
  const { listId, optionId, active, activeId, onKeyDown, resetActive } = useListKeys({
    count: shown.length,
    first: -1,
    onChoose: (at) => choose(shown[at]?.value ?? value),
  });
  const isListed = shown.length > 0;

  function showList(isShown: boolean) {
    resetActive();
    setOpen(isShown);
  }
  function choose(chosen: string) {
    onChange(chosen);
    showList(false);
  }
  function handleKey(event: KeyboardEvent) {
    if (event.key === 'Escape') showList(false);
    else if (event.key === 'ArrowDown' && !isOpen) showList(true);
    else onKeyDown(event);
  }

  return (
    <div className="relative">
      <Field
        {...field}
        {...(isListed && OPEN_LIST)}
        role="combobox"
        aria-expanded={isListed}
        aria-controls={isListed ? listId : undefined}
        aria-activedescendant={activeId}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        className="pr-8"
        value={value}
        onChange={(event) => {
          onChange(event.target.value);
          showList(true);
        }}
        onClick={() => showList(true)}
        onBlur={() => showList(false)}
        onKeyDown={handleKey}
      />
      <ChevronDown
        size={15}
        aria-hidden="true"
        className="pointer-events-none absolute top-9 right-2.5 text-faint pointer-coarse:top-10"
      />
      {isListed && (
        <div
          id={listId}
          role="listbox"
          aria-label={field.label}
          className="absolute top-full right-0 z-10 mt-1 max-h-64 w-full min-w-64 overflow-y-auto rounded-box border border-line bg-raised p-1 shadow-float"
        >
          {shown.map(({ value: choice, note }, at) => (
            <ListOption
              key={`${note} ${choice}`}
              id={optionId(at)}
              isActive={at === active}
              onChoose={() => choose(choice)}
            >
              <span className="min-w-0 flex-1 truncate font-mono text-[0.8125rem]">{choice}</span>
              <span className="shrink-0 text-xs text-faint">{note}</span>
            </ListOption>
          ))}
        </div>
      )}
    </div>
  );
}
