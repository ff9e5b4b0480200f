let opener = () => {}

/** Opens the list of keyboard shortcuts, from anywhere. */
export const openKeyHelp = (): void => opener()

/** Registers what opens the list; returns the function that ends this. */
export function onOpenKeyHelp(open: () => void): () => void {
  opener = open
  return () => {
    if (opener === open) opener = () => {}
  }
}
