/** To spread on elements that use Escape themselves, such as a field that it closes: the dialog around them stays open. */
export const stopEscapePropagation = { 'data-mantine-stop-propagation': true } as const
