const withoutScheme = /^([\p{L}\p{M}\p{N}-]+\.)+(xn--[a-z0-9-]+|\p{L}[\p{L}\p{M}]+)(:\d{1,5})?([/?#]\S*)?$/iu

/**
 * Completes a URL that was entered without a scheme: `example.com/page` becomes `https://example.com/page`.
 * Returns any other string unchanged.
 */
export const completeUrl = (typed: string): string =>
  withoutScheme.test(typed.trim()) ? `https://${typed.trim()}` : typed

/** Returns the host of a web address as it was written: `new URL` would encode letters such as `ü`. */
export const writtenHost = (address: string): string =>
  /^(?:https?:\/\/)?(?:[^/?#@]*@)?(?:www\.)?([^/?#:]*)/i.exec(address)?.[1] ?? ''
