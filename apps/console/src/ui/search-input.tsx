import { useRef } from 'react';
import { useFocusHotkey } from '../lib/use-hotkey.ts';
import { Search } from './icons.tsx';
import { TextInput } from './text-input.tsx';

type SearchInputProps = { label: string; value: string; onChange(value: string): void };

/** `/` focuses it, Escape clears it. */
export function SearchInput({ label, value, onChange }: SearchInputProps) {
  const input = useRef<HTMLInputElement>(null);
  useFocusHotkey('/', input);
  return (
    <div className="relative w-full sm:w-64">
      <Search
        size={15}
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-faint"
      />
      <TextInput
        ref={input}
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        className="pl-9 [&::-webkit-search-cancel-button]:hidden"
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onChange('');
        }}
      />
      {value === '' && (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 right-2.5 hidden -translate-y-1/2 rounded border border-line bg-sunken px-1.5 font-mono text-xs text-faint sm:block"
        >
          /
        </span>
      )}
    </div>
  );
}
