/** Spread on what does something of its own with Escape, as a field that is left by it: the dialog around it stays open. */
export const ownEscape = { 'data-mantine-stop-propagation': true } as const
