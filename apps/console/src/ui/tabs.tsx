import { Tabs as RadixTabs } from 'radix-ui';
import type { ReactNode } from 'react';

export type Tab<Value extends string> = { value: Value; label: string; panel: ReactNode };

type TabsProps<Value extends string> = { label: string; first: Value; tabs: Tab<Value>[] };

/** Shows one panel at a time; arrow keys switch tabs. */
export function Tabs<Value extends string>({ label, first, tabs }: TabsProps<Value>) {
  return (
    <RadixTabs.Root defaultValue={first} className="flex min-h-0 flex-col">
      <RadixTabs.List aria-label={label} className="flex gap-2 border-b border-line px-3">
        {tabs.map(({ value, label: text }) => (
          <RadixTabs.Trigger
            key={value}
            value={value}
            className="-mb-px h-10 border-b-2 border-transparent px-2 font-medium text-muted hover:text-text focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-text"
          >
            {text}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {tabs.map(({ value, panel }) => (
        <RadixTabs.Content
          key={value}
          value={value}
          tabIndex={-1}
          className="flex min-h-0 flex-col outline-none"
        >
          {panel}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}
