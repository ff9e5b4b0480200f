/**
 * Spread onto elements that handle Escape themselves, such as a field that closes on Escape, so that the
 * surrounding dialog stays open.
 */
export const stopEscapePropagation = { 'data-mantine-stop-propagation': true } as const
