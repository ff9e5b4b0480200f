import { openSpotlight } from '@mantine/spotlight'

/** Opens the palette; in a separate file, so that the initial bundle does not include it. */
export const openPalette = (): void => openSpotlight()
