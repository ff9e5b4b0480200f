const withoutScheme = /^([\p{L}\p{N}-]+\.)+\p{L}{2,}(:\d{1,5})?([/?#]\S*)?$/u

/**
 * Completes a URL that was entered without a scheme: `example.com/page` becomes `https://example.com/page`.
 * Returns any other string unchanged.
 */
export const completeUrl = (typed: string): string =>
  withoutScheme.test(typed.trim()) ? `https://${typed.trim()}` : typed
