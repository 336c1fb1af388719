import { useConnection } from '../client/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { Menu, Search } from '../ui/icons.tsx';
import { Logo } from '../ui/logo.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { MESSAGES } from './messages.ts';
import { NavigationLinks } from './navigation-links.tsx';
import { usePageState } from './use-page-state.ts';

/** Slides in from the left, 64 units wide, and closes when an entry is selected (spec-map 2.2). */
export function MobileMenu({ onOpenPalette }: { onOpenPalette(): void }) {
  const [isOpen, setOpen] = usePageState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button
        kind="ghost"
        size="icon"
        aria-label={MESSAGES.menu.open}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        className="md:hidden"
        onClick={() => setOpen(true)}
      >
        <Menu size={18} aria-hidden="true" />
      </Button>
      {isOpen && (
        <Sheet
          side="left"
          title={
            <>
              <Logo />
              Longshore
            </>
          }
          closeLabel={MESSAGES.menu.close}
          isForSmallScreens
          className="w-64"
          onClose={close}
        >
          <div className="flex flex-1 flex-col gap-4 px-4 pb-4">
            <NavigationLinks isStacked onChoose={close} />
            <Button
              onClick={() => {
                close();
                onOpenPalette();
              }}
            >
              <Search size={15} aria-hidden="true" />
              {MESSAGES.palette.open}
            </Button>
            <CloudStatus />
          </div>
        </Sheet>
      )}
    </>
  );
}

/** Static text; there is no status call (spec-map 1). A lost connection of the live queries is shown below it. */
function CloudStatus() {
  const isLost = useConnection() === 'reconnecting';
  const { title, text, lost } = MESSAGES.cloudStatus;
  return (
    <div className="mt-auto rounded-box border border-line bg-surface p-3">
      <p className="text-xs text-faint">{title}</p>
      <p className="mt-0.5 flex items-center gap-2 font-medium">
        <span aria-hidden="true" className="size-2 rounded-full bg-ok" />
        {text}
      </p>
      <p role="status" className="text-xs text-busy">
        {isLost && lost}
      </p>
    </div>
  );
}
