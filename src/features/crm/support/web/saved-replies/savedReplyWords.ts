import { countText } from '#web/time.ts'

export const savedReplyAddress = ({ id }: { id: number }) => `/support/saved-replies?open=${id}`

/** Returns how often a saved reply was used, such as `46 uses`. */
export const usesText = (uses: number): string => `${countText(uses)} ${uses === 1 ? 'use' : 'uses'}`
