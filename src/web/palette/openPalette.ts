import { openSpotlight } from '@mantine/spotlight'

/** Opens the palette; in a file of its own, so that the page's first code does not carry it. */
export const openPalette = (): void => openSpotlight()
