import { createSpotlight } from '@mantine/spotlight'

/** In a separate file so that the initial bundle does not include the palette. */
export const [paletteStore, { open: openPalette, close: closePalette }] = createSpotlight()
