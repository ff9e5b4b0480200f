import { onTestFinished, vi } from 'vitest'

interface SavedFile {
  name: string
  file: Blob
}

/** Returns the files that the page saves from now on; the simulated browser would leave the page instead. */
export function savedFiles(): SavedFile[] {
  const files: SavedFile[] = []
  let last: Blob | undefined
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()))
  const url = vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    last = file as Blob
    return 'blob:report'
  })
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    if (this.download) files.push({ name: this.download, file: last! })
  })
  const spies = [url, click]
  return files
}
