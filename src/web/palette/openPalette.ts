import { openSpotlight } from '@mantine/spotlight'

/** Opens the palette. This is in a separate file so that the initial bundle does not include the palette. */
export const openPalette = (): void => openSpotlight()
