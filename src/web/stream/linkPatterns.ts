/** Sources of the patterns of what is a link in a message: an address, and a number such as #145. */
export const linkPatterns: readonly string[] = [
  'https?://[^\\s<>]*[^\\s<>.,;:!?)]',
  '(?<![\\w&/#])#[1-9]\\d{0,8}\\b',
]
