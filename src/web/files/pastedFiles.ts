/** Returns the pasted files; none if they only show the text beside them: Word adds an image of copied text. */
export function pastedFiles(data: DataTransfer | null): File[] {
  // An image that was copied from a page comes with HTML, but without text.
  const isText = data?.types.includes('text/html') && data.getData('text/plain').trim() !== ''
  return isText ? [] : [...(data?.files ?? [])]
}
