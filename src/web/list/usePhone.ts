import { useMediaQuery } from '@mantine/hooks'

/** Returns whether the window is as narrow as a phone screen; lists then show cards. */
export const usePhone = (): boolean =>
  useMediaQuery('(max-width: 599.98px)', undefined, { getInitialValueInEffect: false })
