/** Downloads a text file. */
export function downloadText(text: string, fileName: string): void {
  saveFile(new Blob([text], { type: 'text/plain' }), fileName);
}

export function saveFile(content: Blob, fileName: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}
