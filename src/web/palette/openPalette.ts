import { openSpotlight } from '@mantine/spotlight'

/** Opens the palette; in a file of its own, so that the initial bundle does not include it. */
export const openPalette = (): void => openSpotlight()
