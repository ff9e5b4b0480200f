const address = 'https?://[^\\s<>]*[^\\s<>.,;:!?)]'

/** Sources of the patterns of what is a link in a message: an address, and a number such as #145. */
export const linkPatterns: readonly string[] = [address, '(?<![\\w&/#])#[1-9]\\d{0,8}\\b']

/** Returns the first address in a text; undefined if there is none. */
export const linkIn = (text: string): string | undefined => new RegExp(address).exec(text)?.[0]
