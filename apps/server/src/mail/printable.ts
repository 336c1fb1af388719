/** Text for a line of the terminal: nothing that could move the cursor or start another line. */
export function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '�');
}
