/** A wait that can be cut short. */
export type Pause = { wait(milliseconds: number): Promise<void>; cutShort(): void };

export function createPause(): Pause {
  let finish: (() => void) | undefined;
  return {
    wait(milliseconds) {
      return new Promise((resolve) => {
        const timer = setTimeout(done, milliseconds);
        function done(): void {
          clearTimeout(timer);
          finish = undefined;
          resolve();
        }
        finish = done;
      });
    },
    cutShort: () => finish?.(),
  };
}
