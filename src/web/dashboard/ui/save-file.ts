/** Gives the person a file, where their browser puts downloads. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // Browsers that ask where to put it take their time.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
