import { useMediaQuery } from '@mantine/hooks'

/** Whether the window is as narrow as a phone: the rows of a list are cards then. */
export const usePhone = (): boolean => useMediaQuery('(max-width: 599.98px)', undefined, { getInitialValueInEffect: false })
