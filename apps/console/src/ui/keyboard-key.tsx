export function KeyboardKey({ children }: { children: string }) {
  return (
    <kbd className="inline-grid min-w-5 place-items-center rounded border border-line bg-sunken px-1.5 font-mono text-xs leading-5 whitespace-nowrap text-muted">
      {children}
    </kbd>
  );
}
